"""Random calls of every function, equal to the library's in Node bit for bit; cases.mjs draws and computes them."""
from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import skerry

FOLDER = os.environ.get("SKERRY_CASES", "")
pytestmark = pytest.mark.skipif(not FOLDER, reason="SKERRY_CASES names no folder that cases.mjs wrote")

NAMES = [
    "label", "split", "regions", "regionprops_table", "refine_labels", "expand_labels", "outlines", "label_outlines", "fill",
    "distance_transform", "kmeans", "combine_masks",
]


@pytest.fixture(scope="module")
def cases() -> dict[str, list[dict[str, Any]]]:
    data = np.memmap(Path(FOLDER) / "data.bin", np.uint8, "r")

    def array(record: dict[str, Any]) -> np.ndarray:
        kind, shape = np.dtype(record["type"]), tuple(record["shape"])
        size = int(np.prod(shape, dtype=np.int64)) * kind.itemsize
        return np.asarray(data[record["offset"]:record["offset"] + size]).view(kind).reshape(shape)

    found: dict[str, list[dict[str, Any]]] = {}
    for case in json.loads((Path(FOLDER) / "cases.json").read_text()):
        case["image"] = array(case["image"])
        case["images"] = {name: array(each) for name, each in case["images"].items()}
        case["lists"] = {name: [array(each) for each in several] for name, several in case["lists"].items()}
        case["expected"] = {name: array(each) for name, each in case["expected"].items()}
        found.setdefault(case["name"], []).append(case)
    return found


def same(found: Any, expected: np.ndarray, what: str) -> None:
    """Equal bit for bit; NaN is NaN."""
    found = np.asarray(found)
    assert found.dtype == expected.dtype, what
    np.testing.assert_array_equal(found, expected, err_msg=what)


def unpacked(words: np.ndarray, width: int) -> np.ndarray:
    return np.unpackbits(words.view(np.uint8), axis=-1, count=width, bitorder="little").astype(bool)


@pytest.mark.parametrize("name", NAMES)
def test_calls_are_the_librarys(cases: dict[str, list[dict[str, Any]]], name: str) -> None:
    assert len(cases[name]) > 0
    objects = 0
    with skerry.Engine(threads=1, device="cpu") as engine:
        for index, case in enumerate(cases[name]):
            options = {**case["options"], **case["images"], **case["lists"]}
            if "channels" in case:
                options["channel_axis"] = -1
            found = getattr(skerry, name)(case["image"], engine=engine, **options)
            expected = case["expected"]
            what = f"{name} {index}: {case['options']}"
            if name in ("label", "split"):
                same(found, expected["labels"], what)
                assert found.count == case["count"], what
                objects += found.count
            elif name in ("regions", "regionprops_table"):
                assert len(found["label"]) == case["count"], what
                for column, values in expected.items():
                    same(found[column], values, f"{what}, {column}")
                objects += case["count"]
            elif name in ("refine_labels", "expand_labels"):
                np.testing.assert_array_equal(found, expected["values"], err_msg=what)
                objects += len(np.unique(found)) - 1
            elif name in ("outlines", "label_outlines"):
                points = np.concatenate([np.empty((0, 2), np.int32), *found.rings])
                same(points, expected["points"], what)
                assert np.cumsum([0, *(len(ring) for ring in found.rings)]).tolist() == expected["ends"].tolist(), what
                for part in set(expected) & {"label", "outer"}:
                    same(getattr(found, part), expected[part], what)
                np.testing.assert_array_equal(found.hole, expected["hole"] != 0, err_msg=what)
                objects += len(found)
            elif name in ("fill", "combine_masks"):
                same(found, unpacked(expected["words"], found.shape[-1]), what)
                objects += int(found.sum())
            elif name == "distance_transform":
                if "nearest" in expected:
                    found, places = found
                    nearest = expected["nearest"].astype(np.int64)
                    there = nearest < found.size
                    assert (places[:, ~there] == -1).all(), what
                    flat = np.ravel_multi_index(tuple(np.where(there, each, 0) for each in places), found.shape)
                    np.testing.assert_array_equal(flat[there], nearest[there], err_msg=what)
                same(found, expected["distances"], what)
                objects += int(np.isfinite(found).any())
            else:
                same(found, expected["classes"], what)
                same(found.centres, expected["centres"], what)
                objects += 1
    # Calls that find nothing would be equal, too.
    assert objects > len(cases[name]) / 4
