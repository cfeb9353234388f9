# Native OpenCV's kmeans on every pixel, as its users call it: one attempt from the classes of the given colours. argv: file
# of RGB bytes, file of colours, k, iterations.
import json
import sys
import time

import cv2
import numpy as np

pixels = np.fromfile(sys.argv[1], np.uint8).reshape(-1, 3).astype(np.float32)
k, iterations = map(int, sys.argv[3:5])
colours = np.fromfile(sys.argv[2], np.uint8)[: k * 3].reshape(k, 3).astype(np.float32)
labels = np.empty((len(pixels), 1), np.int32)
for begin in range(0, len(pixels), 1 << 18):
    part = pixels[begin : begin + (1 << 18)]
    labels[begin : begin + len(part), 0] = ((part**2).sum(1)[:, None] - 2 * part @ colours.T + (colours**2).sum(1)).argmin(1)
criteria = (cv2.TERM_CRITERIA_MAX_ITER, iterations, 0)
begin = time.perf_counter()
inertia, _, _ = cv2.kmeans(pixels, k, labels, criteria, 1, cv2.KMEANS_USE_INITIAL_LABELS)
all_ = (time.perf_counter() - begin) * 1e3
print(json.dumps({"medians": {"all": all_}, "inertia": inertia, "version": cv2.__version__}))
