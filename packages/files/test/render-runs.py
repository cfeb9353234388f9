# Masks by the converters of COCO and Label Studio, for runs.test.ts: python3 render-runs.py > support/runs.json
# Needs numpy, pycocotools and label-studio-sdk; made by 2.0.11 and 2.1.2.
import json
import numpy as np
from label_studio_sdk.converter import brush
from pycocotools import mask as coco

random = np.random.default_rng(20261126)
cases = []
for height, width, part in ((1, 1, 1), (3, 4, 0.5), (7, 33, 0.9), (40, 31, 0.1), (25, 64, 0.5)):
    mask = (random.random((height, width)) < part).astype("u1")
    packed = coco.encode(np.asfortranarray(mask))["counts"].decode()
    cases.append({
        "size": [height, width],
        "rows": ["".join(map(str, row)) for row in mask],
        "counts": packed,
        "brush": brush.mask2rle((mask * 255).astype("u1")),
    })
print(json.dumps(cases))
