"""Times the peers that Python has on one array: calls.py KIND FILE.npy prints [{ name, milliseconds }]. A peer that is not installed is
left out; its call is set up as its users would. Medians of five warm calls, arrays in and results out."""

import json
import sys
import time

# This folder has scripts of the names of packages.
sys.path.pop(0)

import numpy as np

kind, path = sys.argv[1:]
data = np.load(path)
rounds = 5
found = []


def timed(name, call):
    call()
    times = []
    for _ in range(rounds):
        begin = time.perf_counter()
        call()
        times.append((time.perf_counter() - begin) * 1000)
    found.append({"name": name, "milliseconds": sorted(times)[rounds // 2]})


def module(name):
    try:
        return __import__(name)
    except Exception:
        return None


cv2, cc3d, edt, scipy, cupy = (module(name) for name in ("cv2", "cc3d", "edt", "scipy", "cupy"))
if scipy:
    from scipy import ndimage
try:
    if cupy:
        cupy.cuda.runtime.getDeviceCount()
except Exception as error:
    print(f"not run: CuPy: {error}", file=sys.stderr)
    cupy = None
version = lambda of: getattr(of, "__version__", "")
if cc3d:
    from importlib.metadata import version as installed

    cc3d_name = "cc3d " + installed("connected-components-3d")
square = np.ones((3, 3))
if kind == "measure":
    if cv2:
        timed(f"OpenCV {version(cv2)}", lambda: cv2.connectedComponentsWithStats(data, connectivity=8))
    if cc3d:

        def measure():
            labels = cc3d.connected_components(data, connectivity=8)
            return cc3d.statistics(labels)

        timed(cc3d_name, measure)
    if scipy and data.size <= 2**22:

        def slow():
            labels, n = ndimage.label(data, square)
            index = np.arange(1, n + 1)
            return ndimage.find_objects(labels), np.bincount(labels.ravel()), ndimage.center_of_mass(data, labels, index)

        timed(f"SciPy {version(scipy)}", slow)
    if cupy:
        from cupyx.scipy import ndimage as gpu

        def on_gpu():
            labels, n = gpu.label(cupy.asarray(data), cupy.ones((3, 3)))
            areas = cupy.bincount(labels.ravel(), minlength=n + 1)
            return areas.get()

        timed(f"CuPy {version(cupy)} (labels and areas)", on_gpu)
elif kind == "labels":
    if cv2:
        timed(f"OpenCV {version(cv2)}", lambda: cv2.connectedComponents(data, connectivity=8))
    if cc3d:
        timed(cc3d_name, lambda: cc3d.connected_components(data, connectivity=8))
    if cupy:
        from cupyx.scipy import ndimage as gpu

        timed(f"CuPy {version(cupy)}", lambda: gpu.label(cupy.asarray(data), cupy.ones((3, 3)))[0].get())
elif kind == "value":
    if cc3d:
        timed(cc3d_name, lambda: cc3d.connected_components(data, connectivity=8))
    skimage = module("skimage.measure")
    if skimage:
        from skimage import __version__, measure as skm

        timed(f"scikit-image {__version__}", lambda: skm.label(data, connectivity=2, background=0))
elif kind == "volume":
    if cc3d:

        def measure():
            labels = cc3d.connected_components(data, connectivity=26)
            return cc3d.statistics(labels)

        timed(cc3d_name, measure)
    if scipy:
        timed(f"SciPy {version(scipy)} (labels alone)", lambda: ndimage.label(data, np.ones((3, 3, 3))))
    if cupy:
        from cupyx.scipy import ndimage as gpu

        def on_gpu():
            labels, n = gpu.label(cupy.asarray(data), cupy.ones((3, 3, 3)))
            return cupy.bincount(labels.ravel(), minlength=n + 1).get()

        timed(f"CuPy {version(cupy)} (labels and areas)", on_gpu)
elif kind == "fill":
    if cv2:

        def fill():
            mask = np.zeros((data.shape[0] + 2, data.shape[1] + 2), np.uint8)
            cv2.floodFill(data, mask, (0, 0), 0, (9,) * 3, (9,) * 3, 4 | cv2.FLOODFILL_MASK_ONLY | cv2.FLOODFILL_FIXED_RANGE)
            return mask

        timed(f"OpenCV {version(cv2)}", fill)
    from importlib.util import find_spec

    if find_spec("skimage"):
        from skimage import __version__, segmentation

        grey = np.ascontiguousarray(data[..., 0])
        timed(f"scikit-image {__version__} (one channel)", lambda: segmentation.flood(grey, (0, 0), tolerance=9))
elif kind == "distance":
    inverse = data == 0
    if edt:
        from importlib.metadata import version as installed

        timed(f"edt {installed('edt')}", lambda: edt.edt(inverse, parallel=0))
    if scipy:
        timed(f"SciPy {version(scipy)}", lambda: ndimage.distance_transform_edt(inverse))
    if cupy:
        from cupyx.scipy import ndimage as gpu

        timed(f"CuPy {version(cupy)}", lambda: gpu.distance_transform_edt(cupy.asarray(inverse)).get())
elif kind == "colours":
    if cv2:
        points = data.reshape(-1, 3).astype(np.float32)
        rule = (cv2.TERM_CRITERIA_MAX_ITER, 20, 0)
        timed(f"OpenCV {version(cv2)}", lambda: cv2.kmeans(points, 16, None, rule, 1, cv2.KMEANS_PP_CENTERS))
elif kind == "smooth":
    if cv2:
        timed(f"OpenCV {version(cv2)}", lambda: cv2.GaussianBlur(data, (0, 0), 2, borderType=cv2.BORDER_REFLECT))
    if scipy:
        timed(f"SciPy {version(scipy)}", lambda: ndimage.gaussian_filter(data, 2))
    if cupy:
        from cupyx.scipy import ndimage as gpu

        timed(f"CuPy {version(cupy)}", lambda: gpu.gaussian_filter(cupy.asarray(data), 2).get())
print(json.dumps(found))
