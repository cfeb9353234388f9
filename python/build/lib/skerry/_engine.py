"""Engines, and calls of recipes on them."""
from __future__ import annotations

import threading
from types import TracebackType
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from . import _images as images
from ._process import Process


class Array(np.ndarray):
    """A result: an ordinary array that also knows the `recipe` it came from, and facts such as `count`."""

    recipe: dict[str, Any] | None
    notes: list[str]

    def __array_finalize__(self, source: Any) -> None:
        self.recipe = getattr(source, "recipe", None)
        self.notes = getattr(source, "notes", [])


class Table(dict):
    """Columns by name, and the `recipe` they came from."""

    recipe: dict[str, Any] | None = None
    notes: list[str] = []


class Outlines:
    """
    Closed polygons around objects, on the corners of pixels: `rings`, arrays of (y, x) without the first corner again.

    Each ring's object is its `label`, `hole` tells rings around holes, and `outer` the ring that a hole lies in. A pixel (y, x) is the
    square from (y, x) to (y + 1, x + 1).
    """

    def __init__(self, arrays: dict[str, np.ndarray]) -> None:
        points = arrays["outlines.points"][:, ::-1]
        starts = (arrays["outlines.rings"] // 2).tolist()
        self.rings: list[np.ndarray] = [points[start:end] for start, end in zip(starts, starts[1:])]
        self.label: np.ndarray = arrays["outlines.label"]
        self.hole: np.ndarray = arrays["outlines.hole"].view(bool)
        self.outer: np.ndarray = arrays["outlines.outer"]
        self.recipe: dict[str, Any] | None = None
        self.notes: list[str] = []

    def __len__(self) -> int:
        return len(self.rings)


class Result:
    """
    What a recipe gave: of `labels`, `mask`, `table`, `outlines`, `distances`, `nearest`, `classes` and `centres` those that were asked for,
    and `facts`.
    """

    def __init__(self, answer: dict[str, Any], shape: tuple[int, ...]) -> None:
        arrays, facts = answer["arrays"], answer["facts"]
        self.recipe: dict[str, Any] = answer["recipe"]
        self.notes: list[str] = answer["notes"]
        self.facts: dict[str, Any] = facts
        self._shape = shape
        self.labels = self._array(arrays.get("labels"))
        self.distances = self._array(arrays.get("distances"))
        self.nearest = self._array(arrays.get("nearest"))
        self.classes = self._array(arrays.get("classes"))
        self.centres = arrays.get("centres")
        self.mask = self._array(images.unpacked(arrays["mask"], facts["width"])) if "mask" in arrays else None
        regions = {name.removeprefix("regions."): each for name, each in arrays.items() if name.startswith("regions.")}
        self.table: Table | None = None
        if regions:
            self.table = Table(images.columns(regions, facts["count"], shape))
            self.table.recipe, self.table.notes = self.recipe, self.notes
        self.outlines = Outlines(arrays) if "outlines.points" in arrays else None
        if self.outlines is not None:
            self.outlines.recipe, self.outlines.notes = self.recipe, self.notes

    def _array(self, array: np.ndarray | None) -> Array | None:
        if array is None:
            return None
        # A volume of one slice is an image to the library.
        found = array.reshape(self._shape).view(Array)
        found.recipe, found.notes = self.recipe, self.notes
        for name, value in self.facts.items():
            setattr(found, name, value)
        return found


class Engine:
    """
    An engine in a Node process of its own, which starts with the first call and ends with the program or close().

    threads: threads of the CPU; those of the computer, at most 8, by default.
    device: "auto" (default), "cpu" or "gpu".

    Calls of several threads take turns; give each an engine to compute at the same time. After os.fork() the new process starts its own.
    """

    def __init__(self, threads: int | None = None, device: str = "auto") -> None:
        self._process = Process(threads, device)

    def __enter__(self) -> Engine:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    @property
    def description(self) -> dict[str, Any]:
        """The device and the threads, once a call ran."""
        return self._process.description

    def close(self) -> None:
        """Ends the Node process. A later call starts another."""
        self._process.close()

    def run(
        self,
        recipe: dict[str, Any],
        image: ArrayLike,
        results: tuple[str, ...] | None = None,
        *,
        channel_axis: int | None = None,
        progress: bool = False,
        **beside: ArrayLike,
    ) -> Result:
        """
        Runs a recipe, as the page and the command line write it. Its places are x, y, z, as in its file.

        results: of "labels", "mask", "regions", "outlines", "distances", "nearest", "classes", "centres"; by default what the operation
            gives.
        beside: images by the names that the recipe has for files, such as within=mask for `"within": "within"`.
        """
        wanted = RESULTS.get(recipe.get("operation", ""), ()) if results is None else tuple(results)
        sent: list[Any] = []
        shape: tuple[int, ...] = ()
        for name, given in [(None, image), *beside.items()]:
            array, channels = images.sides(images.pixels(given, name or "image"), channel_axis if name is None else None, name or "image")
            if name is None:
                shape = array.shape if channels is None else array.shape[:-1]
            sent.append((name, array, {} if channels is None else {"channels": channels}))
        with Bar(progress) as bar:
            answer = self._process.call(plain(recipe), sent, wanted, bar.told if progress else None)
        return Result(answer, shape)


#: What the operations give.
RESULTS = {
    "components": ("labels", "regions"), "labelled": ("labels", "regions"), "fill": ("mask",), "distance": ("distances",),
    "kmeans": ("classes", "centres"), "mask": ("mask",),
}

_lock = threading.Lock()
_engine: Engine | None = None


def default_engine() -> Engine:
    """The engine of calls that are given none."""
    global _engine
    with _lock:
        if _engine is None:
            _engine = Engine()
        return _engine


class Bar:
    """A bar of tqdm, where it is installed."""

    def __init__(self, shown: bool) -> None:
        self._bar: Any = None
        self._shown = shown

    def __enter__(self) -> Bar:
        if self._shown:
            try:
                from tqdm.auto import tqdm
                self._bar = tqdm(total=None, leave=False)
            except ImportError:
                pass
        return self

    def told(self, progress: dict[str, Any]) -> None:
        if self._bar is not None:
            self._bar.set_description(str(progress.get("stage", "")))
            self._bar.total = progress.get("total")
            self._bar.n = progress.get("done", 0)
            self._bar.refresh()

    def __exit__(self, *_: Any) -> None:
        if self._bar is not None:
            self._bar.close()


def plain(value: Any) -> Any:
    """Numbers and arrays of numpy as JSON has them."""
    if isinstance(value, dict):
        return {key: plain(each) for key, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(each) for each in value]
    if isinstance(value, np.ndarray):
        return value.tolist()
    return value.item() if isinstance(value, np.generic) else value


def one_of(name: str, value: Any, alias: str, other: Any, otherwise: Any) -> Any:
    """The value of a field that has an alias, or its default."""
    if value is not None and other is not None:
        raise ValueError(f"Expected {name} or its alias {alias}, got both.")
    found = value if other is None else other
    return otherwise if found is None else found


def call(
    operation: str,
    returns: str,
    image: ArrayLike,
    given: tuple[tuple[str, str, Any], ...],
    channel_axis: int | None,
    engine: Engine | None,
    progress: bool,
    return_indices: bool = False,
) -> Any:
    """Runs the recipe of a function, and returns its result."""
    from ._calls import IMAGES, LISTS, PLACES

    columns: dict[str, str] = {}
    # Neighbours that join by their values have no threshold.
    if any(name == "by" and value is not None for _, name, value in given):
        given = tuple(each for each in given if each[1:] != ("threshold", "nonzero"))
    by_value = operation == "labelled" or any(name == "by" and value == "value" for _, name, value in given)
    image, ids = images.numbered(image) if by_value else (image, None)
    if ids is not None and any(name == "background" and value not in (None, 0) for _, name, value in given):
        raise ValueError("Expected values of the image that fit 32 bits for background, got larger ones.")
    recipe: dict[str, Any] = {"skerry": 1, "operation": operation}
    beside: dict[str, ArrayLike] = {}
    axes = np.ndim(image) - (channel_axis is not None)
    for part, name, value in given:
        # A switch that is off is one that is not given.
        if value is None or value is False and name != "contiguous":
            continue
        if name in IMAGES:
            beside[name] = value
            value = [name] if name == "intensity" else name
        elif name in LISTS:
            names = [f"{name}_{index}" for index in range(len(value))]
            beside.update(zip(names, value))
            value = names
        elif name == "properties":
            value, columns = images.properties(value)
        elif name in PLACES:
            value = place(name, value, axes, axes == 3 and np.shape(image)[0] == 1 and channel_axis != 0)
        elif name == "connectivity" and value in (1, 2, 3):
            meant = {2: {1: 4, 2: 8}, 3: {1: 6, 2: 18, 3: 26}}.get(axes, {}).get(value)
            raise ValueError(f"Expected connectivity to be a number of neighbours, got {value}{f'; did you mean {meant}?' if meant else '.'}")
        recipe.setdefault(part, {})[name] = value
    results = RETURNS.get(returns, (returns,)) + (("nearest",) if return_indices else ())
    found = (engine or default_engine()).run(recipe, image, results, channel_axis=channel_axis, progress=progress, **beside)
    for column, other in columns.items():
        assert found.table is not None
        images.rename(found.table, column, other)
    if found.table is not None and ids is not None:
        found.table["value"] = ids[found.table["value"]]
    if returns == "regions":
        return found.table
    if returns == "outlines":
        if operation == "labelled" and found.outlines is not None and found.table is not None:
            found.outlines.label = found.table["value"][found.outlines.label - 1]
        return found.outlines
    if returns == "values":
        return valued(found)
    array = getattr(found, returns)
    if returns == "classes":
        array.centres = found.centres
    if not return_indices:
        return array
    assert found.nearest is not None
    return array, images.places(found.nearest)


#: The results to ask for, where they are others than what a function returns.
RETURNS = {"classes": ("classes", "centres"), "values": ("labels", "regions"), "outlines": ("outlines", "regions")}


def valued(found: Result) -> Array:
    """Labels with the numbers that the objects had in the label image."""
    assert found.labels is not None and found.table is not None
    values = np.asarray(found.table["value"])
    if np.array_equal(values, np.arange(1, len(values) + 1)):
        return found.labels
    kind = np.dtype(np.uint32) if values.dtype.kind == "f" else values.dtype
    numbers = np.zeros(len(values) + 1, kind)
    numbers[1:] = values
    array = numbers[found.labels].view(Array)
    vars(array).update(vars(found.labels))
    return array


def place(name: str, value: Any, axes: int, is_flat: bool) -> Any:
    """The value of a field of places, from numpy's order. A volume of one slice is an image to the library."""
    if name == "spacing":
        return [float(value)] * axes if np.isscalar(value) else images.turned(value)
    if name == "merge":
        return [place("", group, axes, is_flat) for group in value]
    return [images.turned(each)[: 2 if is_flat else None] for each in value]
