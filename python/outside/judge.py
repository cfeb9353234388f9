"""Runs scikit-image's tests of `label`, `flood` and `flood_fill`, and SciPy's of `distance_transform_edt`, with skerry in their place.

    PYTHONPATH=python/src /usr/bin/python3 python/outside/judge.py [--device cpu|gpu] [--break] [-v]

The functions below translate arguments and answers of the package `skerry`. They compute nothing that the tests are about. Whatever skerry
does not offer skips the test, with the reason; a refusal of skerry is a ValueError, which fails it where the test expects none. A test that
passes without one answer of skerry is listed apart and does not count.

Debian's python3-skimage, python3-scipy and python3-pytest have everything; newer versions of scikit-image do not ship their tests,
which --skimage-tests names in a checkout.

--break   every answer is spoiled: at most one test may pass, which looks at no value
"""
import argparse
import collections
import os
import re
import sys
import warnings
from pathlib import Path

import numpy as np
import pytest

import skerry

engine = None
#: Calls that skerry answered, or refused as invalid, and what they were.
answers = 0
kinds = collections.Counter()
is_spoiled = False


def ask(name, *arguments, **options):
    """An answer of skerry, or a ValueError with its sentence."""
    global answers
    try:
        found = getattr(skerry, name)(*arguments, engine=engine, **options)
    except ValueError:
        answers += 1
        kinds[f"{name}: ValueError"] += 1
        raise
    answers += 1
    kinds[f"{name} {np.asarray(arguments[0]).dtype}"] += 1
    return tuple(spoiled(each) for each in found) if isinstance(found, tuple) else spoiled(found)


def spoiled(array):
    """The answer, or with --break another one."""
    if not is_spoiled:
        return array
    if array.dtype == bool:
        return ~array
    # Each answer in another way: some tests compare two answers.
    other = array + (1 + (np.arange(array.size) + answers) % 7).reshape(array.shape).astype(array.dtype)
    if hasattr(array, "count"):
        other.count = array.count + 1
    return other


def outside(reason):
    """Skips the test: it wants what skerry does not offer."""
    pytest.skip(f"outside skerry: {reason}")


# Arrays ---------------------------------------------------------------------------------------------------------------------------

def as_image(array):
    """An array of one to three axes with at least two; one axis is a row."""
    if array.ndim > 3:
        outside(f"{array.ndim} dimensions")
    if array.ndim == 0:
        outside("no dimension")
    if array.size == 0:
        outside("an empty array (every side is at least 1)")
    if array.dtype.kind == "f" and array.dtype.itemsize == 2:
        outside("float16")
    if array.dtype.kind == "f" and not np.array_equal(array.astype(np.float32).astype(array.dtype), array, equal_nan=True):
        outside(f"values of {array.dtype} that float32 does not hold")
    return array.reshape((1,) * (2 - array.ndim) + array.shape)


def neighbours(connectivity, axes):
    """Scikit-image's connectivity of an array as a number of neighbours. What has none goes as it is, for skerry to reject."""
    if connectivity in range(1, axes + 1):
        return ((4, 8) if axes < 3 else (6, 18, 26))[min(int(connectivity), 2 if axes < 3 else 3) - 1]
    return f"{connectivity} of {axes}"


# Functions in the place of others -------------------------------------------------------------------------------------------------

def label(label_image, background=None, return_num=False, connectivity=None):
    """skimage.measure.label. A mask goes by its nonzero (or zero) pixels, other images by value."""
    image = np.asarray(label_image)
    given = {"by": "value", "background": 0 if background is None else background}
    if image.dtype == bool and given["background"] in (0, 1):
        given = {"threshold": {"between": [0, 0]} if background == 1 else "nonzero"}
    out = np.int32 if image.dtype == bool else np.intp
    return label_by(image, given, return_num, connectivity, out)


def label_cython(input_, background=None, return_num=False, connectivity=None):
    """skimage.measure._ccomp.label_cython. Everything goes by value."""
    return label_by(np.asarray(input_), {"by": "value", "background": 0 if background is None else background}, return_num, connectivity, np.intp)


def label_by(image, given, return_num, connectivity, out):
    if image.dtype.kind == "f":
        image = image.astype(np.intp)  # as scikit-image does
    connectivity = image.ndim if connectivity is None else connectivity
    found = ask("label", as_image(image), connectivity=neighbours(connectivity, image.ndim), **given)
    labels = np.asarray(found).astype(out).reshape(image.shape)
    return (labels, found.count) if return_num else labels


