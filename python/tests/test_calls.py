"""Calls beside SciPy, and beside plain numpy: values, orders of axes, kinds of arrays, and errors."""
from __future__ import annotations

import numpy as np
import pytest

import skerry

ndimage = pytest.importorskip("scipy.ndimage")

SHAPES = [(1, 1), (1, 70), (33, 1), (31, 65), (128, 200), (5, 9, 33), (1, 20, 31), (12, 1, 40)]


def noise(shape: tuple[int, ...], density: float, seed: int) -> np.ndarray:
    return np.random.default_rng(seed).random(shape) < density


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("wide", [False, True])
def test_label_is_scipys(shape: tuple[int, ...], wide: bool) -> None:
    image = noise(shape, 0.6, 1)
    axes = len(shape)
    structure = ndimage.generate_binary_structure(axes, axes if wide else 1)
    neighbours = {(2, False): 4, (2, True): 8, (3, False): 6, (3, True): 26}[axes, wide]
    labels = skerry.label(image, connectivity=neighbours)
    expected, count = ndimage.label(image, structure)
    np.testing.assert_array_equal(labels, expected)
    assert labels.count == count
    assert labels.dtype == np.uint32


@pytest.mark.parametrize("shape", [(31, 65), (5, 9, 33), (1, 30, 33)])
def test_places_are_in_the_order_of_numpy(shape: tuple[int, ...]) -> None:
    image = noise(shape, 0.2, 2)
    labels, count = ndimage.label(image)
    table = skerry.regionprops_table(labels)
    assert table["label"].tolist() == list(range(1, count + 1))
    for index, box in enumerate(ndimage.find_objects(labels)):
        for axis, side in enumerate(box):
            assert table[f"bbox-{axis}"][index] == side.start
            assert table[f"bbox-{axis + len(shape)}"][index] == side.stop
    centres = np.array(ndimage.center_of_mass(image, labels, range(1, count + 1)))
    for axis in range(len(shape)):
        np.testing.assert_allclose(table[f"centroid-{axis}"], centres[:, axis], rtol=1e-12)


@pytest.mark.parametrize("shape,sampling", [((40, 65), (1.0, 2.5)), ((7, 20, 33), (3.0, 1.0, 0.5)), ((20, 30), 2.0)])
def test_distances_are_scipys(shape: tuple[int, ...], sampling: float | tuple[float, ...]) -> None:
    image = noise(shape, 0.9, 3)
    found = skerry.distance_transform(image == 0, sampling=sampling)
    np.testing.assert_allclose(found, ndimage.distance_transform_edt(image, sampling=sampling), rtol=1e-6)
    assert found.dtype == np.float32


def test_a_seed_is_row_and_column() -> None:
    image = np.zeros((20, 40), np.uint8)
    image[3:6, 10:30] = 9
    mask = skerry.fill(image, seeds=[(4, 20)])
    np.testing.assert_array_equal(mask, image == 9)
    assert mask.dtype == bool
    with pytest.raises(ValueError, match="seeds"):
        skerry.fill(image, seeds=[(30, 4)])


def test_classes_and_their_centres() -> None:
    image = np.zeros((12, 33, 3), np.uint8)
    image[:, 20:] = (200, 100, 0)
    classes = skerry.kmeans(image, 2, channel_axis=-1)
    assert (classes[:, :20] == 0).all() and (classes[:, 20:] == 1).all()
    assert classes.centres.tolist() == [[0, 0, 0], [200, 100, 0]]
    moved = skerry.kmeans(np.moveaxis(image, -1, 0), 2, channel_axis=0)
    np.testing.assert_array_equal(moved, classes)


def test_masks_are_combined() -> None:
    first, second = noise((20, 70), 0.5, 4), noise((20, 70), 0.5, 5)
    np.testing.assert_array_equal(skerry.combine_masks(first, union=[second]), first | second)
    np.testing.assert_array_equal(skerry.combine_masks(first, intersection=[second]), first & second)


def test_images_beside_the_first() -> None:
    image, within = noise((20, 70), 0.7, 6), noise((20, 70), 0.8, 7)
    np.testing.assert_array_equal(skerry.label(image, within=within), ndimage.label(image & within)[0])
    labels, count = ndimage.label(image)
    values = np.random.default_rng(8).integers(0, 60000, image.shape).astype(np.uint16)
    means = skerry.regionprops_table(labels, intensity=values)["mean"]
    np.testing.assert_allclose(means, ndimage.mean(values, labels, range(1, count + 1)), rtol=1e-12)
    again = skerry.regionprops_table(labels, intensity_image=values)["mean"]
    np.testing.assert_array_equal(means, again)
    with pytest.raises(ValueError, match="both"):
        skerry.regionprops_table(labels, intensity=values, intensity_image=values)


