"""CuPy on resident masks: dilation and closing by a disc or ball, as a structure and by a threshold of its distance map.

    objects-cupy.py FILE SIZE DEPTH OPERATION RADIUS    prints {"structure": ms or null, "distance": ms}, medians of 5

A structure of more than 5000 pixels is left out: it takes seconds. cuCIM's functions are these.
"""

import json
import sys
import time

# This folder has a file called like the package: it must not come first.
sys.path = [path for path in sys.path if path and not path.endswith("peers")]
import cupy
import numpy
from cupyx.scipy import ndimage

size, depth, operation, radius = int(sys.argv[2]), int(sys.argv[3]), sys.argv[4], int(sys.argv[5])
mask = cupy.asarray(numpy.fromfile(sys.argv[1], dtype=numpy.uint8)) > 0
mask = mask.reshape((depth, size, size) if depth > 1 else (size, size))
steps = numpy.indices((2 * radius + 1,) * mask.ndim) - radius
structure = cupy.asarray((steps**2).sum(0) <= radius**2)
begin, end = cupy.cuda.Event(), cupy.cuda.Event()


def by_structure():
    if operation == "dilate":
        return ndimage.binary_dilation(mask, structure)
    return ndimage.binary_closing(mask, structure)


def grow(bits):
    return ndimage.distance_transform_edt(~bits) <= radius


def by_distance():
    return grow(mask) if operation == "dilate" else ~grow(~grow(mask))


def timed(work):
    begin.record()
    work()
    end.record()
    end.synchronize()
    return cupy.cuda.get_elapsed_time(begin, end)


def median(work):
    until = time.perf_counter() + 0.3
    while time.perf_counter() < until:
        timed(work)
    return sorted(timed(work) for _ in range(5))[2]


few = int(structure.sum()) <= 5000
print(json.dumps({"structure": median(by_structure) if few else None, "distance": median(by_distance)}))
