# scipy.ndimage.label on a volume, as its users call it; by value once for each class, as they have to.
# argv: file, width, height, depth, connectivity, and "value" for class maps.
import json
import sys
import time

import numpy as np
import scipy
from scipy import ndimage

width, height, depth, connectivity = map(int, sys.argv[2:6])
volume = np.fromfile(sys.argv[1], np.uint8).reshape(depth, height, width)
structure = ndimage.generate_binary_structure(3, {6: 1, 18: 2, 26: 3}[connectivity])
classes = [v for v in np.unique(volume) if v] if sys.argv[6:] == ["value"] else [None]


def once():
    begin = time.perf_counter()
    count = sum(ndimage.label(volume if c is None else volume == c, structure)[1] for c in classes)
    return (time.perf_counter() - begin) * 1e3, count


runs = [once() for _ in range(3)]
print(json.dumps({"medians": [sorted(t for t, _ in runs)[1]], "count": runs[0][1], "version": scipy.__version__}))