@pytest.mark.parametrize("kind", ["?", "u1", "i1", "u2", "i2", "u4", "i4", "u8", "i8", "f2", "f4", "f8", ">u2", ">i4", ">f8"])
def test_kinds_of_arrays(kind: str) -> None:
    image = noise((30, 41), 0.5, 9)
    expected = ndimage.label(image)[0]
    given = image.astype(kind)
    frozen = given.copy()
    frozen.flags.writeable = False
    wide = np.zeros((60, 82), kind)
    wide[::2, ::2] = given
    for array in (given, frozen, np.asfortranarray(given), wide[::2, ::2], given[::-1, ::-1][::-1, ::-1]):
        np.testing.assert_array_equal(skerry.label(array), expected)


def test_values_that_do_not_fit() -> None:
    with pytest.raises(ValueError, match="fit 32 bits"):
        skerry.label(np.array([[2**40]]), threshold={"above": 3})
    with pytest.raises(ValueError, match="array of numbers"):
        skerry.label(np.zeros((3, 3), complex))
    with pytest.raises(ValueError, match="two or three axes"):
        skerry.label(np.zeros(5))


def test_errors_are_the_librarys() -> None:
    image = np.zeros((4, 4), np.uint8)
    with pytest.raises(ValueError, match="did you mean 8"):
        skerry.label(image, connectivity=2)
    with pytest.raises(ValueError, match="Expected min_area to be 0 or more, got -1"):
        skerry.label(image, min_area=-1)
    with pytest.raises(TypeError):
        skerry.label(image, treshold=3)
    with pytest.raises(ValueError, match="operation"):
        skerry.run({"skerry": 1, "operation": "nothing"}, image)


def test_nothing_is_a_table_of_no_rows() -> None:
    table = skerry.regions(np.zeros((4, 5), np.uint8))
    assert {len(column) for column in table.values()} == {0}
    assert "bbox-3" in table and "centroid-1" in table


def test_a_recipe_runs_again() -> None:
    image = np.random.default_rng(10).integers(0, 255, (40, 50)).astype(np.uint8)
    labels = skerry.label(image, threshold={"above": 128}, min_area=3, connectivity=8)
    again = skerry.run(labels.recipe, image)
    np.testing.assert_array_equal(again.labels, labels)
    assert len(again.table["area"]) == labels.count


@pytest.mark.parametrize("shape", [(30, 41), (6, 20, 33), (1, 20, 33)])
def test_places_of_the_nearest_pixels_are_scipys_distances(shape: tuple[int, ...]) -> None:
    image = noise(shape, 0.95, 11)
    found, places = skerry.distance_transform(image == 0, return_indices=True)
    assert places.shape == (len(shape), *shape) and places.dtype == np.int32
    assert not image[tuple(places)].any()
    steps = places - np.indices(shape)
    np.testing.assert_allclose(np.sqrt((steps.astype(float) ** 2).sum(axis=0)), found, rtol=1e-6)
    np.testing.assert_allclose(found, ndimage.distance_transform_edt(image), rtol=1e-6)


def test_nothing_is_nearest_to_nothing() -> None:
    found, places = skerry.distance_transform(np.zeros((3, 5), np.uint8), return_indices=True)
    assert np.isinf(found).all() and (places == -1).all()


def test_labels_keep_their_numbers() -> None:
    labels = np.zeros((30, 40), np.int64)
    labels[2:6, 2:6], labels[10:12, 10:12], labels[20:29, 20:30] = 70, 7, 2**40 + 5
    refined = skerry.refine_labels(labels, min_area=5)
    np.testing.assert_array_equal(refined, np.where(labels == 7, 0, labels))
    assert refined.dtype == np.int64
    grown = skerry.expand_labels(labels, distance=1)
    assert set(np.unique(grown)) == {0, 7, 70, 2**40 + 5}
    np.testing.assert_array_equal(grown[labels > 0], labels[labels > 0])
    assert grown[1, 2] == 70 and grown[1, 1] == 0 and grown[9, 10] == 7
    np.testing.assert_array_equal(skerry.expand_labels(labels), grown)
    small = skerry.expand_labels(labels % 100, expand=2)
    assert small.dtype == np.uint32 and small.count == 3
    table = skerry.regionprops_table(labels)
    assert table["value"].tolist() == [70, 7, 2**40 + 5] or sorted(table["value"]) == [7, 70, 2**40 + 5]
    assert dict(zip(table["value"].tolist(), table["area"].tolist())) == {70: 16, 7: 4, 2**40 + 5: 90}
    with pytest.raises(ValueError, match="both"):
        skerry.expand_labels(labels, expand=1, distance=1)
    with pytest.raises(ValueError, match="numbers of objects"):
        skerry.expand_labels(labels - 1)
    by_value = skerry.label(labels, by="value")
    assert by_value.count == 3


