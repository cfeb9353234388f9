"""Runs scikit-image's tests of `label`, `flood` and `flood_fill`, and SciPy's of `distance_transform_edt`, with skerry in their place.

    /usr/bin/python3 packages/skerry/outside/judge.py [--device cpu|gpu] [--break] [-v]

A Node process (bridge.mjs) holds an engine; the functions below translate arguments, ask it, and translate answers. They compute
nothing that the tests are about. Whatever skerry does not offer skips the test, with the reason; an error of skerry is a
ValueError (InvalidArgument) or a SkerryRefused (Unsupported), which fails it. A test that passes without one answer of skerry is
listed apart and does not count.

Debian's python3-skimage, python3-scipy and python3-pytest have everything; newer versions of scikit-image do not ship their tests,
which --skimage-tests names in a checkout.

--break   the bridge spoils each answer: no test that counts may pass
"""
import argparse
import atexit
import collections
import json
import math
import os
import re
import subprocess
import sys
import warnings
from pathlib import Path

import numpy as np
import pytest

HERE = Path(__file__).resolve().parent


class SkerryRefused(Exception):
    """Skerry rejected with Unsupported."""


class Bridge:
    """The Node process, started with the first call."""

    def __init__(self):
        self.process = None
        self.answers = 0  # calls that skerry answered, or rejected as invalid
        self.kinds = collections.Counter()

    def start(self):
        self.process = subprocess.Popen(
            ["node", str(HERE / "bridge.mjs")], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        atexit.register(self.stop)

    def stop(self):
        if self.process is None:
            return
        self.process.stdin.close()
        self.process.wait(timeout=30)
        self.process = None

    def ask(self, op, array=None, dtype=None, spacing=None, **options):
        """Sends an array [depth, height, width] and returns the arrays of the answer by name, and its facts."""
        if self.process is None:
            self.start()
        options = {name: encode(value) for name, value in options.items() if value is not MISSING}
        header = {"op": op, "options": options}
        body = b""
        if array is not None:
            body = np.ascontiguousarray(array).tobytes()
            header.update(dtype=dtype, shape=array.shape, bytes=len(body))
        if spacing is not None:
            header["spacing"] = spacing
        out = self.process.stdin
        out.write(json.dumps(header, allow_nan=False).encode() + b"\n")
        out.write(body)
        out.flush()
        line = self.process.stdout.readline()
        if not line:
            raise RuntimeError("The bridge has ended.")
        answer = json.loads(line)
        if not answer["ok"]:
            kind, text = answer["error"], answer["message"]
            if kind == "InvalidArgument":
                self.answers += 1
                self.kinds[f"{op}: InvalidArgument"] += 1
                raise ValueError(text)
            if kind == "Unsupported":
                self.kinds[f"{op} {dtype}: Unsupported"] += 1
                raise SkerryRefused(text)
            raise RuntimeError(f"{kind}: {text}")
        arrays = {}
        for each in answer["arrays"]:
            data = self.process.stdout.read(each["bytes"])
            arrays[each["name"]] = np.frombuffer(data, dtype=NUMPY[each["dtype"]])
        if op != "hello":
            self.answers += 1
            self.kinds[f"{op} {dtype}"] += 1
        return arrays, answer["facts"]


MISSING = object()
NUMPY = {"u8": "u1", "u16": "<u2", "i16": "<i2", "u32": "<u4", "i32": "<i4", "f32": "<f4"}
SKERRY = {np.dtype(name): own for own, name in NUMPY.items()}


def encode(value):
    """A number as JSON has it; the bridge knows the word Infinity."""
    if isinstance(value, (list, tuple)):
        return [encode(each) for each in value]
    if isinstance(value, np.generic):
        value = value.item()
    return "Infinity" if isinstance(value, float) and math.isinf(value) and value > 0 else value


bridge = Bridge()


def outside(reason):
    """Skips the test: it wants what skerry does not offer."""
    pytest.skip(f"outside skerry: {reason}")


# Arrays ---------------------------------------------------------------------------------------------------------------------------

def as_volume(array):
    """An array of one to three axes as [depth, height, width]; one axis is a row."""
    if array.ndim > 3:
        outside(f"{array.ndim} dimensions")
    if array.ndim == 0:
        outside("no dimension")
    if array.size == 0:
        outside("an empty array (every side is at least 1)")
    return array.reshape((1,) * (3 - array.ndim) + array.shape)


def as_pixels(array, values=()):
    """The array as one of skerry's types, and that type's name: its own, or a wider or narrower one that holds all of its values (and
    `values`). Nothing is rounded."""
    kind = array.dtype
    if kind == bool:
        return array.astype("u1"), "u8"
    if kind == np.int8:
        return array.astype("<i2"), "i16"
    if kind.kind == "f" and kind.itemsize == 2:
        outside("float16")
    own = SKERRY.get(kind.newbyteorder("<"))
    if own:
        return array.astype(NUMPY[own]), own
    if kind.kind in "iu":
        names = ("i32", "u32") if kind.kind == "i" else ("u32",)
    elif kind.kind == "f":
        names = ("f32",)
    else:
        outside(f"dtype {kind}")
    for name in names:
        converted = array.astype(NUMPY[name])
        fits = all(np.dtype(NUMPY[name]).type(value) == value for value in values) if kind.kind == "f" else all(
            np.iinfo(NUMPY[name]).min <= value <= np.iinfo(NUMPY[name]).max for value in values)
        if fits and np.array_equal(converted.astype(kind), array, equal_nan=kind.kind == "f"):
            return converted, name
    outside(f"values of {kind} that no 32-bit type holds")


def neighbours(connectivity, ndim, depth):
    """Scikit-image's connectivity of an array of `ndim` axes as skerry's. What has none goes as it is, for skerry to reject."""
    if connectivity in range(1, ndim + 1):
        return ((6, 18, 26) if depth > 1 else (4, 8, 8))[int(connectivity) - 1]
    return f"{connectivity} of {ndim}"


# Functions in the place of others -------------------------------------------------------------------------------------------------

def label(label_image, background=None, return_num=False, connectivity=None):
    """skimage.measure.label. A mask goes by its nonzero (or zero) pixels, other images by value."""
    image = np.asarray(label_image)
    given = {"background": 0 if background is None else background}
    if image.dtype == bool and given["background"] in (0, 1):
        given = {"threshold": {"between": [0, 0]} if background == 1 else "nonzero"}
    out = np.int32 if image.dtype == bool else np.intp
    return label_by(image, given, return_num, connectivity, out)


def label_cython(input_, background=None, return_num=False, connectivity=None):
    """skimage.measure._ccomp.label_cython. Everything goes by value."""
    return label_by(np.asarray(input_), {"background": 0 if background is None else background}, return_num, connectivity, np.intp)


def label_by(image, given, return_num, connectivity, out):
    if image.dtype.kind == "f":
        image = image.astype(np.intp)  # as scikit-image does
    volume = as_volume(image)
    data, dtype = as_pixels(volume)
    connectivity = image.ndim if connectivity is None else connectivity
    arrays, facts = bridge.ask(
        "label", data, dtype, connectivity=neighbours(connectivity, image.ndim, volume.shape[0]), **given)
    labels = arrays["labels"].astype(out).reshape(image.shape)
    return (labels, facts["count"]) if return_num else labels


def fill_options(image, volume, seed_point, footprint, connectivity, tolerance):
    if footprint is not None:
        outside("a footprint")
    seed = tuple(seed_point) if np.iterable(seed_point) else (seed_point,)
    image[seed]  # an IndexError outside, as scikit-image's
    seed = [int(at) % side for at, side in zip(seed, image.shape)]
    seed = ([0] * (3 - image.ndim) + seed)[::-1]
    # More neighbours than there are axes are all; none at all is nothing that skerry has.
    connectivity = image.ndim if connectivity is None else min(connectivity, image.ndim)
    depth = volume.shape[0]
    return {
        "seeds": [seed if depth > 1 else seed[:2]],
        "connectivity": neighbours(connectivity, image.ndim, depth),
        # Since 0.23 scikit-image takes the absolute value.
        "tolerance": 0 if tolerance is None else abs(tolerance),
    }


def deprecated(names):
    if names:
        outside(f"deprecated arguments ({', '.join(names)})")


def flood(image, seed_point, *, footprint=None, connectivity=None, tolerance=None, **others):
    """skimage.morphology.flood: the mask of a fill."""
    deprecated(others)
    image = np.asarray(image)
    volume = as_volume(image)
    options = fill_options(image, volume, seed_point, footprint, connectivity, tolerance)
    data, dtype = as_pixels(volume)
    arrays, facts = bridge.ask("flood", data, dtype, **options)
    depth, height, width = volume.shape
    words = arrays["bits"].reshape(depth * height, -1)
    mask = np.unpackbits(words.view("u1"), axis=1, bitorder="little", count=width).astype(bool)
    assert mask.sum() == facts["foreground"] or os.environ.get("BRIDGE_BREAK")
    return mask.reshape(image.shape)


def flood_fill(image, seed_point, new_value, *, footprint=None, connectivity=None, tolerance=None, in_place=False, **others):
    """skimage.morphology.flood_fill: a fill and `paint()`."""
    deprecated(others)
    volume = as_volume(np.asarray(image))
    options = fill_options(image, volume, seed_point, footprint, connectivity, tolerance)
    colour = np.asarray(new_value).astype(image.dtype).item()
    data, dtype = as_pixels(volume, values=[colour])
    arrays, _ = bridge.ask("flood_fill", data, dtype, colour=float(colour) if dtype == "f32" else int(colour), **options)
    painted = arrays["data"].astype(image.dtype).reshape(image.shape)
    if not in_place:
        return painted
    image[...] = painted
    return image


def distance_transform_edt(input, sampling=None, return_distances=True, return_indices=False, distances=None, indices=None):
    """scipy.ndimage.distance_transform_edt: the distance to zeros, and their places. Distances are skerry's f32."""
    from scipy.ndimage import _morphology
    check = _morphology._distance_tranform_arg_check
    check(isinstance(distances, np.ndarray), isinstance(indices, np.ndarray), return_distances, return_indices)
    image = np.atleast_1d(np.where(input, 1, 0).astype("u1"))
    if image.size and image.all():
        outside("no zero at all (SciPy: a place outside, skerry: Infinity)")
    volume = as_volume(image)
    spacing = None
    if sampling is not None:
        sides = [float(side) for side in np.broadcast_to(np.asarray(sampling), (image.ndim,))]
        spacing = ([1.0] * (3 - image.ndim) + sides)[::-1]
    arrays, _ = bridge.ask("edt", volume, "u8", spacing=spacing, nearest=bool(return_indices))
    results = []
    if return_distances:
        found = arrays["distances"].reshape(image.shape)
        if isinstance(distances, np.ndarray):
            if distances.shape != image.shape or distances.dtype != np.float64:
                raise RuntimeError("distances array has wrong shape or type")
            distances[...] = found
        else:
            results.append(found.astype(np.float64))
    if return_indices:
        found = np.stack(np.unravel_index(arrays["nearest"].astype(np.intp).reshape(image.shape), image.shape)).astype(np.int32)
        if isinstance(indices, np.ndarray):
            if indices.shape != found.shape or indices.dtype != np.int32:
                raise RuntimeError("indices array has wrong shape or type")
            indices[...] = found
        else:
            results.append(found)
    return None if not results else results[0] if len(results) == 1 else tuple(results)


def put_in_place():
    """Replaces the originals in every module that holds them."""
    import scipy.ndimage
    import skimage.feature  # noqa: F401
    import skimage.measure
    import skimage.measure._ccomp
    import skimage.measure._label
    import skimage.morphology
    import skimage.segmentation
    pairs = [
        (skimage.measure._label.label, label),
        (skimage.measure._ccomp.label_cython, label_cython),
        (skimage.morphology.flood, flood),
        (skimage.morphology.flood_fill, flood_fill),
        (scipy.ndimage.distance_transform_edt, distance_transform_edt),
    ]
    # Lazy modules get their names now, so that they are found below.
    for module, name in [(skimage.measure, "label"), (skimage.segmentation, "flood"), (skimage.segmentation, "flood_fill")]:
        getattr(module, name, None)
    # The tests of newer versions of SciPy look up what a function can do, by the function.
    table = getattr(sys.modules.get("scipy._lib._array_api"), "xp_capabilities_table", {})
    for original, own in pairs:
        if original in table:
            table[own] = table[original]
    places = []
    for module in list(sys.modules.values()):
        for name, value in list(getattr(module, "__dict__", {}).items()):
            for original, own in pairs:
                if value is original and module.__name__ != __name__:
                    setattr(module, name, own)
                    places.append(f"{module.__name__}.{name}")
    return places


# Tests ----------------------------------------------------------------------------------------------------------------------------

TESTS = [
    ("skimage", "measure/tests/test_ccomp.py", None),
    ("skimage", "measure/tests/test_label.py", None),
    ("skimage", "morphology/tests/test_flood_fill.py", None),
    ("scipy", "ndimage/tests/test_morphology.py", "distance_transform_edt"),
]


class Judge:
    """Notes for each test what became of it, and how many answers of skerry it had."""

    def __init__(self):
        self.results = {}

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_protocol(self, item):
        self.before = bridge.answers
        yield
        self.results[item.nodeid]["answers"] = bridge.answers - self.before

    def pytest_runtest_logreport(self, report):
        own = self.results.setdefault(report.nodeid, {"outcome": "passed", "why": ""})
        if report.passed or own["outcome"] != "passed":
            return
        own["outcome"] = report.outcome
        if report.skipped:
            own["why"] = report.longrepr[2] if isinstance(report.longrepr, tuple) else "xfail"
            own["why"] = own["why"].removeprefix("Skipped: ")
        else:
            crash = getattr(report.longrepr, "reprcrash", None)
            own["why"] = (crash.message if crash else str(report.longrepr)).split("\n\n")[0][:400]

    def kind(self, own):
        if own["outcome"] == "failed":
            return "refused" if "SkerryRefused" in own["why"] else "failed"
        if own["outcome"] == "passed" and not own["answers"]:
            return "uncalled"
        return own["outcome"]


KINDS = ["passed", "failed", "refused", "skipped", "uncalled"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--break", dest="spoil", action="store_true")
    parser.add_argument("--device", default=None)
    parser.add_argument("--skimage-tests", help="a folder tests/skimage of a checkout, since 0.26 does not ship its tests")
    parser.add_argument("-v", "--verbose", action="store_true")
    given, rest = parser.parse_known_args()
    if given.spoil:
        os.environ["BRIDGE_BREAK"] = "1"
    if given.device:
        os.environ["BRIDGE_DEVICE"] = given.device
    warnings.simplefilter("ignore")
    import scipy
    import skimage
    roots = {"skimage": Path(skimage.__file__).parent, "scipy": Path(scipy.__file__).parent}
    places = put_in_place()
    _, facts = bridge.ask("hello")
    print(f"scikit-image {skimage.__version__}, SciPy {scipy.__version__}, NumPy {np.__version__}; skerry on {facts}")
    if given.verbose:
        print("replaced:", ", ".join(places))
    total = collections.Counter()
    for package, file, words in TESTS:
        path = roots[package] / file
        if package == "skimage" and given.skimage_tests:
            path = Path(given.skimage_tests) / file.replace("/tests/", "/")
        if not path.exists():
            print(f"\n{package}/{file}: not shipped")
            continue
        judge = Judge()
        # The packages' configurations are not read: they turn warnings into errors, and want plugins.
        arguments = ["-p", "no:cacheprovider", "-c", os.devnull, "--rootdir", str(path.parent), "-q", "--no-header",
                     "--no-summary", "-W", "ignore", "--tb=short", str(path)]
        arguments += ["-k", words] if words else []
        sink = open(os.devnull, "a")
        with redirected(sink):
            code = pytest.main(arguments + rest, plugins=[judge])
        counts = collections.Counter(judge.kind(own) for own in judge.results.values())
        total += counts
        calls = sum(own.get("answers", 0) for own in judge.results.values())
        print(f"\n{package}/{file}: " + ", ".join(f"{counts[kind]} {kind}" for kind in KINDS) + f"; {calls} answers"
              + ("" if code in (0, 1) else f"; pytest ended with {code}"))
        groups = collections.defaultdict(list)
        for nodeid, own in judge.results.items():
            kind = judge.kind(own)
            if kind != "passed" or given.verbose:
                groups[kind, own["why"]].append((nodeid.split("::", 1)[-1], own["answers"]))
        for (kind, why), tests in sorted(groups.items()):
            print(f"  {kind}: {re.sub(chr(10), ' ', why)}" if why else f"  {kind}:")
            print("    " + ", ".join(f"{name} ({answers} answers)" if answers else name for name, answers in tests))
    print("\nall: " + ", ".join(f"{total[kind]} {kind}" for kind in KINDS))
    print("calls: " + ", ".join(f"{kind} {n}" for kind, n in sorted(bridge.kinds.items())))
    return 1 if total["failed"] or total["refused"] else 0


class redirected:
    """Standard output and errors to a file, also those of pytest's capture."""

    def __init__(self, file):
        self.file = file

    def __enter__(self):
        sys.stdout.flush()
        self.saved = (os.dup(1), os.dup(2))
        os.dup2(self.file.fileno(), 1)
        os.dup2(self.file.fileno(), 2)

    def __exit__(self, *_):
        sys.stdout.flush()
        os.dup2(self.saved[0], 1)
        os.dup2(self.saved[1], 2)
        for each in self.saved:
            os.close(each)
        self.file.close()


if __name__ == "__main__":
    sys.modules.setdefault("judge", sys.modules["__main__"])
    sys.exit(main())
