# Lines without an end with native OpenCV: strips of 1024 lines, both polarities, joined by hand at their seams.
# argv: file, width, lines of the file, lines of a strip, times that the file is played.
import json
import sys
import time

import cv2
import numpy as np

width, height, strip, times = (int(text) for text in sys.argv[2:6])
image = np.fromfile(sys.argv[1], np.uint8).reshape(height, width)


class Polarity:
    """The objects of one polarity that are open at the last line: area, box, sums of centroids."""

    def __init__(self, threshold, kind):
        self.threshold, self.kind = threshold, kind
        self.last = np.zeros(width, np.int64)
        self.open = {}
        self.ids = 0
        self.done = 0

    def find(self, parents, one):
        while parents[one] != one:
            one = parents[one]
        return one

    def take(self, lines, row):
        bits = cv2.threshold(lines, self.threshold, 255, self.kind)[1]
        count, labels, stats, centroids = cv2.connectedComponentsWithStats(bits, connectivity=8, ltype=cv2.CV_32S)
        first, last = labels[0].astype(np.int64), labels[-1].astype(np.int64)
        base = self.ids
        self.ids += count - 1
        pairs = []
        for shift in (-1, 0, 1):
            above = self.last[max(0, -shift) : width - max(0, shift)]
            below = first[max(0, shift) : width - max(0, -shift)]
            both = (above > 0) & (below > 0)
            if both.any():
                pairs.append(np.stack([above[both], base + below[both]], axis=1))
        parents = {}
        for a, b in np.unique(np.concatenate(pairs), axis=0).tolist() if pairs else []:
            for one in (a, b):
                parents.setdefault(one, one)
            a, b = self.find(parents, a), self.find(parents, b)
            parents[max(a, b)] = min(a, b)
        objects = {}

        def add(root, area, x0, y0, x1, y1, sx, sy):
            had = objects.get(root)
            if had is None:
                objects[root] = (area, x0, y0, x1, y1, sx, sy)
            else:
                objects[root] = (had[0] + area, min(had[1], x0), min(had[2], y0), max(had[3], x1), max(had[4], y1), had[5] + sx, had[6] + sy)

        touching = set(np.unique(last[last > 0]).tolist())
        crossing = touching | {one - base for one in parents if one > base}
        for one, held in self.open.items():
            add(self.find(parents, one) if one in parents else one, *held)
        for label in crossing:
            x, y, w, h, area = stats[label].tolist()
            cx, cy = centroids[label].tolist()
            one = base + label
            add(self.find(parents, one) if one in parents else one, area, x, row + y, x + w, row + y + h, cx * area, (row + cy) * area)
        self.done += count - 1 - len(crossing)
        root_of = np.zeros(count, np.int64)
        for label in touching:
            one = base + label
            root_of[label] = self.find(parents, one) if one in parents else one
        self.last = root_of[last]
        still = set(root_of[list(touching)].tolist()) if touching else set()
        self.done += len(objects) - len(still & objects.keys())
        self.open = {one: objects[one] for one in still}


def play():
    both = [Polarity(190, cv2.THRESH_BINARY), Polarity(69, cv2.THRESH_BINARY_INV)]
    milliseconds = []
    row = 0
    for _ in range(times):
        for y in range(0, height, strip):
            begin = time.perf_counter()
            for polarity in both:
                polarity.take(image[y : y + strip], row)
            row += strip
            milliseconds.append((time.perf_counter() - begin) * 1e3)
    return milliseconds, sum(polarity.done + len(polarity.open) for polarity in both)


play()
milliseconds, objects = play()
print(json.dumps({"milliseconds": milliseconds, "objects": objects, "version": cv2.__version__, "threads": cv2.getNumThreads()}))