def test_labels_without_background() -> None:
    labels = np.full((4, 6), 2**35, np.uint64)
    labels[:, 3:] = 2**36
    table = skerry.regionprops_table(labels)
    assert sorted(table["value"].tolist()) == [2**35, 2**36]


def test_touching_objects_are_split() -> None:
    y, x = np.mgrid[:40, :70]
    image = ((y - 20) ** 2 + (x - 20) ** 2 < 200) | ((y - 20) ** 2 + (x - 44) ** 2 < 200)
    assert skerry.label(image).count == 1
    parts = skerry.split(image)
    assert parts.count == 2
    np.testing.assert_array_equal(parts > 0, image)
    np.testing.assert_array_equal(parts, skerry.label(image, split=1))


def test_outlines_are_rows_and_columns() -> None:
    image = np.zeros((10, 20), np.uint8)
    image[2:8, 3:15] = 1
    image[4:6, 5:7] = 0
    found = skerry.outlines(image)
    assert len(found) == 2 and found.hole.tolist() == [False, True] and found.label.tolist() == [1, 1]
    assert found.outer.tolist() == [0, 0]
    ring, hole = found.rings
    assert ring.min(axis=0).tolist() == [2, 3] and ring.max(axis=0).tolist() == [8, 15]
    assert hole.min(axis=0).tolist() == [4, 5] and hole.max(axis=0).tolist() == [6, 7]
    labels = np.where(image, 900, 0).astype(np.int64) << 33
    assert skerry.label_outlines(labels).label.tolist() == [900 << 33] * 2
    assert len(skerry.outlines(np.zeros((3, 4)))) == 0
    simpler = skerry.outlines(image, simplify=2.0)
    assert sum(len(each) for each in simpler.rings) <= sum(len(each) for each in found.rings)


def test_properties_by_scikit_images_names() -> None:
    labels = ndimage.label(noise((40, 50), 0.3, 12))[0]
    values = np.random.default_rng(13).random((40, 50)).astype(np.float32)
    table = skerry.regionprops_table(labels, intensity=values, properties=("label", "bbox", "intensity_mean", "centroid_weighted", "euler_number"))
    assert {"label", "bbox-0", "intensity_mean", "centroid_weighted-1", "euler_number"} <= set(table)
    assert "mean" not in table and "weighted_centroid-0" not in table
    np.testing.assert_allclose(table["intensity_mean"], ndimage.mean(values, labels, table["value"]), rtol=1e-12)


def test_numbers_of_properties_are_named() -> None:
    image = np.zeros((20, 50), np.uint8)
    image[3:7, 30:42] = 1
    table = skerry.regions(image, properties=["centroid", "minimum_rectangle", "inscribed", "euler_number"])
    assert (table["rectangle_x"][0], table["rectangle_y"][0]) == (36, 5)
    assert (table["inscribed_radius"][0], table["inscribed_y"][0]) == (2, 4)
    assert table["centroid-0"][0] == 4.5


