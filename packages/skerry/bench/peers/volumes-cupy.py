"""CuPy's labels of resident volumes: cupyx.scipy.ndimage.label.

    volumes-cupy.py SIZE CONNECTIVITY FILE...   prints one JSON line per file: {"label": ms, "count": n}, medians of 9
"""

import json
import sys
import time

# This folder has a file called like the package: it must not come first.
sys.path = [path for path in sys.path if path and not path.endswith("peers")]
import cupy
import numpy
from cupyx.scipy import ndimage

size, connectivity = int(sys.argv[1]), int(sys.argv[2])
structure = ndimage.generate_binary_structure(3, {6: 1, 18: 2, 26: 3}[connectivity])
begin, end = cupy.cuda.Event(), cupy.cuda.Event()


def timed(work):
    begin.record()
    result = work()
    end.record()
    end.synchronize()
    return cupy.cuda.get_elapsed_time(begin, end), result


for path in sys.argv[3:]:
    volume = cupy.asarray(numpy.fromfile(path, dtype=numpy.uint8).reshape(size, size, size))
    until = time.perf_counter() + 0.4
    while time.perf_counter() < until:
        timed(lambda: volume.astype(cupy.uint32))
    labels, count = [], 0
    for _ in range(9):
        milliseconds, (_, count) = timed(lambda: ndimage.label(volume, structure))
        labels.append(milliseconds)
    print(json.dumps({"label": sorted(labels)[4], "count": int(count)}), flush=True)
