"""Times of calls from numpy to numpy beside SciPy, OpenCV, cc3d, edt and scikit-image, those of them that are installed.

    python python/bench/calls.py

Medians of warm calls, in milliseconds; copies and the Node process are included. A fresh process tells import and first call.
"""
from __future__ import annotations

import datetime
import importlib.metadata
import os
import platform
import subprocess
import sys
import time

import numpy as np

import skerry


def median(call, least=0.6, most=9):
    call()
    times = []
    while len(times) < most and (len(times) < 3 or sum(times) < least):
        begin = time.perf_counter()
        call()
        times.append(time.perf_counter() - begin)
    return sorted(times)[len(times) // 2] * 1000


def version(name):
    return f"{name} {importlib.metadata.version(name)}"


def blobs(shape, seed=1):
    """Smooth spots over about half of the picture."""
    from scipy.ndimage import zoom
    coarse = np.random.default_rng(seed).random([max(2, side // 16) for side in shape]).astype(np.float32)
    smooth = zoom(coarse, [side / small for side, small in zip(shape, coarse.shape)], order=1)
    return (smooth > 0.5).astype(np.uint8)


def rows():
    from scipy import ndimage
    for shape in [(64, 64), (512, 512), (4096, 4096), (256, 256, 256)]:
        image = blobs(shape)
        axes = len(shape)
        structure = np.ones([3] * axes)
        near = {2: 8, 3: 26}[axes]
        peers = {version("scipy"): lambda: ndimage.label(image, structure)}
        try:
            import cc3d
            peers[version("connected-components-3d")] = lambda: cc3d.connected_components(image, connectivity=near)
        except ImportError:
            pass
        yield f"label, {shape}", lambda: skerry.label(image, connectivity=near), peers
        if axes == 2:
            try:
                import cv2
                recipe = {"skerry": 1, "operation": "components", "options": {"threshold": "nonzero", "connectivity": 8},
                          "products": {"properties": ["area", "bounds", "centroid"]}}
                yield (f"labels and table in one call, {shape}",
                       lambda: skerry.run(recipe, image, ("labels", "regions")),
                       {f"OpenCV {cv2.__version__}, labels and statistics": lambda: cv2.connectedComponentsWithStats(image, connectivity=8)})
                yield (f"label and measure, {shape}",
                       lambda: skerry.regions(image, connectivity=8, properties=["area", "bounds", "centroid"]),
                       {f"OpenCV {cv2.__version__}, labels and statistics": lambda: cv2.connectedComponentsWithStats(image, connectivity=8)})
            except ImportError:
                pass
        if shape == (4096, 4096) or axes == 3:
            peers = {}
            try:
                import edt
                peers[version("edt")] = lambda: edt.edt(image, parallel=os.cpu_count())
            except ImportError:
                pass
            yield f"distances, {shape}", lambda: skerry.distance_transform(image, threshold={"between": [0, 0]}), peers
    spots = np.zeros((2000, 2000), np.uint8)
    spots[2::14, 2::14] = spots[3::14, 2::14] = spots[2::14, 3::14] = 1
    labels = ndimage.label(spots)[0]
    peers = {}
    try:
        from skimage.measure import regionprops_table
        wanted = ("label", "area", "bbox", "centroid")
        peers[version("scikit-image")] = lambda: regionprops_table(labels, properties=wanted)
    except ImportError:
        pass
    yield (f"regionprops_table of {labels.max()} objects",
           lambda: skerry.regionprops_table(labels, properties=["area", "bounds", "centroid"]), peers)


def main():
    print(f"{datetime.date.today()}, {os.cpu_count()} cores, {platform.machine()}, Python {platform.python_version()}, numpy {np.__version__}")
    script = "import time; t = time.perf_counter(); import numpy as np, skerry; skerry.label(np.eye(64)); print(time.perf_counter() - t)"
    first = sorted(float(subprocess.check_output([sys.executable, "-c", script])) for _ in range(3))[1]
    print(f"import and first call: {first * 1000:.0f} ms")
    small = blobs((512, 512))
    with skerry.Engine() as engine:
        skerry.label(np.eye(64), engine=engine)
        times = []
        for _ in range(251):
            begin = time.perf_counter()
            skerry.label(small, connectivity=8, engine=engine)
            times.append((time.perf_counter() - begin) * 1000)
    print(f"label, (512, 512): first call {times[0]:.1f}, the median of calls 50 to 250 {sorted(times[50:])[100]:.2f}")
    for name, own, peers in rows():
        took = median(own)
        others = []
        for peer, call in peers.items():
            other = median(call)
            others.append(f"{peer} {other:.2f} ({other / took:.1f}x)")
        print(f"{name}: {took:.2f}; {', '.join(others) or 'no peer is installed'}")


if __name__ == "__main__":
    main()
