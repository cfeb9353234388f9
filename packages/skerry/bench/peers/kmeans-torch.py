"""One step of Lloyd's algorithm on every pixel with PyTorch: distances, the nearest, means.

    kmeans-torch.py FILE COLOURS K    prints {"step": ms}, the median of 5
"""

import json
import sys
import time

import numpy
import torch

pixels = torch.from_numpy(numpy.fromfile(sys.argv[1], numpy.uint8).reshape(-1, 3)).cuda().float()
k = int(sys.argv[3])
centres = torch.from_numpy(numpy.fromfile(sys.argv[2], numpy.uint8)[: k * 3].reshape(k, 3)).cuda().float()
CHUNK = 1 << 20


def step(centres):
    classes = torch.cat([torch.cdist(part, centres).argmin(1) for part in pixels.split(CHUNK)])
    sums = torch.zeros_like(centres).index_add_(0, classes, pixels)
    return sums / torch.bincount(classes, minlength=k).clamp(min=1)[:, None]


begin, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)


def timed():
    begin.record()
    step(centres)
    end.record()
    end.synchronize()
    return begin.elapsed_time(end)


until = time.perf_counter() + 1
while time.perf_counter() < until:
    timed()
print(json.dumps({"step": sorted(timed() for _ in range(5))[2]}))
