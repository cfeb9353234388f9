"""Each row of "coming from" in docs/python.md: both sides, on the libraries that are installed here. Numbers are equal unless a row says otherwise."""
from __future__ import annotations

import numpy as np
import pytest

import skerry

RANDOM = np.random.default_rng(20)
MASK = RANDOM.random((70, 90)) < 0.5
VOLUME = RANDOM.random((12, 30, 33)) < 0.3
CLASSES = RANDOM.integers(0, 3, (60, 80)).astype(np.uint8)
GREY = np.clip(RANDOM.normal(100, 25, (70, 90)) + 60 * np.sin(np.arange(90) / 9), 0, 255).astype(np.uint8)


def renumbered(labels: np.ndarray) -> np.ndarray:
    """Labels by the first pixel of each object, since libraries number in different orders."""
    _, first, inverse = np.unique(labels, return_index=True, return_inverse=True)
    order = np.argsort(first[1:] if labels.min() == 0 else first)
    ranks = np.empty(len(first), np.int64)
    start = 1 if labels.min() == 0 else 0
    ranks[:start] = 0
    ranks[start:][order] = np.arange(1, len(order) + 1)
    return ranks[inverse].reshape(labels.shape)


class TestSkimage:
    @pytest.fixture(autouse=True)
    def library(self) -> None:
        self.skimage = pytest.importorskip("skimage")

    def test_label(self) -> None:
        from skimage.measure import label
        np.testing.assert_array_equal(skerry.label(MASK, connectivity=8), label(MASK))
        np.testing.assert_array_equal(skerry.label(MASK), label(MASK, connectivity=1))
        np.testing.assert_array_equal(skerry.label(VOLUME, connectivity=26), label(VOLUME))
        np.testing.assert_array_equal(skerry.label(CLASSES, by="value", connectivity=8), label(CLASSES))

    def test_regionprops_table(self) -> None:
        from skimage.measure import label, regionprops_table
        labels = label(MASK)
        wanted = ("label", "area", "bbox", "centroid", "intensity_mean", "intensity_max", "equivalent_diameter_area", "euler_number")
        theirs = regionprops_table(labels, GREY, properties=wanted)
        own = skerry.regionprops_table(
            labels, intensity_image=GREY,
            properties=("label", "area", "bbox", "centroid", "intensity_mean", "intensity_max", "equivalent_diameter", "euler_number"))
        by_label = np.argsort(own["value"])
        for name, values in theirs.items():
            column = own[{"label": "value", "equivalent_diameter_area": "equivalent_diameter"}.get(name, name)][by_label]
            if name == "euler_number":
                # scikit-image counts neighbours of 8; here it is the connectivity's.
                column = skerry.regionprops_table(labels, connectivity=8, properties=["euler_number"])["euler_number"][by_label]
            np.testing.assert_allclose(column, values, rtol=1e-9, err_msg=name)

    def test_objects_are_kept(self) -> None:
        from skimage.measure import label
        from skimage.morphology import remove_small_objects
        from skimage.segmentation import clear_border
        labels = label(MASK, connectivity=1)
        np.testing.assert_array_equal(skerry.refine_labels(labels, min_area=6), remove_small_objects(labels, max_size=5))
        np.testing.assert_array_equal(skerry.refine_labels(labels, clear_border=True), clear_border(labels))

    def test_expand_labels(self) -> None:
        from skimage.segmentation import expand_labels
        labels = np.zeros((60, 60), np.int32)
        labels[10:20, 10:20], labels[33:41, 30:50] = 5, 3
        np.testing.assert_array_equal(skerry.expand_labels(labels, distance=4), expand_labels(labels, distance=4))

    def test_flood(self) -> None:
        from skimage.segmentation import flood
        for seed in [(3, 4), (40, 60)]:
            np.testing.assert_array_equal(
                skerry.fill(GREY, seeds=[seed], tolerance=30, connectivity=8), flood(GREY, seed, tolerance=30))

    def test_threshold_otsu(self) -> None:
        from skimage.filters import threshold_otsu
        from skimage.measure import label
        own = skerry.label(GREY, threshold="otsu", polarity="bright", connectivity=8)
        np.testing.assert_array_equal(own, label(GREY > threshold_otsu(GREY)))


class TestScipy:
    @pytest.fixture(autouse=True)
    def library(self) -> None:
        self.ndimage = pytest.importorskip("scipy.ndimage")

    def test_label(self) -> None:
        np.testing.assert_array_equal(skerry.label(MASK), self.ndimage.label(MASK)[0])
        np.testing.assert_array_equal(skerry.label(VOLUME, connectivity=26), self.ndimage.label(VOLUME, np.ones((3, 3, 3)))[0])

    def test_distance_transform_edt(self) -> None:
        theirs, places = self.ndimage.distance_transform_edt(VOLUME, sampling=(3, 1, 0.5), return_indices=True)
        own, own_places = skerry.distance_transform(VOLUME == 0, sampling=(3, 1, 0.5), return_indices=True)
        np.testing.assert_allclose(own, theirs, rtol=1e-6)
        # Among equally near pixels another one may be named.
        sides = np.array([3, 1, 0.5]).reshape(3, 1, 1, 1)
        far = [np.sqrt((((each - np.indices(VOLUME.shape)) * sides) ** 2).sum(axis=0)) for each in (places, own_places)]
        np.testing.assert_allclose(far[0], far[1], rtol=1e-6)

    def test_binary_fill_holes(self) -> None:
        np.testing.assert_array_equal(skerry.label(MASK, connectivity=8, fill_holes=True) > 0, self.ndimage.binary_fill_holes(MASK))

    def test_binary_dilation_by_a_ball(self) -> None:
        y, x = np.mgrid[-3:4, -3:4]
        ball = y**2 + x**2 <= 9
        sparse = RANDOM.random((50, 60)) < 0.02
        np.testing.assert_array_equal(skerry.combine_masks(sparse, dilate=3), self.ndimage.binary_dilation(sparse, ball))

    def test_find_objects(self) -> None:
        labels = self.ndimage.label(MASK)[0]
        table = skerry.regionprops_table(labels, properties=["bbox"])
        boxes = self.ndimage.find_objects(labels)
        assert [each[0].start for each in boxes] == table["bbox-0"].tolist()
        assert [each[1].stop for each in boxes] == table["bbox-3"].tolist()


