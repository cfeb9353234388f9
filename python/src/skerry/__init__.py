"""Connected components, region measurements, flood fill, exact distance maps and k-means colours, for images and volumes.

    import skerry
    labels = skerry.label(image, threshold="otsu", connectivity=8)
    table = skerry.regionprops_table(labels, intensity=image)

The engine is the TypeScript library, in a Node process that starts with the first call. Arrays go there and back through memory that both
share. Coordinates, sizes and boxes are in numpy's order (z, y, x).
"""
from __future__ import annotations

from typing import Any

from numpy.typing import ArrayLike

from ._calls import *  # noqa: F403
from ._calls import __all__ as _calls
from ._engine import Array, Engine, Outlines, Result, Table, default_engine
from ._process import SkerryError

__version__ = "0.1.0"
__all__ = [*_calls, "Array", "Engine", "Outlines", "Result", "SkerryError", "Table", "run"]


def __getattr__(name: str) -> Any:
    # The widget's libraries are loaded when it is named.
    if name == "Lab":
        from ._lab import Lab
        return Lab
    raise AttributeError(f"module 'skerry' has no attribute {name!r}")


def __dir__() -> list[str]:
    return [*globals(), "Lab"]


def run(recipe: dict[str, Any], image: ArrayLike, results: tuple[str, ...] | None = None, **options: Any) -> Result:
    """Runs a recipe on the engine of the program; see Engine.run()."""
    return default_engine().run(recipe, image, results, **options)
