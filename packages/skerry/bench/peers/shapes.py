# Shapes by scikit-image, SciPy and OpenCV: `shapes.py FILE picture NAME` writes a sample picture of scikit-image's, and
# `shapes.py FILE measure WIDTH HEIGHT` measures the labels in FILE.labels over the picture in FILE.picture.

import json
import sys
import time

import numpy as np

file, what = sys.argv[1:3]
if what == "picture":
    import skimage.data

    picture = getattr(skimage.data, sys.argv[3])()
    picture.astype(np.uint8).tofile(file + ".picture")
    print(json.dumps(dict(width=picture.shape[1], height=picture.shape[0])))
    sys.exit()

import cv2
import scipy
import skimage
from scipy import ndimage
from scipy.spatial import ConvexHull
from skimage.measure import regionprops

width, height = int(sys.argv[3]), int(sys.argv[4])
labels = np.fromfile(file + ".labels", np.uint32).reshape(height, width).astype(np.int32)
picture = np.fromfile(file + ".picture", np.uint8).reshape(height, width)

begin = time.perf_counter()
properties = {}
sources = {}


def add(name, source, value):
    number = [None if np.isnan(n) else float(n) for n in np.atleast_1d(value)]
    properties.setdefault(name, []).append(number)
    sources[name] = source


regions = regionprops(labels, picture)
for region in regions:
    c = region.moments_central
    for name, value in dict(
        area=region.area,
        centroid=region.centroid[::-1],
        secondMoments=[c[0, 2], c[1, 1], c[2, 0]],
        majorAxis=region.major_axis_length,
        minorAxis=region.minor_axis_length,
        orientation=region.orientation,
        eccentricity=region.eccentricity,
        extent=region.extent,
        equivalentDiameter=region.equivalent_diameter,
        perimeter=region.perimeter,
        crofton=region.perimeter_crofton,
        eulerNumber=region.euler_number,
        convexArea=region.convex_area,
        solidity=region.solidity,
        min=region.min_intensity,
        max=region.max_intensity,
        mean=region.mean_intensity,
        weightedCentroid=region.weighted_centroid[::-1],
    ).items():
        add(name, "scikit-image", value)
    y0, x0, y1, x1 = region.bbox
    add("bounds", "scikit-image", [x0, y0, x1, y1])
    ferets = [region.feret_diameter_max]
    hull_image = region.convex_image
    properties.setdefault("feretDiameter", []).append([float(ferets[0])])
milliseconds = 1000 * (time.perf_counter() - begin)

# Properties that scikit-image lacks, by other means.
background = np.pad(labels == 0, 1, constant_values=True)
distance = ndimage.distance_transform_edt(~background)[1:-1, 1:-1]
for i, region in enumerate(regions):
    ys, xs = region.coords.T
    own = np.pad(region.image, 1)
    edges = sum(np.count_nonzero(own & ~np.roll(own, step, axis)) for axis in (0, 1) for step in (1, -1))
    add("edges", "NumPy", edges)
    add("holes", "SciPy", ndimage.label(~own)[1] - 1)
    p = region.perimeter
    add("circularity", "scikit-image's area and perimeter", 4 * np.pi * region.area / p**2 if p else np.nan)
    values = picture[ys, xs].astype(float)
    add("std", "NumPy", values.std())
    add("median", "NumPy", np.median(values))
    add("quantiles", "NumPy", np.quantile(values, [0.25, 0.5, 0.75]))
    add("inscribed", "SciPy", distance[ys, xs].max())
    squares = np.concatenate([np.stack([xs + a, ys + b], 1) for a in (0, 1) for b in (0, 1)])
    corners = squares[ConvexHull(squares).vertices]
    properties.setdefault("convexHull", []).append(corners.tolist())
    _, sides, _ = cv2.minAreaRect(corners.astype(np.float32))
    add("minimumRectangle", "OpenCV, around pixels' corners", sides[0] * sides[1])
    ys, xs = np.nonzero(region.convex_image)
    middles = np.concatenate([np.stack([xs + a, ys + b], 1) for a, b in ((0.5, 0), (-0.5, 0), (0, 0.5), (0, -0.5))])
    hull = middles[ConvexHull(middles).vertices]
    along = np.roll(hull, -1, 0) - hull
    across = np.stack([-along[:, 1], along[:, 0]], 1) / np.linalg.norm(along, axis=1)[:, None]
    places = hull @ across.T
    properties["feretDiameter"][i].append(float((places.max(0) - places.min(0)).min()))
sources["convexHull"] = "SciPy, of pixels' corners"
sources["feretDiameter"] = "scikit-image; the smallest by SciPy's hull"
versions = f"scikit-image {skimage.__version__}, SciPy {scipy.__version__}, OpenCV {cv2.__version__}, NumPy {np.__version__}"
print(json.dumps(dict(properties=properties, sources=sources, versions=versions, milliseconds=milliseconds)))