class TestCc3d:
    @pytest.fixture(autouse=True)
    def library(self) -> None:
        self.cc3d = pytest.importorskip("cc3d")

    def test_connected_components(self) -> None:
        classes = RANDOM.integers(0, 3, (10, 30, 33)).astype(np.uint8)
        for near in (6, 18, 26):
            own = skerry.label(classes, by="value", connectivity=near)
            np.testing.assert_array_equal(own, renumbered(self.cc3d.connected_components(classes, connectivity=near)))

    def test_dust_and_largest_k(self) -> None:
        own = skerry.label(VOLUME, connectivity=26, min_area=10) > 0
        np.testing.assert_array_equal(own, self.cc3d.dust(VOLUME.astype(np.uint8), threshold=10, connectivity=26) > 0)
        sizes = np.sort(skerry.regions(VOLUME, connectivity=6)["area"])[::-1]
        k = next(k for k in range(2, len(sizes)) if sizes[k - 1] > sizes[k])
        own = skerry.label(VOLUME, connectivity=6, largest=k) > 0
        np.testing.assert_array_equal(own, self.cc3d.largest_k(VOLUME.astype(np.uint8), k=k, connectivity=6) > 0)

    def test_statistics(self) -> None:
        labels = skerry.label(VOLUME, connectivity=6)
        theirs = self.cc3d.statistics(np.asarray(labels))
        own = skerry.regionprops_table(labels, properties=["area", "centroid"])
        np.testing.assert_array_equal(own["area"], theirs["voxel_counts"][1:])
        np.testing.assert_allclose(own["centroid-2"], theirs["centroids"][1:, 2], rtol=1e-5)


class TestEdt:
    @pytest.fixture(autouse=True)
    def library(self) -> None:
        self.edt = pytest.importorskip("edt")

    def test_edt(self) -> None:
        own = skerry.distance_transform(VOLUME == 0, spacing=(3, 1, 0.5))
        np.testing.assert_allclose(own, self.edt.edt(VOLUME.astype(np.uint8), anisotropy=(3, 1, 0.5)), rtol=1e-5)
        squares = skerry.distance_transform(VOLUME == 0, squared=True)
        np.testing.assert_array_equal(squares, self.edt.edtsq(VOLUME.astype(np.uint8)))


class TestOpenCv:
    @pytest.fixture(autouse=True)
    def library(self) -> None:
        self.cv2 = pytest.importorskip("cv2")

    def test_connected_components_with_stats(self) -> None:
        count, labels, stats, centroids = self.cv2.connectedComponentsWithStats(MASK.astype(np.uint8), connectivity=8)
        own = skerry.label(MASK, connectivity=8)
        assert count - 1 == own.count
        np.testing.assert_array_equal(own, renumbered(labels))
        table = skerry.regions(MASK, connectivity=8, properties=["area", "bbox", "centroid"])
        order = np.argsort([np.flatnonzero(labels.ravel() == label)[0] for label in range(1, count)])
        np.testing.assert_array_equal(table["area"], stats[1:, 4][order])
        np.testing.assert_array_equal(table["bbox-1"], stats[1:, 0][order])
        np.testing.assert_allclose(table["centroid-1"], centroids[1:, 0][order], rtol=1e-12)

    def test_distance_transform(self) -> None:
        theirs = self.cv2.distanceTransform(MASK.astype(np.uint8), self.cv2.DIST_L2, self.cv2.DIST_MASK_PRECISE)
        np.testing.assert_allclose(skerry.distance_transform(MASK == 0), theirs, rtol=1e-5)

    def test_flood_fill(self) -> None:
        mask = np.zeros((72, 92), np.uint8)
        flags = 4 | self.cv2.FLOODFILL_FIXED_RANGE | self.cv2.FLOODFILL_MASK_ONLY
        self.cv2.floodFill(GREY.copy(), mask, (60, 40), 0, 30, 30, flags)
        own = skerry.fill(GREY, seeds=[(40, 60)], tolerance=30, connectivity=4)
        np.testing.assert_array_equal(own, mask[1:-1, 1:-1] > 0)

    def test_threshold_otsu(self) -> None:
        _, binary = self.cv2.threshold(GREY, 0, 255, self.cv2.THRESH_BINARY + self.cv2.THRESH_OTSU)
        np.testing.assert_array_equal(skerry.label(GREY, threshold="otsu", polarity="bright") > 0, binary > 0)
