# One operation as users of OpenCV, SciPy and scikit-image call it. argv: file, size, library, operation, value, and for
# volumes the size again, or "u16" for the same values times 257.
import json
import sys
import time

import numpy as np

size = int(sys.argv[2])
library, operation, value = sys.argv[3], sys.argv[4], float(sys.argv[5])
last = sys.argv[6] if len(sys.argv) > 6 else ""
shape = (size,) * (3 if last.isdigit() else 2)
image = np.fromfile(sys.argv[1], np.uint8).reshape(shape)
if last == "u16":
    image = image.astype(np.uint16) * 257
r = int(value)


def opencv():
    import cv2

    if operation == "contours":
        labels = cv2.connectedComponents(image, connectivity=8)[1]
        return lambda: cv2.findContours(labels, cv2.RETR_CCOMP, cv2.CHAIN_APPROX_SIMPLE)
    if operation == "sobel":
        return lambda: cv2.magnitude(cv2.Sobel(image, cv2.CV_32F, 1, 0), cv2.Sobel(image, cv2.CV_32F, 0, 1))
    if operation == "gaussian":
        n = 2 * int(4 * value + 0.5) + 1
        return lambda: cv2.GaussianBlur(image, (n, n), value, borderType=cv2.BORDER_REFLECT)
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * r + 1, 2 * r + 1))
    if operation == "dilate":
        return lambda: cv2.dilate(image, kernel)
    return lambda: cv2.morphologyEx(image, cv2.MORPH_CLOSE, kernel)


def scipy():
    from scipy import ndimage

    if operation == "sobel":
        return lambda: np.hypot(ndimage.sobel(image.astype(np.float32), 0), ndimage.sobel(image.astype(np.float32), 1))
    if operation == "gaussian":
        return lambda: ndimage.gaussian_filter(image, value, mode="reflect")

    # By a distance map: binary_dilation with a disc takes minutes.
    def grow(mask):
        return ndimage.distance_transform_edt(~mask) <= value

    if operation == "dilate":
        return lambda: grow(image > 0)
    return lambda: ~grow(~grow(image > 0))


def skimage():
    from scipy import ndimage
    from skimage.filters import threshold_sauvola
    from skimage.morphology import h_maxima
    from skimage.segmentation import watershed

    if operation == "sauvola":
        return lambda: image > threshold_sauvola(image, 2 * r + 1, k=0.2, r=128)

    def split():
        mask = image > 0
        distance = ndimage.distance_transform_edt(mask)
        markers = ndimage.label(h_maxima(distance, value))[0]
        return watershed(-distance, markers, mask=mask)

    return split


work = {"opencv": opencv, "scipy": scipy, "skimage": skimage}[library]()
times = []
for _ in range(3):
    begin = time.perf_counter()
    work()
    times.append((time.perf_counter() - begin) * 1e3)
    if times[-1] > 20_000:
        break
print(json.dumps({"median": sorted(times)[len(times) // 2]}))
