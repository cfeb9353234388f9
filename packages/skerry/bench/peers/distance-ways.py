"""Three other ways to an exact distance map, for docs/tour.md: scatter, a tree of the surface's points, and a triangulation of them.
The surface is that of an ellipsoid in 188 x 256 x 190 voxels. distance-ways.py prints one line for each; needs NumPy and SciPy."""

import sys
import time

sys.path.pop(0)

import numpy as np
from scipy import ndimage, spatial

shape = (190, 256, 188)
grid = np.indices(shape, dtype=np.float32)
inside = sum(((g - n / 2) / (n * 0.42)) ** 2 for g, n in zip(grid, shape)) <= 1
surface = inside & ~ndimage.binary_erosion(inside, border_value=1)
points = np.argwhere(surface)
print(f"{len(points)} surface voxels of {inside.size}")


def clock(name, call):
    begin = time.perf_counter()
    found = call()
    print(f"{name}: {time.perf_counter() - begin:.2f} s")
    return found


exact = clock("SciPy's exact map", lambda: ndimage.distance_transform_edt(~surface))


def scatter(reach):
    near = np.full(tuple(n + 2 * reach for n in shape), np.inf, np.float32)
    axis = np.arange(-reach, reach + 1, dtype=np.float32) ** 2
    ball = axis[:, None, None] + axis[None, :, None] + axis[None, None, :]
    side = 2 * reach + 1
    for z, y, x in points:
        box = near[z : z + side, y : y + side, x : x + side]
        np.minimum(box, ball, out=box)
    return near


clock("scatter, exact to 10", lambda: scatter(10))
tree = clock("a k-d tree of the points", lambda: spatial.cKDTree(points))
voxels = np.argwhere(np.ones(shape, bool))
found = clock("its query for every voxel, on all cores", lambda: tree.query(voxels, workers=-1)[0])
assert np.allclose(found.reshape(shape), exact)
clock("Delaunay triangulation of 20 000 of the points", lambda: spatial.Delaunay(points[:: max(1, len(points) // 20000)] + np.random.default_rng(1).random((len(points[:: max(1, len(points) // 20000)]), 3)) * 1e-3))
