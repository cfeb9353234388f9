# Native OpenCV as its users call it (labels allocated by it), and with a labels array that is reused.
# argv: file, size, connectivity.
import json
import sys
import time

import cv2
import numpy as np

size, connectivity = int(sys.argv[2]), int(sys.argv[3])
image = np.fromfile(sys.argv[1], np.uint8).reshape(size, size)
labels = np.ones((size, size), np.int32)


def fresh():
    return cv2.connectedComponentsWithStats(image, connectivity=connectivity, ltype=cv2.CV_32S)


def reused():
    return cv2.connectedComponentsWithStats(image, labels, connectivity=connectivity, ltype=cv2.CV_32S)


def once(call):
    begin = time.perf_counter()
    call()
    return (time.perf_counter() - begin) * 1e3


cold = once(fresh)
medians = []
for call in (fresh, reused):
    once(call)
    medians.append(sorted(once(call) for _ in range(21))[10])
print(json.dumps({"columns": ["fresh", "reused"], "cold": [cold], "medians": medians, "version": cv2.__version__, "threads": cv2.getNumThreads()}))
