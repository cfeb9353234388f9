# Frames with native OpenCV: threshold and connectedComponentsWithStats into arrays that are reused. argv: file, size, rounds.
import json
import sys
import time

import cv2
import numpy as np

size, rounds = int(sys.argv[2]), int(sys.argv[3])
image = np.fromfile(sys.argv[1], np.uint8).reshape(size, size)
bits = np.empty_like(image)
labels = np.empty((size, size), np.int32)
milliseconds = []
for _ in range(rounds):
    begin = time.perf_counter()
    cv2.threshold(image, 127, 255, cv2.THRESH_BINARY, bits)
    count = cv2.connectedComponentsWithStats(bits, labels, connectivity=8, ltype=cv2.CV_32S)[0]
    milliseconds.append((time.perf_counter() - begin) * 1e3)
print(json.dumps({"milliseconds": milliseconds[rounds // 10 :], "objects": count - 1, "version": cv2.__version__, "threads": cv2.getNumThreads()}))
