"""Arrays of numpy as the library takes them, and places in numpy's order."""
from __future__ import annotations

import re
from typing import Any

import numpy as np

#: Kinds that the library has no pixels of, and the ones that hold their values.
WIDER = {np.dtype(np.int8): np.int16, np.dtype(np.float16): np.float32, np.dtype(bool): np.uint8}


def array_of(image: Any, what: str = "image") -> np.ndarray:
    """What stands for an array as one."""
    if isinstance(image, np.ma.MaskedArray):
        raise ValueError(f"Expected {what} without a mask of numpy.ma; give it as within=~image.mask, and image.data.")
    if hasattr(image, "__dlpack__") and not hasattr(image, "__array__"):
        return np.from_dlpack(image)
    return np.asarray(image)


def pixels(image: Any, what: str = "image") -> np.ndarray:
    """The array, in the computer's byte order and in a type that the library has."""
    array = array_of(image, what)
    kind = array.dtype.newbyteorder("=")
    if array.size == 0:
        raise ValueError(f"Expected {what} to have pixels, got the shape {array.shape}.")
    if kind in WIDER:
        return np.asarray(array, WIDER[kind])
    if kind.kind == "f" and kind.itemsize > 4:
        return narrow(array)
    if kind.kind in "iu" and kind.itemsize == 8:
        least, most = int(array.min()), int(array.max())
        if least >= 0 and most < 2**32:
            return np.asarray(array, np.uint32)
        if least >= -(2**31) and most < 2**31:
            return np.asarray(array, np.int32)
        raise ValueError(f"Expected values of {what} that fit 32 bits, got {least} to {most}.")
    if kind.kind not in "iuf":
        raise ValueError(f"Expected {what} to be an array of numbers, got one of {array.dtype}.")
    return np.asarray(array, kind)


def narrow(array: np.ndarray) -> np.ndarray:
    """Numbers of 64 bits as float32. None becomes 0 or infinite that was neither."""
    with np.errstate(over="ignore", under="ignore"):
        found = array.astype(np.float32)
    least, most = np.finfo(np.float32).smallest_subnormal, np.finfo(np.float32).max
    for lost, limit in ((found == 0) & (array != 0), least), (np.isinf(found) & np.isfinite(array), most):
        if lost.any():
            found[lost] = np.copysign(limit, array[lost])
    return found


def numbered(array: np.ndarray, are_whole: bool) -> tuple[np.ndarray, np.ndarray | None]:
    """
    A label image whose numbers do not fit 32 bits as one with a number for each, in their order, and what the numbers were; others as
    they are, and None. Floats are refused that float32 would change.
    """
    if array.dtype.kind == "f" and array.size > 0 and not are_whole:
        with np.errstate(over="ignore", under="ignore"):
            if not np.array_equal(array.astype(np.float32), array, equal_nan=True):
                raise ValueError(f"Expected values that float32 holds for objects of equal values, got an array of {array.dtype} with others.")
    elif array.dtype.kind == "f" and array.size > 0:
        # Numbers of objects would be rounded to 24 bits otherwise.
        if not (np.isfinite(array).all() and (array == np.floor(array)).all() and np.abs(array).max() < 2**53):
            raise ValueError(f"Expected whole numbers of objects, got an array of {array.dtype} with others.")
        array = array.astype(np.int64)
    if array.dtype.kind not in "iu" or array.dtype.itemsize < 8 or array.size == 0:
        return array, None
    least, most = int(array.min()), int(array.max())
    if (least >= 0 and most < 2**32) or (least >= -(2**31) and most < 2**31):
        return array, None
    if least < 0:
        raise ValueError(f"Expected numbers of objects that are 0 or more, or that fit 32 bits, got {least} to {most}.")
    ids, ranks = np.unique(array, return_inverse=True)
    ranks = ranks.reshape(array.shape).astype(np.uint32)
    # 0 is the background, whether a pixel has it or not.
    return (ranks, ids) if ids[0] == 0 else (ranks + np.uint32(1), np.concatenate([np.zeros(1, ids.dtype), ids]))


def flags(array: np.ndarray) -> np.ndarray:
    """Whether pixels are not 0, of an image of whole numbers of 64 bits, which need not fit 32 for that."""
    return array != 0 if array.dtype.kind in "iu" and array.dtype.itemsize == 8 else array


def channel_of(array: np.ndarray, channel_axis: int, channel: Any) -> np.ndarray:
    """One channel of an image that has other numbers of channels than the library knows."""
    count = array.shape[channel_axis]
    if not isinstance(channel, (int, np.integer)) or not 0 <= channel < count:
        raise ValueError(f"Expected 1, 3 or 4 channels along axis {channel_axis}, or channel as the number of one of {count}, got {channel}.")
    return np.take(array, int(channel), axis=channel_axis)


