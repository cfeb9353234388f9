# scikit-image's pipelines for objects-truth.mjs. argv: file, width, height, depth, split or nuclei; labels go beside the file.
import json
import sys

import numpy as np
from scipy import ndimage
from skimage.filters import gaussian, threshold_otsu
from skimage.morphology import h_maxima, remove_small_objects
from skimage.segmentation import watershed

width, height, depth = map(int, sys.argv[2:5])
image = np.fromfile(sys.argv[1], np.uint8).reshape(depth, height, width)
if depth == 1:
    image = image[0]


def split(mask, h):
    distance = ndimage.distance_transform_edt(mask)
    every = np.ones((3,) * mask.ndim)
    markers = ndimage.label(h_maxima(distance, h), every)[0]
    return watershed(-distance, markers, mask=mask, connectivity=every)


if sys.argv[5] == "split":
    labels = split(image > 0, 1)
else:
    soft = gaussian(image.astype(float), 1.5, mode="nearest", preserve_range=True)
    even = soft - ndimage.uniform_filter(soft, 121, mode="reflect")
    mask = ndimage.binary_fill_holes(even > threshold_otsu(even))
    labels = remove_small_objects(split(mask, 0.75), 40)
path = sys.argv[1] + ".labels"
labels.astype(np.uint32).tofile(path)
print(json.dumps({"file": path}))
