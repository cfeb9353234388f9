"""CuPy's labels of resident images: cupyx.scipy.ndimage.label, without statistics.

    cupy.py SIZE FILE...   prints one JSON line per file: {"label": ms, "copy": ms, "count": n}, medians of 20
"""

import json
import sys
import time

# This file is called like the package: its own folder must not come first.
sys.path = [path for path in sys.path if path and not path.endswith("peers")]
import cupy
import numpy
from cupyx.scipy import ndimage

size = int(sys.argv[1])
structure = cupy.ones((3, 3), dtype=cupy.uint8)
begin, end = cupy.cuda.Event(), cupy.cuda.Event()


def timed(work):
    begin.record()
    result = work()
    end.record()
    end.synchronize()
    return cupy.cuda.get_elapsed_time(begin, end), result


for path in sys.argv[2:]:
    image = cupy.asarray(numpy.fromfile(path, dtype=numpy.uint8).reshape(size, size))
    until = time.perf_counter() + 0.4
    while time.perf_counter() < until:
        timed(lambda: image.astype(cupy.uint32))
    copies, labels, count = [], [], 0
    for _ in range(20):
        copies.append(timed(lambda: image.astype(cupy.uint32))[0])
        milliseconds, (_, count) = timed(lambda: ndimage.label(image, structure))
        labels.append(milliseconds)
    print(json.dumps({"label": sorted(labels)[10], "copy": sorted(copies)[10], "count": int(count)}), flush=True)
