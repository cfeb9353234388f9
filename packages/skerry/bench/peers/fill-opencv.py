# Native OpenCV's floodFill, the mask alone, as its users call it for a selection. argv: file, size, connectivity, x, y,
# tolerance, range.
import json
import sys
import time

import cv2
import numpy as np

size, connectivity, x, y, tolerance = map(int, sys.argv[2:7])
image = np.fromfile(sys.argv[1], np.uint8).reshape(size, size, 3)
flags = connectivity | cv2.FLOODFILL_MASK_ONLY | (255 << 8) | (cv2.FLOODFILL_FIXED_RANGE if sys.argv[7] == "fixed" else 0)
area = 0


def once():
    global area
    mask = np.zeros((size + 2, size + 2), np.uint8)
    begin = time.perf_counter()
    area = cv2.floodFill(image, mask, (x, y), 0, (tolerance,) * 3, (tolerance,) * 3, flags)[0]
    return (time.perf_counter() - begin) * 1e3


cold = once()
once()
print(json.dumps({"columns": ["fill"], "cold": [cold], "medians": [sorted(once() for _ in range(21))[10]], "area": area, "version": cv2.__version__}))
