"""Times the peers that Python has on one input of the whole table: whole.py OPERATION SIDES CHANNELS FILE prints
[{ name, mode, milliseconds }]. `table` is what tells objects and their measurements, `labels` what gives an array. A peer that is not
installed is left out, its call is set up as its users would, and the median is that of up to five warm calls within four seconds."""

import json
import sys
import time

# This folder has scripts of the names of packages.
sys.path.pop(0)

import numpy as np

operation, sides, channels, path = sys.argv[1:]
shape = tuple(int(side) for side in sides.split("x"))
data = np.fromfile(path, np.uint8).reshape(shape + ((int(channels),) if int(channels) > 1 else ()))
solid = len(shape) > 2
found = []


def timed(name, mode, call):
    begin = time.perf_counter()
    call()
    times = [(time.perf_counter() - begin) * 1000]
    while len(times) < 6 and sum(times) < 4000:
        begin = time.perf_counter()
        call()
        times.append((time.perf_counter() - begin) * 1000)
    warm = sorted(times[1:] or times)
    found.append({"name": name, "mode": mode, "milliseconds": warm[len(warm) // 2]})


def module(name):
    try:
        return __import__(name)
    except Exception:
        return None


cv2, cc3d, edt, cupy = (module(name) for name in ("cv2", "cc3d", "edt", "cupy"))
names = {}
if cv2:
    names["cv2"] = f"OpenCV {cv2.__version__}"
if cc3d or edt:
    from importlib.metadata import version

    names |= {"cc3d": "cc3d " + version("connected-components-3d")} if cc3d else {}
    names |= {"edt": "edt " + version("edt")} if edt else {}
if cupy:
    names["cupy"] = f"CuPy {cupy.__version__}"
    from cupyx.scipy import ndimage as gpu
near = 26 if solid else 8

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
    if cupy and not by_value:
        ones = cupy.ones((3,) * len(shape))
        label = lambda: gpu.label(cupy.asarray(data), ones)
        timed(names["cupy"] + ", areas", "table", lambda: cupy.bincount(label()[0].ravel()).get())
        timed(names["cupy"], "labels", lambda: label()[0].get())
elif operation == "fill" and cv2 and not solid:
    first = np.flatnonzero(data)[0]
    seed = (int(first % shape[1]), int(first // shape[1]))

    def fill():
        mask = np.zeros((shape[0] + 2, shape[1] + 2), np.uint8)
        cv2.floodFill(data, mask, seed, 0, 0, 0, 8 | cv2.FLOODFILL_MASK_ONLY | cv2.FLOODFILL_FIXED_RANGE)
        return mask

    timed(names["cv2"], "labels", fill)
elif operation == "distance":
    inverse = data == 0
    if edt:
        timed(names["edt"], "labels", lambda: edt.edt(inverse, parallel=0))
    if cupy:
        timed(names["cupy"], "labels", lambda: gpu.distance_transform_edt(cupy.asarray(inverse)).get())
elif operation == "k-means" and cv2 and data.size <= 3 * 2**22:
    points = data.reshape(-1, 3).astype(np.float32)
    rule = (cv2.TERM_CRITERIA_MAX_ITER, 20, 0)
    timed(names["cv2"], "labels", lambda: cv2.kmeans(points, 16, None, rule, 1, cv2.KMEANS_PP_CENTERS))
elif operation == "smoothing":
    if cv2 and not solid:
        timed(names["cv2"], "labels", lambda: cv2.GaussianBlur(data, (17, 17), 2, borderType=cv2.BORDER_REFLECT))
    if cupy:
        timed(names["cupy"], "labels", lambda: gpu.gaussian_filter(cupy.asarray(data), 2).get())
print(json.dumps(found))