def test_wrong_arguments_are_told_in_pythons_words() -> None:
    image = np.zeros((20, 30), np.uint8)
    image[4:9, 4:9] = 1
    volume = np.zeros((4, 5, 6), np.uint8)
    labels = image.astype(np.int32)
    for call, text in [
        (lambda: skerry.label(image, threshold=100), "such as {\"above\": 100}"),
        (lambda: skerry.label(image, threshold={"above": np.nan}), "finite"),
        (lambda: skerry.expand_labels(labels, np.inf), "finite"),
        (lambda: skerry.label(image, threshold={"between": np.array([1, np.nan])}), "finite"),
        (lambda: skerry.label(image, select={1}), "got a set"),
        (lambda: skerry.fill(image, seeds=[(25, 4)]), r"inside the shape \(20, 30\), got \(25, 4\)"),
        (lambda: skerry.fill(volume, seeds=(1, 2)), r"\(z, y, x\).*channel_axis"),
        (lambda: skerry.fill(np.zeros((1, 5, 5), np.uint8), seeds=[(4, 2, 3)]), "inside the shape"),
        (lambda: skerry.distance_transform(volume, sampling=(1, 2)), "each of 3 axes"),
        (lambda: skerry.label(np.ma.masked_array(image, image)), "without a mask"),
        (lambda: skerry.label(np.zeros((0, 4))), r"got the shape \(0, 4\)"),
        (lambda: skerry.label(image, channel_axis=5), "one of the 2 axes"),
        (lambda: skerry.label(image, engine="cpu"), "skerry.Engine"),
        (lambda: skerry.run("recipe.json", image), "as a dict"),
        (lambda: skerry.run({"skerry": 1, "operation": "components"}, image, wihtin=image), "got wihtin"),
        (lambda: skerry.regionprops_table(labels, properties=["intensity_mean"]), "Expected intensity"),
        (lambda: skerry.regionprops_table(labels, intensity=image, properties=["histogram"], bins=4), "histogram"),
        (lambda: skerry.regionprops_table(labels * 0.5), "whole numbers"),
        (lambda: skerry.label(labels * (2.0**24 + 1), by="value"), "float32 holds"),
        (lambda: skerry.refine_labels(labels.astype(np.int64) << 40, select="value > 3"), "fit 32 bits"),
    ]:
        with pytest.raises(ValueError, match=text):
            call()
    assert skerry.fill(image, seeds=(5, 5)).sum() == 25
    assert skerry.regionprops_table(labels, properties=["label"])["area"].tolist() == [25]
    assert skerry.regionprops_table(labels, properties=["axis_major_length"])["axis_major_length"][0] > 5
    assert len(skerry.regions(image, select="equivalent_diameter > 100")["label"]) == 0
    assert skerry.distance_transform(image, points=[(0, 5)])[0, 8] == 3
    np.testing.assert_array_equal(skerry.combine_masks(image, difference=image), np.zeros((20, 30), bool))
    colours = np.stack([image * 10, image * 20, image * 30], axis=-1)
    for axis, given in (None, colours), (-1, colours), (2, colours), (0, np.moveaxis(colours, -1, 0)):
        table = skerry.regionprops_table(labels, intensity=given, channel_axis=axis, per_channel=True, spacing=(1, 2))
        assert table["area"].tolist() == [25]
    found = skerry.label(np.array([[1e-50, 0], [0, 1e300]]), connectivity=4)
    assert found.tolist() == [[1, 0], [0, 2]]


def test_images_that_the_library_has_no_pixels_of() -> None:
    labels = noise((20, 30), 0.4, 15).astype(np.int64) << 50
    np.testing.assert_array_equal(skerry.label(labels), ndimage.label(labels)[0])
    five = np.stack([noise((20, 30), 0.4, seed) for seed in range(5)], axis=-1)
    np.testing.assert_array_equal(skerry.label(five, channel=3, channel_axis=-1), ndimage.label(five[..., 3])[0])
    np.testing.assert_array_equal(skerry.label(np.moveaxis(five, -1, 0), channel=4, channel_axis=0), ndimage.label(five[..., 4])[0])
    with pytest.raises(ValueError, match="number of one of 5"):
        skerry.label(five, channel_axis=-1)

    class Tensor:
        def __dlpack__(self, **options: object) -> object:
            return five[..., 0].copy().__dlpack__(**options)

        def __dlpack_device__(self) -> tuple[int, int]:
            return (1, 0)

    np.testing.assert_array_equal(skerry.label(Tensor()), ndimage.label(five[..., 0])[0])


def test_results_are_ordinary_arrays() -> None:
    import copy
    import pickle

    labels = skerry.label(noise((20, 30), 0.4, 14))
    assert isinstance(labels.max(), np.integer) and {labels.max(): 1} and not isinstance(labels + 1, skerry.Array)
    for other in (copy.deepcopy(labels), pickle.loads(pickle.dumps(labels)), labels.copy()):
        assert other.count == labels.count and other.recipe == labels.recipe
    assert labels[:3].count is None
    assert "labels" in repr(skerry.run(labels.recipe, labels > 0)) and "Lab" in dir(skerry)
