# The peer of the runs over blocks: dask-image labels the foreground of a Zarr array, block by block, and writes labels of 32 bits in the
# same chunks. Prints objects, seconds, seconds of processor and the most memory; 4096 blocks need over 23 GiB.
#
#     node packages/cluster/bench/cost.mjs --size 1024 --block 64 --chunk 64 --ome 0.4 --folder DIR       (renders the volume, measures ours)
#     PYTHONPATH=CHECKOUT python3 packages/cluster/outside/dask-image.py DIR/skerry-cost-blobs-1024.zarr/0 DIR/peer.zarr

import resource
import sys
import time

import dask
import dask.array as da
import numpy as np
from dask_image.ndmeasure import label

image, output = sys.argv[1:]
begin = time.perf_counter()
volume = da.from_zarr(image)
print(f"{np.prod(volume.numblocks)} blocks of {volume.chunksize}, dask {dask.__version__}", flush=True)
labels, objects = label(volume > 127)
with dask.config.set(scheduler="threads", num_workers=2):
    stored = labels.astype(np.uint32).to_zarr(output, overwrite=True, compute=False)
    _, found = dask.compute(stored, objects)
usage = resource.getrusage(resource.RUSAGE_SELF)
print(
    f"{found} objects, {time.perf_counter() - begin:.1f} s, {usage.ru_utime + usage.ru_stime:.1f} s of processor, "
    f"{usage.ru_maxrss / 2**20:.2f} GiB"
)
