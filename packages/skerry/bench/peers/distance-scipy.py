# scipy.ndimage.distance_transform_edt, as its users call it. argv: file, width, height, depth, surface or sites.
import json
import sys
import time

import numpy as np
import scipy
from scipy import ndimage

width, height, depth = map(int, sys.argv[2:5])
mask = np.fromfile(sys.argv[1], np.uint8).reshape(depth, height, width).astype(bool)
if depth == 1:
    mask = mask[0]
if sys.argv[5] == "surface":
    mask &= ~ndimage.binary_erosion(mask, border_value=1)
background = ~mask
begin = time.perf_counter()
ndimage.distance_transform_edt(background)
print(json.dumps({"medians": [(time.perf_counter() - begin) * 1e3], "version": scipy.__version__}))
