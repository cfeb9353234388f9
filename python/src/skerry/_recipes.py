"""Recipes of the functions: fields from arguments of Python, whose places are in numpy's order."""
from __future__ import annotations

import math
import re
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from . import _images as images


def recipe_of(
    operation: str,
    shape: tuple[int, ...],
    given: tuple[tuple[str, str, Any], ...],
    channel_axis: int | None,
) -> tuple[dict[str, Any], dict[str, ArrayLike], dict[str, str]]:
    """A recipe of fields, (part, name, value) each; the images beside the first one by name; and columns that get other names."""
    from ._calls import IMAGES, LISTS, PLACES, VALUED

    # Neighbours that join by their values, and points, have no threshold.
    if any(name in ("by", "points") and value is not None for _, name, value in given):
        given = tuple(each for each in given if each[1:] != ("threshold", "nonzero"))
    recipe: dict[str, Any] = {"skerry": 1, "operation": operation}
    beside: dict[str, ArrayLike] = {}
    columns: dict[str, str] = {}
    sides = sides_of(shape, channel_axis)
    for part, name, value in given:
        # A switch that is off is one that is not given.
        if value is None or value is False and name != "contiguous":
            continue
        if name in IMAGES:
            beside[name] = value
            value = [name] if name == "intensity" else name
        elif name in LISTS:
            several = [value] if isinstance(value, np.ndarray) and value.ndim == len(sides) else list(value)
            value = [f"{name}_{index}" for index in range(len(several))]
            beside.update(zip(value, several))
        elif name in PLACES:
            value = place(name, value, sides)
        elif name == "properties":
            value, columns = images.properties(value)
        elif name == "background" and value == "none":
            value = None
        elif name in ("select", "sort") and isinstance(value, str):
            value = images.own_names(value)
        elif name == "threshold" and isinstance(value, (int, float, np.number)):
            raise ValueError(f'Expected threshold to be a rule such as {{"above": {value}}}, got {value}.')
        elif name == "connectivity" and value in (1, 2, 3):
            meant = {2: {1: 4, 2: 8}, 3: {1: 6, 2: 18, 3: 26}}.get(len(sides), {}).get(value)
            raise ValueError(f"Expected connectivity to be a number of neighbours, got {value}{f'; did you mean {meant}?' if meant else '.'}")
        recipe.setdefault(part, {})[name] = value
    wanted = recipe.get("products", {}).get("properties")
    valued = [name for name in wanted if name in VALUED] if isinstance(wanted, list) else []
    if operation == "labelled" and valued and "intensity" not in beside:
        raise ValueError(f"Expected intensity, an image whose values {images.snake(valued[0])} is of, got none.")
    return recipe, beside, columns


def refuse_values(given: tuple[tuple[str, str, Any], ...]) -> None:
    """Refuses fields that compare values of an image of ids beyond 32 bits: the library has a number for each id."""
    for _, name, value in given:
        compares = {
            "background": value not in (None, 0),
            "nodata": value is not None,
            "select": re.search(r"\bvalue\b", str(value)) is not None,
        }
        if compares.get(name, False):
            raise ValueError(f"Expected values of the image that fit 32 bits for {name}, got larger ones.")


def named(recipe: dict[str, Any]) -> list[str]:
    """The names that a recipe has for images beside the first."""
    found: list[str] = []
    for name, value in dict(recipe.get("input", {})).items():
        if name == "intensity":
            found += [each.split("=")[-1].split(":")[0] for each in value if isinstance(each, str)]
        elif name == "within":
            found += named(value) if isinstance(value, dict) else [value]
        elif name in ("union", "intersection", "difference"):
            found += [each for each in value if isinstance(each, str)]
    return found


def plain(value: Any) -> Any:
    """Numbers and arrays of numpy as JSON has them."""
    if isinstance(value, dict):
        return {key: plain(each) for key, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(each) for each in value]
    if isinstance(value, np.ndarray):
        return plain(value.tolist())
    if isinstance(value, np.generic):
        value = value.item()
    if not (value is None or isinstance(value, (bool, int, float, str))):
        raise ValueError(f"Expected numbers, texts, lists and dicts as arguments, got a {type(value).__name__}.")
    if isinstance(value, float) and not math.isfinite(value):
        raise ValueError(f"Expected finite numbers as arguments, got {value}.")
    return value


def one_of(name: str, value: Any, alias: str, other: Any, otherwise: Any) -> Any:
    """The value of a field that has an alias, or its default."""
    if value is not None and other is not None:
        raise ValueError(f"Expected {name} or its alias {alias}, got both.")
    found = value if other is None else other
    return otherwise if found is None else found


def sides_of(shape: tuple[int, ...], channel_axis: int | None) -> tuple[int, ...]:
    """The sides of an image without its channels."""
    if channel_axis is None:
        return shape
    at = channel_axis % len(shape)
    return shape[:at] + shape[at + 1:]


def place(name: str, value: Any, sides: tuple[int, ...]) -> Any:
    """The value of a field of places or of sizes along axes, from numpy's order."""
    axes = len(sides)
    order = "(y, x)" if axes == 2 else "(z, y, x)"
    if name == "spacing":
        if isinstance(value, str):
            raise ValueError(f"Expected spacing to be a size of a pixel along each axis, {order}, got {value!r}.")
        if np.isscalar(value):
            return [float(value)] * axes
        if np.shape(value) != (axes,):
            raise ValueError(f"Expected spacing to have a size for each of {axes} axes, {order}, got {value}.")
        return images.turned(value)
    if name == "merge":
        return [place("groups", group, sides) for group in value]
    # One place stands for a list of one.
    places = [value] if np.ndim(value) == 1 and len(value) > 0 else value
    for each in places:
        if np.shape(each) != (axes,):
            more = "; channels need channel_axis" if axes == 3 and np.shape(each) == (2,) else ""
            raise ValueError(f"Expected {name} as places {order} in an image of {axes} axes, got {each}{more}.")
        if not all(float(at).is_integer() and 0 <= at < side for at, side in zip(each, sides)):
            raise ValueError(f"Expected {name} as whole places {order} inside the shape {sides}, got {tuple(plain(each))}.")
    # A volume of one slice is an image to the library.
    is_flat = axes == 3 and sides[0] == 1
    return [images.turned(each)[: 2 if is_flat else None] for each in places]
