"""Engines, and calls of recipes on them."""
from __future__ import annotations

import threading
from types import TracebackType
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from . import _images as images
from . import _recipes as recipes
from ._process import Process


class Array(np.ndarray):
    """A result: an ordinary array that also knows the `recipe` it came from, and facts such as `count`."""

    recipe: dict[str, Any] | None = None
    notes: list[str] = []
    #: Objects, of labels.
    count: int | None = None

    def __array_finalize__(self, source: Any) -> None:
        if isinstance(source, Array):
            # A part has the recipe of the whole, but not its facts.
            same = vars(source) if source.shape == self.shape else {"recipe": source.recipe, "notes": source.notes}
            vars(self).update(same)

    def __array_wrap__(self, array: np.ndarray, context: Any = None, return_scalar: bool = False) -> Any:
        """What is computed from a result is an ordinary array, or a number."""
        plain = np.asarray(array)
        return plain[()] if plain.ndim == 0 else plain

    def __reduce__(self) -> Any:
        make, arguments, state = super().__reduce__()  # type: ignore[misc]
        return make, arguments, (*state, vars(self))

    def __setstate__(self, state: Any) -> None:
        *plain, facts = state
        super().__setstate__(tuple(plain))
        vars(self).update(facts)


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

    def __repr__(self) -> str:
        return f"<skerry.Outlines: {len(self)} rings of {len(np.unique(self.label))} objects>"


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

    def __repr__(self) -> str:
        given = [name for name in ("labels", "mask", "table", "outlines", "distances", "nearest", "classes", "centres")
                 if getattr(self, name) is not None]
        return f"<skerry.Result: {', '.join(given)}; {self.facts}>"

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
        if not isinstance(recipe, dict):
            raise ValueError(f"Expected a recipe as a dict, such as json.load() gives it, got {type(recipe).__name__}.")
        names = recipes.named(recipe)
        unused = [name for name in beside if name not in names]
        if unused:
            raise ValueError(f"Expected images by names that the recipe has for files ({', '.join(names) or 'none'}), got {unused[0]}.")
        given_results = (results,) if isinstance(results, str) else results
        wanted = RESULTS.get(recipe.get("operation", ""), ()) if given_results is None else tuple(given_results)
        sent: list[Any] = []
        shape: tuple[int, ...] = ()
        for name, given in [(None, image), *beside.items()]:
            array = images.pixels(given, name or "image")
            axis = channel_axis
            if name is not None:
                # An image beside the first has channels if it has an axis more.
                axis = None if array.ndim == len(shape) else -1 if channel_axis is None else channel_axis
            elif recipe.get("operation") == "labelled":
                axis = None
            array, channels = images.sides(array, axis, name or "image")
            if name is None:
                shape = array.shape if channels is None else array.shape[:-1]
            sent.append((name, array, {} if channels is None else {"channels": channels}))
        with Bar(progress) as bar:
            answer = self._process.call(recipes.plain(recipe), sent, wanted, bar.told if progress else None)
        return Result(answer, shape)


#: What the operations give.
RESULTS = {
    "components": ("labels", "regions"), "labelled": ("labels", "regions"), "fill": ("mask",), "distance": ("distances",),
    "kmeans": ("classes", "centres"), "mask": ("mask",),
}

_lock = threading.RLock()
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
    if engine is not None and not isinstance(engine, Engine):
        raise ValueError(f"Expected engine to be a skerry.Engine, got {type(engine).__name__}.")
    is_labelled = operation == "labelled"
    by_value = is_labelled or any(name == "by" and value == "value" for _, name, value in given)
    array = images.array_of(image)
    array, ids = images.numbered(array, is_labelled) if by_value else (array, None)
    if ids is not None:
        recipes.refuse_values(given)
    if returns in ("labels", "outlines") and not by_value and any(each[1:] == ("threshold", "nonzero") for each in given):
        array = images.flags(array)
    # The channels beside a label image are those of intensity.
    own_axis = None if is_labelled else channel_axis
    if own_axis is not None and not -array.ndim <= own_axis < array.ndim:
        raise ValueError(f"Expected channel_axis to be one of the {array.ndim} axes of the image, got {own_axis}.")
    if own_axis is not None and array.shape[own_axis] not in (1, 3, 4):
        channel = next((value for _, name, value in given if name == "channel"), None)
        array, own_axis, channel_axis = images.channel_of(array, own_axis, channel), None, None
        given = tuple(each for each in given if each[1] != "channel")
    recipe, beside, columns = recipes.recipe_of(operation, array.shape, given, own_axis)
    results = RETURNS.get(returns, (returns,)) + (("nearest",) if return_indices else ())
    if returns in ("values", "outlines") and is_labelled:
        # Their column of numbers is wanted, and no other.
        results += ("regions",)
        recipe.setdefault("products", {})["properties"] = ["area"]
    found = (engine or default_engine()).run(recipe, array, results, channel_axis=channel_axis, progress=progress, **beside)
    if found.table is not None:
        for column, other in columns.items():
            images.rename(found.table, column, other)
        if ids is not None:
            found.table["value"] = ids[found.table["value"]]
    if returns == "regions":
        return found.table
    if returns == "outlines":
        if found.outlines is not None and found.table is not None:
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
RETURNS = {"classes": ("classes", "centres"), "values": ("labels",)}


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
