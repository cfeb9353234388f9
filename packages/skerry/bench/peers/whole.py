"""Times the peers that Python has on inputs of the whole table: whole.py OPERATION SIDES CHANNELS FILE... prints for each file a line
[{ name, mode, milliseconds }]. `table` is what tells objects and their measurements, `labels` what gives an array, `resident` works on an
array of the device. A peer that is not there has a `reason` instead of a time. Its call is set up as its users would, and the median is
that of up to five warm calls within two seconds."""

import json
import sys
import time

# This folder has scripts of the names of packages.
sys.path.pop(0)

import numpy as np

operation, sides, channels = sys.argv[1:4]
shape = tuple(int(side) for side in sides.split("x"))
solid = len(shape) > 2
found = []


def timed(name, mode, call, sync=lambda: None):
    try:
        measured(name, mode, call, sync)
    except Exception as error:
        found.append({"name": name, "mode": mode, "reason": f"{type(error).__name__}: {str(error).splitlines()[0][:120]}"})


def measured(name, mode, call, sync):
    begin = time.perf_counter()
    call()
    sync()
    times = [(time.perf_counter() - begin) * 1000]
    while len(times) < 6 and sum(times) < 2000:
        begin = time.perf_counter()
        call()
        sync()
        times.append((time.perf_counter() - begin) * 1000)
    warm = sorted(times[1:] or times)
    found.append({"name": name, "mode": mode, "milliseconds": warm[len(warm) // 2]})


# Packages by the modules that they bring, and the operations that they have.
PACKAGES = {
    "cv2": ("OpenCV", "opencv-python-headless", "label, fill, distance, k-means, smoothing"),
    "cc3d": ("cc3d", "connected-components-3d", "label, by value"),
    "edt": ("edt", "edt", "distance"),
    "skimage": ("scikit-image", "scikit-image", "label, by value, fill"),
    "scipy": ("SciPy", "scipy", "label, distance, smoothing"),
    "tilewise_ccl": ("tilewise-ccl", "tilewise-ccl", "label"),
    "cupy": ("CuPy", "cupy", "label, distance, smoothing"),
    "bkeccl": ("bkeccl", "bkeccl", "label"),
    "colorcc": ("colorcc", "colorcc", "by value"),
    "flash_kmeans": ("flash-kmeans", "flash-kmeans", "k-means"),
}
names = {}


def module(name):
    title, package, operations = PACKAGES[name]
    if operation not in operations:
        return None
    try:
        made = __import__(name)
        if name in ("cupy", "bkeccl"):
            import cupy

            cupy.cuda.runtime.getDeviceCount()
        if name in ("colorcc", "flash_kmeans"):
            import torch

            if not torch.cuda.is_available():
                raise RuntimeError("no GPU for CUDA")
    except Exception as error:
        found.append({"name": title, "mode": "labels", "reason": f"{type(error).__name__}: {str(error).splitlines()[0][:120]}"})
        return None
    if hasattr(made, "__version__"):
        names[name] = f"{title} {made.__version__}"
    else:
        from importlib.metadata import version

        names[name] = f"{title} {version(package)}"
    return made


cv2, cc3d, edt, skimage, scipy, tilewise, cupy, bkeccl, colorcc, flash = (module(name) for name in PACKAGES)
if cupy:
    from cupyx.scipy import ndimage as gpu

    wait = cupy.cuda.Stream.null.synchronize
near = 26 if solid else 8
# The slow ones have no rows of the largest pictures.
small = np.prod(shape) <= 2048**2
missing = found

def run(data):
    if operation in ("label", "by value"):
        by_value = operation == "by value"
        if cv2 and not solid and not by_value:
            timed(names["cv2"], "table", lambda: cv2.connectedComponentsWithStats(data, connectivity=8))
            timed(names["cv2"], "labels", lambda: cv2.connectedComponents(data, connectivity=8))
        if cc3d:
            binary = {} if by_value else {"binary_image": True}
            label = lambda: cc3d.connected_components(data, connectivity=near, **binary)
            timed(names["cc3d"], "table", lambda: cc3d.statistics(label()))
            timed(names["cc3d"], "labels", label)
        if skimage and small:
            from skimage.measure import label as marked, regionprops_table

            image = data if by_value else data > 0
            timed(names["skimage"], "table", lambda: regionprops_table(marked(image, connectivity=image.ndim), properties=("label", "area", "bbox", "centroid")))
            timed(names["skimage"], "labels", lambda: marked(image, connectivity=image.ndim))
        if scipy and not by_value:
            from scipy import ndimage

            ones = np.ones((3,) * len(shape))
            timed(names["scipy"], "labels", lambda: ndimage.label(data, ones))
        if tilewise and not by_value:
            tiles = tuple(min(side, 128 if solid else 2048) for side in shape)
            joined = lambda: tilewise.label_array(data, tile_shape=tiles, connectivity=len(shape)).compute()
            timed(names["tilewise_ccl"], "labels", joined)
        if bkeccl and not by_value:
            there = cupy.asarray(data)
            dimensions = "3D" if solid else "2D"
            timed(names["bkeccl"], "resident", lambda: bkeccl.ccl(there, dimensionality=dimensions), wait)
            timed(names["bkeccl"], "labels", lambda: bkeccl.ccl(cupy.asarray(data), dimensionality=dimensions)[0].get())
        if colorcc and not solid:
            import torch

            same = torch.from_numpy(np.repeat(data[:, :, None], 3, 2)).cuda()
            timed(names["colorcc"], "resident", lambda: colorcc.label(same, conn=8), torch.cuda.synchronize)
        if cupy and not by_value:
            there = cupy.asarray(data)
            timed(names["cupy"], "resident", lambda: gpu.label(there, cupy.ones((3,) * len(shape))), wait)
            ones = cupy.ones((3,) * len(shape))
            label = lambda: gpu.label(cupy.asarray(data), ones)
            timed(names["cupy"] + ", areas", "table", lambda: cupy.bincount(label()[0].ravel()).get())
            timed(names["cupy"], "labels", lambda: label()[0].get())
    elif operation == "fill" and cv2 and data.any() and not solid:
        first = np.flatnonzero(data)[0]
        seed = (int(first % shape[1]), int(first // shape[1]))

        def fill():
            mask = np.zeros((shape[0] + 2, shape[1] + 2), np.uint8)
            cv2.floodFill(data, mask, seed, 0, 0, 0, 8 | cv2.FLOODFILL_MASK_ONLY | cv2.FLOODFILL_FIXED_RANGE)
            return mask

        timed(names["cv2"], "labels", fill)
        if skimage and small:
            from skimage.segmentation import flood

            timed(names["skimage"], "labels", lambda: flood(data, seed[::-1]))
    elif operation == "distance":
        inverse = data == 0
        if edt:
            timed(names["edt"], "labels", lambda: edt.edt(inverse, parallel=0))
        if scipy and small:
            from scipy import ndimage

            timed(names["scipy"], "labels", lambda: ndimage.distance_transform_edt(inverse))
        if cv2 and not solid:
            zeros = inverse.astype(np.uint8)
            timed(names["cv2"], "labels", lambda: cv2.distanceTransform(zeros, cv2.DIST_L2, cv2.DIST_MASK_PRECISE))
        if cupy:
            there = cupy.asarray(inverse)
            timed(names["cupy"], "resident", lambda: gpu.distance_transform_edt(there), wait)
            timed(names["cupy"], "labels", lambda: gpu.distance_transform_edt(cupy.asarray(inverse)).get())
    elif operation == "k-means":
        points = data.reshape(-1, 3)
        if cv2 and data.size <= 3 * 2**22:
            rule = (cv2.TERM_CRITERIA_MAX_ITER, 20, 0)
            floats = points.astype(np.float32)
            timed(names["cv2"], "labels", lambda: cv2.kmeans(floats, 16, None, rule, 1, cv2.KMEANS_PP_CENTERS))
        if flash:
            import torch

            if not flash.batch_kmeans_Euclid.__module__.endswith("triton_impl"):
                found.append({"name": "flash-kmeans", "mode": "resident", "reason": "its kernels do not load, and it would silently use PyTorch"})
            else:
                rows = torch.from_numpy(points).cuda().float()[None]
                timed(names["flash_kmeans"], "resident", lambda: flash.batch_kmeans_Euclid(rows, 16, max_iters=20, tol=-1.0), torch.cuda.synchronize)
    elif operation == "smoothing":
        if cv2 and not solid:
            timed(names["cv2"], "labels", lambda: cv2.GaussianBlur(data, (0, 0), 2, borderType=cv2.BORDER_REFLECT))
        if scipy and small:
            from scipy import ndimage

            timed(names["scipy"], "labels", lambda: ndimage.gaussian_filter(data, 2))
        if cupy:
            there = cupy.asarray(data)
            timed(names["cupy"], "resident", lambda: gpu.gaussian_filter(there, 2), wait)
            timed(names["cupy"], "labels", lambda: gpu.gaussian_filter(cupy.asarray(data), 2).get())


for path in sys.argv[4:]:
    found = list(missing)
    run(np.fromfile(path, np.uint8).reshape(shape + ((int(channels),) if int(channels) > 1 else ())))
    print(json.dumps(found), flush=True)