def places(indices: np.ndarray) -> np.ndarray:
    """Indices of pixels as an array of places with an axis for the axes, as SciPy gives it; -1 where there is none."""
    found = np.stack(np.unravel_index(np.minimum(indices, max(indices.size, 1) - 1), indices.shape)).astype(np.int32)
    found[:, indices == 0xFFFFFFFF] = -1
    return found


def sides(array: np.ndarray, channel_axis: int | None, what: str = "image") -> tuple[np.ndarray, int | None]:
    """The array with its channels last, and their number."""
    if channel_axis is None:
        if array.ndim not in (2, 3):
            raise ValueError(f"Expected {what} to have two or three axes, got {array.ndim}; channels need channel_axis.")
        return array, None
    if array.ndim not in (3, 4):
        raise ValueError(f"Expected {what} with channels to have three or four axes, got {array.ndim}.")
    moved = np.moveaxis(array, channel_axis, -1)
    if moved.shape[-1] not in (1, 3, 4):
        raise ValueError(f"Expected 1, 3 or 4 channels along axis {channel_axis}, got {moved.shape[-1]}.")
    return moved, moved.shape[-1]


def turned(values: Any) -> Any:
    """A place, or sizes along axes, in the other order: (z, y, x) is x, y, z. A number stands for all axes."""
    return values if np.isscalar(values) else [each for each in np.asarray(values).tolist()[::-1]]


def unpacked(words: np.ndarray, width: int) -> np.ndarray:
    """The pixels of rows of 32-bit words, the first pixel in the lowest bit."""
    return np.unpackbits(words.view(np.uint8), axis=-1, count=width, bitorder="little").view(bool)


def columns(arrays: dict[str, np.ndarray], count: int, shape: tuple[int, ...]) -> dict[str, np.ndarray]:
    """A column per number of each object, named as scikit-image does, with coordinates in numpy's order."""
    from ._calls import NUMBERS

    table: dict[str, np.ndarray] = {"label": np.arange(1, count + 1, dtype=np.uint32)}
    # The library has no z for the objects of one slice.
    flat = len(shape) == 3 and shape[0] == 1
    axes = 2 if flat else len(shape)
    for name, values in arrays.items():
        name = snake(name)
        if values.ndim == 1:
            table[name] = values
        elif name == "bounds":
            # x0, y0, x1, y1 of the library: bbox-0 is y0, bbox-1 x0, bbox-2 y1, bbox-3 x1.
            box = [values[:, half * axes + axes - 1 - axis] for half in range(2) for axis in range(axes)]
            if flat:
                box = [np.zeros_like(box[0]), *box[:2], np.ones_like(box[0]), *box[2:]]
            table.update((f"bbox-{index}", column) for index, column in enumerate(box))
        elif name in ("centroid", "weighted_centroid"):
            centre = [values[:, axes - 1 - axis] for axis in range(axes)]
            if flat:
                centre.insert(0, np.zeros_like(centre[0]))
            table.update((f"{name}-{index}", column) for index, column in enumerate(centre))
        else:
            names = NUMBERS.get(name, ((), ()))[axes - 2] or tuple(f"{name}-{index}" for index in range(values.shape[1]))
            table.update((each, values[:, index]) for index, each in enumerate(names))
    return table


def snake(name: str) -> str:
    """A name of the library as Python writes it: minArea is min_area."""
    return "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in name)


def camel(name: str) -> str:
    """A name in Python as the library writes it: min_area is minArea."""
    first, *others = name.split("_")
    return first + "".join(each.capitalize() for each in others)


def properties(names: Any) -> tuple[Any, dict[str, str]]:
    """Properties by the library's names, and columns that get other names: those by which scikit-image asks for them."""
    from ._calls import PROPERTIES

    if isinstance(names, str):
        return names, {}
    wanted = [name for name in names if name != "label"] or ["area"]
    own = {name: PROPERTIES.get(name, camel(name)) for name in wanted}
    return list(dict.fromkeys(own.values())), {
        snake(own[name]): name for name in wanted if name in PROPERTIES and snake(own[name]) not in wanted
    }


def own_names(text: str) -> str:
    """A condition with the library's names of properties: equivalent_diameter > 5 is equivalentDiameter > 5."""
    from ._calls import PROPERTIES

    return re.sub(r"[a-z]+(?:_[a-z]+)+", lambda found: PROPERTIES.get(found[0], camel(found[0])), text)


def rename(table: dict[str, np.ndarray], column: str, other: str) -> None:
    """Gives a column, or the columns of a property with several, another name."""
    for name in [each for each in table if each == column or each.startswith(f"{column}-")]:
        table[other + name.removeprefix(column)] = table.pop(name)