def filled(image, seed_point, footprint, connectivity, tolerance):
    """The mask of a fill."""
    if footprint is not None:
        outside("a footprint")
    shown = as_image(image)
    seed = tuple(seed_point) if np.iterable(seed_point) else (seed_point,)
    image[seed]  # an IndexError outside, as scikit-image's
    seed = [int(at) % side for at, side in zip(seed, image.shape)]
    # More neighbours than there are axes are all; none at all is nothing that skerry has.
    connectivity = image.ndim if connectivity is None else min(connectivity, image.ndim)
    # Since 0.23 scikit-image takes the absolute value.
    tolerance = 0 if tolerance is None else abs(tolerance)
    mask = ask("fill", shown, seeds=[[0] * (shown.ndim - image.ndim) + seed], tolerance=tolerance,
               connectivity=neighbours(connectivity, image.ndim))
    return np.asarray(mask).reshape(image.shape)


def deprecated(names):
    if names:
        outside(f"deprecated arguments ({', '.join(names)})")


def flood(image, seed_point, *, footprint=None, connectivity=None, tolerance=None, **others):
    """skimage.morphology.flood: the mask of a fill."""
    deprecated(others)
    return filled(np.asarray(image), seed_point, footprint, connectivity, tolerance)


def flood_fill(image, seed_point, new_value, *, footprint=None, connectivity=None, tolerance=None, in_place=False, **others):
    """skimage.morphology.flood_fill: a value at the mask of a fill."""
    deprecated(others)
    mask = filled(np.asarray(image), seed_point, footprint, connectivity, tolerance)
    painted = image if in_place else np.array(image)
    painted[mask] = new_value
    return painted


def distance_transform_edt(input, sampling=None, return_distances=True, return_indices=False, distances=None, indices=None):
    """scipy.ndimage.distance_transform_edt: the distance to zeros, and their places. Distances are skerry's f32."""
    from scipy.ndimage import _morphology
    check = _morphology._distance_tranform_arg_check
    check(isinstance(distances, np.ndarray), isinstance(indices, np.ndarray), return_distances, return_indices)
    image = np.atleast_1d(np.where(input, 1, 0).astype("u1"))
    if image.size and image.all():
        outside("no zero at all (SciPy: a place outside, skerry: Infinity)")
    shown = as_image(image)
    sides = None
    if sampling is not None:
        sides = [1.0] * (shown.ndim - image.ndim) + [float(side) for side in np.broadcast_to(np.asarray(sampling), (image.ndim,))]
    results = []
    found = ask("distance_transform", shown == 0, sampling=sides, return_indices=bool(return_indices))
    found, places = found if return_indices else (found, None)
    if return_distances:
        found = np.asarray(found).reshape(image.shape)
        if isinstance(distances, np.ndarray):
            if distances.shape != image.shape or distances.dtype != np.float64:
                raise RuntimeError("distances array has wrong shape or type")
            distances[...] = found
        else:
            results.append(found.astype(np.float64))
    if return_indices:
        places = places[-image.ndim:].reshape((image.ndim, *image.shape))
        if isinstance(indices, np.ndarray):
            if indices.shape != places.shape or indices.dtype != np.int32:
                raise RuntimeError("indices array has wrong shape or type")
            indices[...] = places
        else:
            results.append(places)
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
        self.before = answers
        yield
        self.results[item.nodeid]["answers"] = answers - self.before

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
            return "failed"
        if own["outcome"] == "passed" and not own["answers"]:
            return "uncalled"
        return own["outcome"]


#: Tests that pass; fewer mean that some were not found.
LEAST = 70
KINDS = ["passed", "failed", "skipped", "uncalled"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--break", dest="spoil", action="store_true")
    parser.add_argument("--device", default=None)
    parser.add_argument("--skimage-tests", help="a folder tests/skimage of a checkout, since 0.26 does not ship its tests")
    parser.add_argument("-v", "--verbose", action="store_true")
    given, rest = parser.parse_known_args()
    global engine, is_spoiled
    is_spoiled = given.spoil
    engine = skerry.Engine(device=given.device or "cpu")
    warnings.simplefilter("ignore")
    import scipy
    import skimage
    roots = {"skimage": Path(skimage.__file__).parent, "scipy": Path(scipy.__file__).parent}
    places = put_in_place()
    print(f"scikit-image {skimage.__version__}, SciPy {scipy.__version__}, NumPy {np.__version__}")
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
    print("calls: " + ", ".join(f"{kind} {n}" for kind, n in sorted(kinds.items())))
    if is_spoiled:
        # One test of scikit-image asks only that each label has one value.
        return 0 if total["passed"] <= 1 and total["failed"] >= LEAST else 1
    return 1 if total["failed"] or total["passed"] < LEAST else 0


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
