"""The functions of skerry, written by python/calls.mjs from the fields of recipes; do not edit."""
from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from numpy.typing import ArrayLike

from ._engine import Array, Engine, Outlines, Table, call, one_of

__all__ = ["label", "split", "outlines", "label_outlines", "regions", "regionprops_table", "refine_labels", "expand_labels", "fill", "distance_transform", "kmeans", "combine_masks"]

#: Fields whose values are images, lists of images, and places or sizes along axes.
IMAGES = frozenset(("within", "intensity"))
LISTS = frozenset(("union", "intersection", "difference"))
PLACES = frozenset(("spacing", "seeds", "points", "pick", "merge"))
#: Properties by the names that scikit-image has for them.
PROPERTIES = {"bbox": "bounds", "intensity_min": "min", "intensity_max": "max", "intensity_mean": "mean", "intensity_std": "std", "centroid_weighted": "weightedCentroid"}


def label(
    image: ArrayLike,
    *,
    spacing: Any = None,
    nodata: float | None = None,
    channel: Any = None,
    within: ArrayLike | None = None,
    intensity: ArrayLike | None = None,
    smooth: float | None = None,
    gradient: Any = None,
    flatten: int | None = None,
    threshold: Any = "nonzero",
    polarity: str | None = None,
    by: Any = None,
    background: Any = None,
    connectivity: Any = None,
    open: float | None = None,
    close: float | None = None,
    erode: float | None = None,
    dilate: float | None = None,
    fill_holes: Any = None,
    max_hole_area: float | None = None,
    split: Any = None,
    absorb: float | None = None,
    clear_border: bool | None = None,
    min_area: float | None = None,
    max_area: float | None = None,
    largest: int | None = None,
    expand: float | None = None,
    select: str | None = None,
    sort: str | None = None,
    top: int | None = None,
    pick: Any = None,
    physical: bool | None = None,
    channel_axis: int | None = None,
    engine: Engine | None = None,
    progress: bool = False,
) -> Array:
    """Labels the objects of an image or a volume: 1, 2, 3 and so on, in the order of their first pixels; 0 is background.

    Returns: Labels of the type uint32, with the number of objects as `count`.

    spacing: the size of a pixel, instead of what the file tells; one number stands for all sides; file: the printing
        resolution of a PNG or TIFF, which is not used otherwise.
    nodata: pixels that hold V in the file, before slope and intercept, were not measured: background, as NaN is.
    channel: take red, green, blue, alpha, band or channel N (from 0), luma (default), contrast: the colour distance
        from the frame of the picture, hematoxylin, eosin, dab, or index: the numbers of a palette.
    within: only pixels where this image or volume, FILE or FILE:SELECTION, is not 0; others are background, and count
        for no threshold.
    intensity: measure the values of this image, at the same place, under the objects: its channel as in cells.tif:1,
        or channel, time, page and level as in cells.tif:channel=1,time=3; may be repeated, and named as in
        marker=cells.tif:1.
    smooth: smooth by a Gaussian of S pixels before the threshold.
    gradient: find objects in how much values change per pixel: by Sobel's operators (sobel), or by derivatives of a
        Gaussian of S pixels; thresholds apply to the result.
    flatten: for uneven light: subtract the mean of the pixels up to R away and add 128 (8 bits) or 32768 (16 bits);
        thresholds apply to the result.
    threshold: which pixels belong to objects, by their values.
    polarity: bright or dark: above, or at and below, an automatic or local threshold; without it dark if most pixels
        are brighter than the mean around them.
    by: neighbours join by their values instead of a threshold.
    background: with by value or tolerance:D: this value is no object; 0 by default, or none.
    connectivity: neighbours of a pixel: 4 (default) or 8; in volumes 6 (default), 18 or 26.
    open: drop parts that are too narrow for a ball of radius R (pixels, or units with physical).
    close: fill gaps that are too narrow for a ball of radius R.
    erode: drop pixels that are at most R from the background.
    dilate: add pixels that are at most R from an object.
    fill_holes: fill holes, with whatever lies in them; slices, x, y or z: of each slice by itself, and several as in
        x,z one after another.
    max_hole_area: with fill_holes: leave larger holes.
    split: split objects that touch where the distance to the background falls by H (default 1).
    absorb: give areas of fewer pixels to the neighbour with the longest border.
    clear_border: drop objects that touch the image border.
    min_area: drop objects of fewer pixels.
    max_area: drop objects of more pixels.
    largest: keep the K largest.
    expand: at last, let objects grow by D into the background; they keep apart.
    select: keep the objects that fulfil it, e.g. "area > 50 && eccentricity < 0.8"; with + - * / ( ) ! && ||,
        properties of one number, x0 to z1 of the bounds, value, and polarity == bright or dark.
    sort: order of --regions and top, the largest first; -PROPERTY the smallest.
    top: keep the first N by sort, or the N largest.
    pick: at last, keep only the objects that these pixels belong to; may be repeated.
    physical: lengths and radii, and what tables hold, are in units of the spacing; min_area and its like count
        pixels.
    channel_axis: the axis of the channels, of an image that has some.
    engine: the engine that computes; one for the whole program by default.
    progress: show the progress with tqdm, where it is installed.

    Raises ValueError for a wrong argument, and MemoryError where memory is too small.
    """
    return call("components", "labels", image, (
        ("input", "spacing", spacing),
        ("input", "nodata", nodata),
        ("input", "channel", channel),
        ("input", "within", within),
        ("input", "intensity", intensity),
        ("options", "smooth", smooth),
        ("options", "gradient", gradient),
        ("options", "flatten", flatten),
        ("options", "threshold", threshold),
        ("options", "polarity", polarity),
        ("options", "by", by),
        ("options", "background", background),
        ("options", "connectivity", connectivity),
        ("options", "open", open),
        ("options", "close", close),
        ("options", "erode", erode),
        ("options", "dilate", dilate),
        ("options", "fillHoles", fill_holes),
        ("options", "maxHoleArea", max_hole_area),
        ("options", "split", split),
        ("options", "absorb", absorb),
        ("options", "clearBorder", clear_border),
        ("options", "minArea", min_area),
        ("options", "maxArea", max_area),
        ("options", "largest", largest),
        ("options", "expand", expand),
        ("options", "select", select),
        ("options", "sort", sort),
        ("options", "top", top),
        ("options", "pick", pick),
        ("options", "physical", physical),
    ), channel_axis, engine, progress)


def split(
    image: ArrayLike,
    *,
    spacing: Any = None,
    nodata: float | None = None,
    channel: Any = None,
    within: ArrayLike | None = None,
    intensity: ArrayLike | None = None,
    smooth: float | None = None,
    gradient: Any = None,
    flatten: int | None = None,
    threshold: Any = "nonzero",
    polarity: str | None = None,
    by: Any = None,
    background: Any = None,
    connectivity: Any = None,
    open: float | None = None,
    close: float | None = None,
    erode: float | None = None,
    dilate: float | None = None,
    fill_holes: Any = None,
    max_hole_area: float | None = None,
    split: Any = 1,
    absorb: float | None = None,
    clear_border: bool | None = None,
    min_area: float | None = None,
    max_area: float | None = None,
    largest: int | None = None,
    expand: float | None = None,
    select: str | None = None,
    sort: str | None = None,
    top: int | None = None,
    pick: Any = None,
    physical: bool | None = None,
    channel_axis: int | None = None,
    engine: Engine | None = None,
    progress: bool = False,
) -> Array:
    """Labels the objects of an image as label() does, and splits those that touch, as a watershed of their distance maps
    does.

    Returns: Labels of the type uint32, with the number of parts as `count`.

    spacing: the size of a pixel, instead of what the file tells; one number stands for all sides; file: the printing
        resolution of a PNG or TIFF, which is not used otherwise.
    nodata: pixels that hold V in the file, before slope and intercept, were not measured: background, as NaN is.
    channel: take red, green, blue, alpha, band or channel N (from 0), luma (default), contrast: the colour distance
        from the frame of the picture, hematoxylin, eosin, dab, or index: the numbers of a palette.
    within: only pixels where this image or volume, FILE or FILE:SELECTION, is not 0; others are background, and count
        for no threshold.
    intensity: measure the values of this image, at the same place, under the objects: its channel as in cells.tif:1,
        or channel, time, page and level as in cells.tif:channel=1,time=3; may be repeated, and named as in
        marker=cells.tif:1.
    smooth: smooth by a Gaussian of S pixels before the threshold.
    gradient: find objects in how much values change per pixel: by Sobel's operators (sobel), or by derivatives of a
        Gaussian of S pixels; thresholds apply to the result.
    flatten: for uneven light: subtract the mean of the pixels up to R away and add 128 (8 bits) or 32768 (16 bits);
        thresholds apply to the result.
    threshold: which pixels belong to objects, by their values.
    polarity: bright or dark: above, or at and below, an automatic or local threshold; without it dark if most pixels
        are brighter than the mean around them.
    by: neighbours join by their values instead of a threshold.
    background: with by value or tolerance:D: this value is no object; 0 by default, or none.
    connectivity: neighbours of a pixel: 4 (default) or 8; in volumes 6 (default), 18 or 26.
    open: drop parts that are too narrow for a ball of radius R (pixels, or units with physical).
    close: fill gaps that are too narrow for a ball of radius R.
    erode: drop pixels that are at most R from the background.
    dilate: add pixels that are at most R from an object.
    fill_holes: fill holes, with whatever lies in them; slices, x, y or z: of each slice by itself, and several as in
        x,z one after another.
    max_hole_area: with fill_holes: leave larger holes.
    split: split objects that touch where the distance to the background falls by H (default 1).
    absorb: give areas of fewer pixels to the neighbour with the longest border.
    clear_border: drop objects that touch the image border.
    min_area: drop objects of fewer pixels.
    max_area: drop objects of more pixels.
    largest: keep the K largest.
    expand: at last, let objects grow by D into the background; they keep apart.
    select: keep the objects that fulfil it, e.g. "area > 50 && eccentricity < 0.8"; with + - * / ( ) ! && ||,
        properties of one number, x0 to z1 of the bounds, value, and polarity == bright or dark.
    sort: order of --regions and top, the largest first; -PROPERTY the smallest.
    top: keep the first N by sort, or the N largest.
    pick: at last, keep only the objects that these pixels belong to; may be repeated.
    physical: lengths and radii, and what tables hold, are in units of the spacing; min_area and its like count
        pixels.
    channel_axis: the axis of the channels, of an image that has some.
    engine: the engine that computes; one for the whole program by default.
    progress: show the progress with tqdm, where it is installed.

    Raises ValueError for a wrong argument, and MemoryError where memory is too small.
    """
    return call("components", "labels", image, (
        ("input", "spacing", spacing),
        ("input", "nodata", nodata),
        ("input", "channel", channel),
        ("input", "within", within),
        ("input", "intensity", intensity),
        ("options", "smooth", smooth),
        ("options", "gradient", gradient),
        ("options", "flatten", flatten),
        ("options", "threshold", threshold),
        ("options", "polarity", polarity),
        ("options", "by", by),
        ("options", "background", background),
        ("options", "connectivity", connectivity),
        ("options", "open", open),
        ("options", "close", close),
        ("options", "erode", erode),
        ("options", "dilate", dilate),
        ("options", "fillHoles", fill_holes),
        ("options", "maxHoleArea", max_hole_area),
        ("options", "split", split),
        ("options", "absorb", absorb),
        ("options", "clearBorder", clear_border),
        ("options", "minArea", min_area),
        ("options", "maxArea", max_area),
        ("options", "largest", largest),
        ("options", "expand", expand),
        ("options", "select", select),
        ("options", "sort", sort),
        ("options", "top", top),
        ("options", "pick", pick),
        ("options", "physical", physical),
    ), channel_axis, engine, progress)


def outlines(
    image: ArrayLike,
    *,
    spacing: Any = None,
    nodata: float | None = None,
    channel: Any = None,
    within: ArrayLike | None = None,
    intensity: ArrayLike | None = None,
    smooth: float | None = None,
    gradient: Any = None,
    flatten: int | None = None,
    threshold: Any = "nonzero",
    polarity: str | None = None,
    by: Any = None,
    background: Any = None,
    connectivity: Any = None,
    open: float | None = None,
    close: float | None = None,
    erode: float | None = None,
    dilate: float | None = None,
    fill_holes: Any = None,
    max_hole_area: float | None = None,
    split: Any = None,
    absorb: float | None = None,
    clear_border: bool | None = None,
    min_area: float | None = None,
    max_area: float | None = None,
    largest: int | None = None,
    expand: float | None = None,
    select: str | None = None,
    sort: str | None = None,
    top: int | None = None,
    pick: Any = None,
    physical: bool | None = None,
    simplify: float | None = None,
    rings: str | None = None,
    channel_axis: int | None = None,
    engine: Engine | None = None,
    progress: bool = False,
) -> Outlines:
    """Finds the objects of an image as label() does, and traces them.

    Returns: Closed polygons as `rings`, with their `label` and `hole`.

    spacing: the size of a pixel, instead of what the file tells; one number stands for all sides; file: the printing
        resolution of a PNG or TIFF, which is not used otherwise.
    nodata: pixels that hold V in the file, before slope and intercept, were not measured: background, as NaN is.
    channel: take red, green, blue, alpha, band or channel N (from 0), luma (default), contrast: the colour distance
        from the frame of the picture, hematoxylin, eosin, dab, or index: the numbers of a palette.
    within: only pixels where this image or volume, FILE or FILE:SELECTION, is not 0; others are background, and count
        for no threshold.
    intensity: measure the values of this image, at the same place, under the objects: its channel as in cells.tif:1,
        or channel, time, page and level as in cells.tif:channel=1,time=3; may be repeated, and named as in
        marker=cells.tif:1.
    smooth: smooth by a Gaussian of S pixels before the threshold.
    gradient: find objects in how much values change per pixel: by Sobel's operators (sobel), or by derivatives of a
        Gaussian of S pixels; thresholds apply to the result.
    flatten: for uneven light: subtract the mean of the pixels up to R away and add 128 (8 bits) or 32768 (16 bits);
        thresholds apply to the result.
    threshold: which pixels belong to objects, by their values.
    polarity: bright or dark: above, or at and below, an automatic or local threshold; without it dark if most pixels
        are brighter than the mean around them.
    by: neighbours join by their values instead of a threshold.
    background: with by value or tolerance:D: this value is no object; 0 by default, or none.
    connectivity: neighbours of a pixel: 4 (default) or 8; in volumes 6 (default), 18 or 26.
    open: drop parts that are too narrow for a ball of radius R (pixels, or units with physical).
    close: fill gaps that are too narrow for a ball of radius R.
    erode: drop pixels that are at most R from the background.
    dilate: add pixels that are at most R from an object.
    fill_holes: fill holes, with whatever lies in them; slices, x, y or z: of each slice by itself, and several as in
        x,z one after another.
    max_hole_area: with fill_holes: leave larger holes.
    split: split objects that touch where the distance to the background falls by H (default 1).
    absorb: give areas of fewer pixels to the neighbour with the longest border.
    clear_border: drop objects that touch the image border.
    min_area: drop objects of fewer pixels.
    max_area: drop objects of more pixels.
    largest: keep the K largest.
    expand: at last, let objects grow by D into the background; they keep apart.
    select: keep the objects that fulfil it, e.g. "area > 50 && eccentricity < 0.8"; with + - * / ( ) ! && ||,
        properties of one number, x0 to z1 of the bounds, value, and polarity == bright or dark.
    sort: order of --regions and top, the largest first; -PROPERTY the smallest.
    top: keep the first N by sort, or the N largest.
    pick: at last, keep only the objects that these pixels belong to; may be repeated.
    physical: lengths and radii, and what tables hold, are in units of the spacing; min_area and its like count
        pixels.
    simplify: leave out corners of outlines at most this far from the simplified line; shared borders stay shared.
    rings: outlines: simple (valid polygons: rings are cut where they touch themselves; the default) or exact (one
        ring per border).
    channel_axis: the axis of the channels, of an image that has some.
    engine: the engine that computes; one for the whole program by default.
    progress: show the progress with tqdm, where it is installed.

    Raises ValueError for a wrong argument, and MemoryError where memory is too small.
    """
    return call("components", "outlines", image, (
        ("input", "spacing", spacing),
        ("input", "nodata", nodata),
        ("input", "channel", channel),
        ("input", "within", within),
        ("input", "intensity", intensity),
        ("options", "smooth", smooth),
        ("options", "gradient", gradient),
        ("options", "flatten", flatten),
        ("options", "threshold", threshold),
        ("options", "polarity", polarity),
        ("options", "by", by),
        ("options", "background", background),
        ("options", "connectivity", connectivity),
        ("options", "open", open),
        ("options", "close", close),
        ("options", "erode", erode),
        ("options", "dilate", dilate),
        ("options", "fillHoles", fill_holes),
        ("options", "maxHoleArea", max_hole_area),
        ("options", "split", split),
        ("options", "absorb", absorb),
        ("options", "clearBorder", clear_border),
        ("options", "minArea", min_area),
        ("options", "maxArea", max_area),
        ("options", "largest", largest),
        ("options", "expand", expand),
        ("options", "select", select),
        ("options", "sort", sort),
        ("options", "top", top),
        ("options", "pick", pick),
        ("options", "physical", physical),
        ("products", "simplify", simplify),
        ("products", "rings", rings),
    ), channel_axis, engine, progress)


def label_outlines(
    image: ArrayLike,
    *,
    spacing: Any = None,
    nodata: float | None = None,
    channel: Any = None,
    intensity: ArrayLike | None = None,
    connectivity: Any = None,
    absorb: float | None = None,
    clear_border: bool | None = None,
    min_area: float | None = None,
    max_area: float | None = None,
    largest: int | None = None,
    expand: float | None = None,
    select: str | None = None,
    sort: str | None = None,
    top: int | None = None,
    pick: Any = None,
    physical: bool | None = None,
    simplify: float | None = None,
    rings: str | None = None,
    channel_axis: int | None = None,
    engine: Engine | None = None,
    progress: bool = False,
) -> Outlines:
    """Traces the objects of a label image. Borders that two objects share are shared by their outlines.

    Returns: Closed polygons as `rings`, with their `label` and `hole`.

    spacing: the size of a pixel, instead of what the file tells; one number stands for all sides; file: the printing
        resolution of a PNG or TIFF, which is not used otherwise.
    nodata: pixels that hold V in the file, before slope and intercept, were not measured: background, as NaN is.
    channel: take the labels of band or channel N (from 0) of a file that holds several.
    intensity: measure the values of this image, at the same place, under the objects: its channel as in cells.tif:1,
        or channel, time, page and level as in cells.tif:channel=1,time=3; may be repeated, and named as in
        marker=cells.tif:1.
    connectivity: neighbours of a pixel: 4 (default) or 8; in volumes 6 (default), 18 or 26.
    absorb: give areas of fewer pixels to the neighbour with the longest border.
    clear_border: drop objects that touch the image border.
    min_area: drop objects of fewer pixels.
    max_area: drop objects of more pixels.
    largest: keep the K largest.
    expand: at last, let objects grow by D into the background; they keep apart.
    select: keep the objects that fulfil it, e.g. "area > 50 && eccentricity < 0.8"; with + - * / ( ) ! && ||,
        properties of one number, x0 to z1 of the bounds, value, and polarity == bright or dark.
    sort: order of --regions and top, the largest first; -PROPERTY the smallest.
    top: keep the first N by sort, or the N largest.
    pick: at last, keep only the objects that these pixels belong to; may be repeated.
    physical: lengths and radii, and what tables hold, are in units of the spacing; min_area and its like count
        pixels.
    simplify: leave out corners of outlines at most this far from the simplified line; shared borders stay shared.
    rings: outlines: simple (valid polygons: rings are cut where they touch themselves; the default) or exact (one
        ring per border).
    channel_axis: the axis of the channels, of an image that has some.
    engine: the engine that computes; one for the whole program by default.
    progress: show the progress with tqdm, where it is installed.

    Raises ValueError for a wrong argument, and MemoryError where memory is too small.
    """
    return call("labelled", "outlines", image, (
        ("input", "spacing", spacing),
        ("input", "nodata", nodata),
        ("input", "channel", channel),
        ("input", "intensity", intensity),
        ("options", "connectivity", connectivity),
        ("options", "absorb", absorb),
        ("options", "clearBorder", clear_border),
        ("options", "minArea", min_area),
        ("options", "maxArea", max_area),
        ("options", "largest", largest),
        ("options", "expand", expand),
        ("options", "select", select),
        ("options", "sort", sort),
        ("options", "top", top),
        ("options", "pick", pick),
        ("options", "physical", physical),
        ("products", "simplify", simplify),
        ("products", "rings", rings),
    ), channel_axis, engine, progress)


def regions(
    image: ArrayLike,
    *,
    spacing: Any = None,
    nodata: float | None = None,
    channel: Any = None,
    within: ArrayLike | None = None,
    intensity: ArrayLike | None = None,
    smooth: float | None = None,
    gradient: Any = None,
    flatten: int | None = None,
    threshold: Any = "nonzero",
    polarity: str | None = None,
    by: Any = None,
    background: Any = None,
    connectivity: Any = None,
    open: float | None = None,
    close: float | None = None,
    erode: float | None = None,
    dilate: float | None = None,
    fill_holes: Any = None,
    max_hole_area: float | None = None,
    split: Any = None,
    absorb: float | None = None,
    clear_border: bool | None = None,
    min_area: float | None = None,
    max_area: float | None = None,
    largest: int | None = None,
    expand: float | None = None,
    select: str | None = None,
    sort: str | None = None,
    top: int | None = None,
    pick: Any = None,
    physical: bool | None = None,
    properties: Any = None,
    per_channel: bool | None = None,
    quantiles: Any = None,
    bins: int | None = None,
    channel_axis: int | None = None,
    engine: Engine | None = None,
    progress: bool = False,
) -> Table:
    """Finds the objects of an image or a volume as label() does, and measures them.

    Returns: A dict of arrays with an entry per object, for pandas.DataFrame().

    spacing: the size of a pixel, instead of what the file tells; one number stands for all sides; file: the printing
        resolution of a PNG or TIFF, which is not used otherwise.
    nodata: pixels that hold V in the file, before slope and intercept, were not measured: background, as NaN is.
    channel: take red, green, blue, alpha, band or channel N (from 0), luma (default), contrast: the colour distance
        from the frame of the picture, hematoxylin, eosin, dab, or index: the numbers of a palette.
    within: only pixels where this image or volume, FILE or FILE:SELECTION, is not 0; others are background, and count
        for no threshold.
    intensity: measure the values of this image, at the same place, under the objects: its channel as in cells.tif:1,
        or channel, time, page and level as in cells.tif:channel=1,time=3; may be repeated, and named as in
        marker=cells.tif:1.
    smooth: smooth by a Gaussian of S pixels before the threshold.
    gradient: find objects in how much values change per pixel: by Sobel's operators (sobel), or by derivatives of a
        Gaussian of S pixels; thresholds apply to the result.
    flatten: for uneven light: subtract the mean of the pixels up to R away and add 128 (8 bits) or 32768 (16 bits);
        thresholds apply to the result.
    threshold: which pixels belong to objects, by their values.
    polarity: bright or dark: above, or at and below, an automatic or local threshold; without it dark if most pixels
        are brighter than the mean around them.
    by: neighbours join by their values instead of a threshold.
    background: with by value or tolerance:D: this value is no object; 0 by default, or none.
    connectivity: neighbours of a pixel: 4 (default) or 8; in volumes 6 (default), 18 or 26.
    open: drop parts that are too narrow for a ball of radius R (pixels, or units with physical).
    close: fill gaps that are too narrow for a ball of radius R.
    erode: drop pixels that are at most R from the background.
    dilate: add pixels that are at most R from an object.
    fill_holes: fill holes, with whatever lies in them; slices, x, y or z: of each slice by itself, and several as in
        x,z one after another.
    max_hole_area: with fill_holes: leave larger holes.
    split: split objects that touch where the distance to the background falls by H (default 1).
    absorb: give areas of fewer pixels to the neighbour with the longest border.
    clear_border: drop objects that touch the image border.
    min_area: drop objects of fewer pixels.
    max_area: drop objects of more pixels.
    largest: keep the K largest.
    expand: at last, let objects grow by D into the background; they keep apart.
    select: keep the objects that fulfil it, e.g. "area > 50 && eccentricity < 0.8"; with + - * / ( ) ! && ||,
        properties of one number, x0 to z1 of the bounds, value, and polarity == bright or dark.
    sort: order of --regions and top, the largest first; -PROPERTY the smallest.
    top: keep the first N by sort, or the N largest.
    pick: at last, keep only the objects that these pixels belong to; may be repeated.
    physical: lengths and radii, and what tables hold, are in units of the spacing; min_area and its like count
        pixels.
    properties: measure these (see below), e.g. area,centroid; all: those that apply but rawMoments, convexHull,
        inscribed, median, quantiles and histogram; default: those of area, centroid, bounds, perimeter, circularity
        and mean that apply.
    per_channel: measure each channel of colours by itself instead of their luma.
    quantiles: with properties quantiles: these, from 0 to 1 (default 0.25,0.5,0.75).
    bins: with properties histogram: this many bins.
    channel_axis: the axis of the channels, of an image that has some.
    engine: the engine that computes; one for the whole program by default.
    progress: show the progress with tqdm, where it is installed.

    Raises ValueError for a wrong argument, and MemoryError where memory is too small.
    """
    return call("components", "regions", image, (
        ("input", "spacing", spacing),
        ("input", "nodata", nodata),
        ("input", "channel", channel),
        ("input", "within", within),
        ("input", "intensity", intensity),
        ("options", "smooth", smooth),
        ("options", "gradient", gradient),
        ("options", "flatten", flatten),
        ("options", "threshold", threshold),
        ("options", "polarity", polarity),
        ("options", "by", by),
        ("options", "background", background),
        ("options", "connectivity", connectivity),
        ("options", "open", open),
        ("options", "close", close),
        ("options", "erode", erode),
        ("options", "dilate", dilate),
        ("options", "fillHoles", fill_holes),
        ("options", "maxHoleArea", max_hole_area),
        ("options", "split", split),
        ("options", "absorb", absorb),
        ("options", "clearBorder", clear_border),
        ("options", "minArea", min_area),
        ("options", "maxArea", max_area),
        ("options", "largest", largest),
        ("options", "expand", expand),
        ("options", "select", select),
        ("options", "sort", sort),
        ("options", "top", top),
        ("options", "pick", pick),
        ("options", "physical", physical),
        ("products", "properties", properties),
        ("products", "perChannel", per_channel),
        ("products", "quantiles", quantiles),
        ("products", "bins", bins),
    ), channel_axis, engine, progress)


def regionprops_table(
    image: ArrayLike,
    *,
    spacing: Any = None,
    nodata: float | None = None,
    channel: Any = None,
    intensity: ArrayLike | None = None,
    connectivity: Any = None,
    absorb: float | None = None,
    clear_border: bool | None = None,
    min_area: float | None = None,
    max_area: float | None = None,
    largest: int | None = None,
    expand: float | None = None,
    select: str | None = None,
    sort: str | None = None,
    top: int | None = None,
    pick: Any = None,
    physical: bool | None = None,
    properties: Any = None,
    per_channel: bool | None = None,
    quantiles: Any = None,
    bins: int | None = None,
    intensity_image: Any = None,
    channel_axis: int | None = None,
    engine: Engine | None = None,
    progress: bool = False,
) -> Table:
    """Measures the objects of a label image. Each value is an object, whatever its pieces; the column `value` has it.

    Returns: A dict of arrays with an entry per object, for pandas.DataFrame().

    spacing: the size of a pixel, instead of what the file tells; one number stands for all sides; file: the printing
        resolution of a PNG or TIFF, which is not used otherwise.
    nodata: pixels that hold V in the file, before slope and intercept, were not measured: background, as NaN is.
    channel: take the labels of band or channel N (from 0) of a file that holds several.
    intensity: measure the values of this image, at the same place, under the objects: its channel as in cells.tif:1,
        or channel, time, page and level as in cells.tif:channel=1,time=3; may be repeated, and named as in
        marker=cells.tif:1.
    connectivity: neighbours of a pixel: 4 (default) or 8; in volumes 6 (default), 18 or 26.
    absorb: give areas of fewer pixels to the neighbour with the longest border.
    clear_border: drop objects that touch the image border.
    min_area: drop objects of fewer pixels.
    max_area: drop objects of more pixels.
    largest: keep the K largest.
    expand: at last, let objects grow by D into the background; they keep apart.
    select: keep the objects that fulfil it, e.g. "area > 50 && eccentricity < 0.8"; with + - * / ( ) ! && ||,
        properties of one number, x0 to z1 of the bounds, value, and polarity == bright or dark.
    sort: order of --regions and top, the largest first; -PROPERTY the smallest.
    top: keep the first N by sort, or the N largest.
    pick: at last, keep only the objects that these pixels belong to; may be repeated.
    physical: lengths and radii, and what tables hold, are in units of the spacing; min_area and its like count
        pixels.
    properties: measure these (see below), e.g. area,centroid; all: those that apply but rawMoments, convexHull,
        inscribed, median, quantiles and histogram; default: those of area, centroid, bounds, perimeter, circularity
        and mean that apply.
    per_channel: measure each channel of colours by itself instead of their luma.
    quantiles: with properties quantiles: these, from 0 to 1 (default 0.25,0.5,0.75).
    bins: with properties histogram: this many bins.
    channel_axis: the axis of the channels, of an image that has some.
    engine: the engine that computes; one for the whole program by default.
    progress: show the progress with tqdm, where it is installed.

    Raises ValueError for a wrong argument, and MemoryError where memory is too small.
    """
    intensity = one_of("intensity", intensity, "intensity_image", intensity_image, None)
    return call("labelled", "regions", image, (
        ("input", "spacing", spacing),
        ("input", "nodata", nodata),
        ("input", "channel", channel),
        ("input", "intensity", intensity),
        ("options", "connectivity", connectivity),
        ("options", "absorb", absorb),
        ("options", "clearBorder", clear_border),
        ("options", "minArea", min_area),
        ("options", "maxArea", max_area),
        ("options", "largest", largest),
        ("options", "expand", expand),
        ("options", "select", select),
        ("options", "sort", sort),
        ("options", "top", top),
        ("options", "pick", pick),
        ("options", "physical", physical),
        ("products", "properties", properties),
        ("products", "perChannel", per_channel),
        ("products", "quantiles", quantiles),
        ("products", "bins", bins),
    ), channel_axis, engine, progress)


def refine_labels(
    image: ArrayLike,
    *,
    spacing: Any = None,
    nodata: float | None = None,
    channel: Any = None,
    intensity: ArrayLike | None = None,
    connectivity: Any = None,
    absorb: float | None = None,
    clear_border: bool | None = None,
    min_area: float | None = None,
    max_area: float | None = None,
    largest: int | None = None,
    expand: float | None = None,
    select: str | None = None,
    sort: str | None = None,
    top: int | None = None,
    pick: Any = None,
    physical: bool | None = None,
    channel_axis: int | None = None,
    engine: Engine | None = None,
    progress: bool = False,
) -> Array:
    """Keeps some objects of a label image, or lets them grow: by area, border, a condition, or `expand`. They keep their
    numbers.

    Returns: Labels of the type uint32, or of the image's type where its numbers do not fit 32 bits.

    spacing: the size of a pixel, instead of what the file tells; one number stands for all sides; file: the printing
        resolution of a PNG or TIFF, which is not used otherwise.
    nodata: pixels that hold V in the file, before slope and intercept, were not measured: background, as NaN is.
    channel: take the labels of band or channel N (from 0) of a file that holds several.
    intensity: measure the values of this image, at the same place, under the objects: its channel as in cells.tif:1,
        or channel, time, page and level as in cells.tif:channel=1,time=3; may be repeated, and named as in
        marker=cells.tif:1.
    connectivity: neighbours of a pixel: 4 (default) or 8; in volumes 6 (default), 18 or 26.
    absorb: give areas of fewer pixels to the neighbour with the longest border.
    clear_border: drop objects that touch the image border.
    min_area: drop objects of fewer pixels.
    max_area: drop objects of more pixels.
    largest: keep the K largest.
    expand: at last, let objects grow by D into the background; they keep apart.
    select: keep the objects that fulfil it, e.g. "area > 50 && eccentricity < 0.8"; with + - * / ( ) ! && ||,
        properties of one number, x0 to z1 of the bounds, value, and polarity == bright or dark.
    sort: order of --regions and top, the largest first; -PROPERTY the smallest.
    top: keep the first N by sort, or the N largest.
    pick: at last, keep only the objects that these pixels belong to; may be repeated.
    physical: lengths and radii, and what tables hold, are in units of the spacing; min_area and its like count
        pixels.
    channel_axis: the axis of the channels, of an image that has some.
    engine: the engine that computes; one for the whole program by default.
    progress: show the progress with tqdm, where it is installed.

    Raises ValueError for a wrong argument, and MemoryError where memory is too small.
    """
    return call("labelled", "values", image, (
        ("input", "spacing", spacing),
        ("input", "nodata", nodata),
        ("input", "channel", channel),
        ("input", "intensity", intensity),
        ("options", "connectivity", connectivity),
        ("options", "absorb", absorb),
        ("options", "clearBorder", clear_border),
        ("options", "minArea", min_area),
        ("options", "maxArea", max_area),
        ("options", "largest", largest),
        ("options", "expand", expand),
        ("options", "select", select),
        ("options", "sort", sort),
        ("options", "top", top),
        ("options", "pick", pick),
        ("options", "physical", physical),
    ), channel_axis, engine, progress)


def expand_labels(
    image: ArrayLike,
    *,
    spacing: Any = None,
    expand: float | None = None,
    physical: bool | None = None,
    distance: Any = None,
    channel_axis: int | None = None,
    engine: Engine | None = None,
    progress: bool = False,
) -> Array:
    """Lets the objects of a label image grow into the background by `expand`, 1 by default; they keep apart, and keep their
    numbers.

    Returns: Labels of the type uint32, or of the image's type where its numbers do not fit 32 bits.

    spacing: the size of a pixel, instead of what the file tells; one number stands for all sides; file: the printing
        resolution of a PNG or TIFF, which is not used otherwise.
    expand: at last, let objects grow by D into the background; they keep apart.
    physical: lengths and radii, and what tables hold, are in units of the spacing; min_area and its like count
        pixels.
    channel_axis: the axis of the channels, of an image that has some.
    engine: the engine that computes; one for the whole program by default.
    progress: show the progress with tqdm, where it is installed.

    Raises ValueError for a wrong argument, and MemoryError where memory is too small.
    """
    expand = one_of("expand", expand, "distance", distance, 1)
    return call("labelled", "values", image, (
        ("input", "spacing", spacing),
        ("options", "expand", expand),
        ("options", "physical", physical),
    ), channel_axis, engine, progress)


def fill(
    image: ArrayLike,
    *,
    spacing: Any = None,
    nodata: float | None = None,
    channel: Any = None,
    within: ArrayLike | None = None,
    seeds: Any = None,
    tolerance: Any = None,
    metric: str | None = None,
    range: str | None = None,
    contiguous: bool | None = None,
    average: int | None = None,
    connectivity: Any = None,
    channel_axis: int | None = None,
    engine: Engine | None = None,
    progress: bool = False,
) -> Array:
    """Finds the pixels around seeds whose values are alike, as a flood fill or a magic wand does.

    Returns: A mask of the type bool.

    spacing: the size of a pixel, instead of what the file tells; one number stands for all sides; file: the printing
        resolution of a PNG or TIFF, which is not used otherwise.
    nodata: pixels that hold V in the file, before slope and intercept, were not measured: background, as NaN is.
    channel: take one of several: band or channel N (from 0) of a file, or red, green, blue, alpha, luma, contrast,
        hematoxylin, eosin or dab of colours.
    within: only pixels where this image or volume, FILE or FILE:SELECTION, is not 0; others are background, and count
        for no threshold.
    seeds: where to begin, in a volume with its slice; may be repeated.
    tolerance: how far a channel may differ, or one per channel: R,G,B (default 0).
    metric: difference of colours: linf (largest; default), l1 (sum) or l2 (Euclidean).
    range: against the colour at the point (fixed; default) or of the neighbour (floating).
    contiguous: whether only pixels count that are connected to a seed.
    average: begin with the mean colour of N x N pixels, N odd.
    connectivity: neighbours of a pixel: 4 (default) or 8; in volumes 6 (default), 18 or 26.
    channel_axis: the axis of the channels, of an image that has some.
    engine: the engine that computes; one for the whole program by default.
    progress: show the progress with tqdm, where it is installed.

    Raises ValueError for a wrong argument, and MemoryError where memory is too small.
    """
    return call("fill", "mask", image, (
        ("input", "spacing", spacing),
        ("input", "nodata", nodata),
        ("input", "channel", channel),
        ("input", "within", within),
        ("options", "seeds", seeds),
        ("options", "tolerance", tolerance),
        ("options", "metric", metric),
        ("options", "range", range),
        ("options", "contiguous", contiguous),
        ("options", "average", average),
        ("options", "connectivity", connectivity),
    ), channel_axis, engine, progress)


def distance_transform(
    image: ArrayLike,
    *,
    spacing: Any = None,
    nodata: float | None = None,
    channel: Any = None,
    within: ArrayLike | None = None,
    points: Any = None,
    to: str | None = None,
    max: float | None = None,
    beyond: str | None = None,
    signed: bool | None = None,
    squared: bool | None = None,
    metric: str | None = None,
    smooth: float | None = None,
    gradient: Any = None,
    flatten: int | None = None,
    threshold: Any = "nonzero",
    polarity: str | None = None,
    by: Any = None,
    background: Any = None,
    connectivity: Any = None,
    open: float | None = None,
    close: float | None = None,
    erode: float | None = None,
    dilate: float | None = None,
    fill_holes: Any = None,
    max_hole_area: float | None = None,
    split: Any = None,
    absorb: float | None = None,
    clear_border: bool | None = None,
    min_area: float | None = None,
    max_area: float | None = None,
    largest: int | None = None,
    expand: float | None = None,
    physical: bool | None = None,
    sampling: Any = None,
    return_indices: bool = False,
    channel_axis: int | None = None,
    engine: Engine | None = None,
    progress: bool = False,
) -> Any:
    """The distance of each pixel to the nearest object. SciPy and edt measure the distance to the background: give them
    `image == 0`.

    Returns: Distances of the type float32, or uint32 with `squared`.

    spacing: the size of a pixel, instead of what the file tells; one number stands for all sides; file: the printing
        resolution of a PNG or TIFF, which is not used otherwise.
    nodata: pixels that hold V in the file, before slope and intercept, were not measured: background, as NaN is.
    channel: take red, green, blue, alpha, band or channel N (from 0), luma (default), contrast: the colour distance
        from the frame of the picture, hematoxylin, eosin, dab, or index: the numbers of a palette.
    within: only pixels where this image or volume, FILE or FILE:SELECTION, is not 0; others are background, and count
        for no threshold.
    points: to these pixels instead of the foreground; may be repeated.
    to: what distances are measured to.
    max: exact up to R, no further.
    beyond: pixels beyond R: infinity (default), clamp to R, or coarse, interpolated.
    signed: inside objects minus the distance to the background.
    squared: squared distances in whole units, as 32-bit integers, 4294967295 for none.
    metric: euclidean (default), cityblock or chessboard.
    smooth: smooth by a Gaussian of S pixels before the threshold.
    gradient: find objects in how much values change per pixel: by Sobel's operators (sobel), or by derivatives of a
        Gaussian of S pixels; thresholds apply to the result.
    flatten: for uneven light: subtract the mean of the pixels up to R away and add 128 (8 bits) or 32768 (16 bits);
        thresholds apply to the result.
    threshold: which pixels belong to objects, by their values.
    polarity: bright or dark: above, or at and below, an automatic or local threshold; without it dark if most pixels
        are brighter than the mean around them.
    by: neighbours join by their values instead of a threshold.
    background: with by value or tolerance:D: this value is no object; 0 by default, or none.
    connectivity: neighbours of a pixel: 4 (default) or 8; in volumes 6 (default), 18 or 26.
    open: drop parts that are too narrow for a ball of radius R (pixels, or units with physical).
    close: fill gaps that are too narrow for a ball of radius R.
    erode: drop pixels that are at most R from the background.
    dilate: add pixels that are at most R from an object.
    fill_holes: fill holes, with whatever lies in them; slices, x, y or z: of each slice by itself, and several as in
        x,z one after another.
    max_hole_area: with fill_holes: leave larger holes.
    split: split objects that touch where the distance to the background falls by H (default 1).
    absorb: give areas of fewer pixels to the neighbour with the longest border.
    clear_border: drop objects that touch the image border.
    min_area: drop objects of fewer pixels.
    max_area: drop objects of more pixels.
    largest: keep the K largest.
    expand: at last, let objects grow by D into the background; they keep apart.
    physical: lengths and radii, and what tables hold, are in units of the spacing; min_area and its like count
        pixels.
    return_indices: also return the place of each pixel's nearest object pixel, in an array with an axis for the axes.
    channel_axis: the axis of the channels, of an image that has some.
    engine: the engine that computes; one for the whole program by default.
    progress: show the progress with tqdm, where it is installed.

    Raises ValueError for a wrong argument, and MemoryError where memory is too small.
    """
    spacing = one_of("spacing", spacing, "sampling", sampling, None)
    return call("distance", "distances", image, (
        ("input", "spacing", spacing),
        ("input", "nodata", nodata),
        ("input", "channel", channel),
        ("input", "within", within),
        ("options", "points", points),
        ("options", "to", to),
        ("options", "max", max),
        ("options", "beyond", beyond),
        ("options", "signed", signed),
        ("options", "squared", squared),
        ("options", "metric", metric),
        ("options", "smooth", smooth),
        ("options", "gradient", gradient),
        ("options", "flatten", flatten),
        ("options", "threshold", threshold),
        ("options", "polarity", polarity),
        ("options", "by", by),
        ("options", "background", background),
        ("options", "connectivity", connectivity),
        ("options", "open", open),
        ("options", "close", close),
        ("options", "erode", erode),
        ("options", "dilate", dilate),
        ("options", "fillHoles", fill_holes),
        ("options", "maxHoleArea", max_hole_area),
        ("options", "split", split),
        ("options", "absorb", absorb),
        ("options", "clearBorder", clear_border),
        ("options", "minArea", min_area),
        ("options", "maxArea", max_area),
        ("options", "largest", largest),
        ("options", "expand", expand),
        ("options", "physical", physical),
    ), channel_axis, engine, progress, return_indices)


def kmeans(
    image: ArrayLike,
    k: Any,
    *,
    spacing: Any = None,
    channel: Any = None,
    within: ArrayLike | None = None,
    max_k: int | None = None,
    metric: str | None = None,
    init: Any = None,
    seed: int | None = None,
    colour_space: str | None = None,
    max_iterations: int | None = None,
    tolerance: float | None = None,
    restarts: int | None = None,
    merge: Any = None,
    pick: Any = None,
    ignore_transparent: bool | None = None,
    absorb: float | None = None,
    channel_axis: int | None = None,
    engine: Engine | None = None,
    progress: bool = False,
) -> Array:
    """Divides the colours or greys of an image into k classes.

    Returns: Classes of the type uint8, with `centres` and `inertia`.

    spacing: the size of a pixel, instead of what the file tells; one number stands for all sides; file: the printing
        resolution of a PNG or TIFF, which is not used otherwise.
    channel: take one of several: band or channel N (from 0) of a file, or red, green, blue, alpha, luma, contrast,
        hematoxylin, eosin or dab of colours.
    within: only pixels where this image or volume, FILE or FILE:SELECTION, is not 0; others are background, and count
        for no threshold.
    k: classes, 1 to 256; or auto: as many as the colours suggest.
    max_k: with -k auto: the most to try (default 12).
    metric: l2 (means; default), l1 (medians) or l1-mean (nearest by sums of differences, means).
    init: initial centres: kmeans++ (default), random, grid, tiles (means of k parts of the picture), colours
        '#rrggbb,#rrggbb,...', or greys 0,128,255.
    seed: seed of the random generator (default 0).
    colour_space: compare colours as they are (rgb; default) or as the eye sees them (oklab).
    max_iterations: most iterations (default 100).
    tolerance: end once no centre moves further than D (default 0).
    restarts: runs from different random initial centres; the one with the lowest inertia is kept.
    merge: classes that become one: of each list those that its pixels belong to, in the mean of their colours.
    pick: of a recipe within another: only the classes that these pixels belong to.
    ignore_transparent: pixels of alpha 0 belong to no class: 255 in classes.
    absorb: give areas of fewer pixels to the neighbour with the longest border.
    channel_axis: the axis of the channels, of an image that has some.
    engine: the engine that computes; one for the whole program by default.
    progress: show the progress with tqdm, where it is installed.

    Raises ValueError for a wrong argument, and MemoryError where memory is too small.
    """
    return call("kmeans", "classes", image, (
        ("input", "spacing", spacing),
        ("input", "channel", channel),
        ("input", "within", within),
        ("options", "k", k),
        ("options", "maxK", max_k),
        ("options", "metric", metric),
        ("options", "init", init),
        ("options", "seed", seed),
        ("options", "colourSpace", colour_space),
        ("options", "maxIterations", max_iterations),
        ("options", "tolerance", tolerance),
        ("options", "restarts", restarts),
        ("options", "merge", merge),
        ("options", "pick", pick),
        ("options", "ignoreTransparent", ignore_transparent),
        ("options", "absorb", absorb),
    ), channel_axis, engine, progress)


def combine_masks(
    image: ArrayLike,
    *,
    spacing: Any = None,
    union: Sequence[ArrayLike] | None = None,
    intersection: Sequence[ArrayLike] | None = None,
    difference: Sequence[ArrayLike] | None = None,
    erode: float | None = None,
    dilate: float | None = None,
    metric: str | None = None,
    physical: bool | None = None,
    channel_axis: int | None = None,
    engine: Engine | None = None,
    progress: bool = False,
) -> Array:
    """Combines masks, and erodes or dilates the result.

    Returns: A mask of the type bool.

    spacing: the size of a pixel, instead of what the file tells; one number stands for all sides; file: the printing
        resolution of a PNG or TIFF, which is not used otherwise.
    union: add the pixels that are selected in any of these.
    intersection: keep only the pixels that are selected in all of these.
    difference: take away the pixels that are selected in any of these.
    erode: take away pixels that are at most R from an unselected one.
    dilate: add pixels that are at most R from a selected one.
    metric: euclidean (default), cityblock or chessboard.
    physical: lengths and radii, and what tables hold, are in units of the spacing; min_area and its like count
        pixels.
    channel_axis: the axis of the channels, of an image that has some.
    engine: the engine that computes; one for the whole program by default.
    progress: show the progress with tqdm, where it is installed.

    Raises ValueError for a wrong argument, and MemoryError where memory is too small.
    """
    return call("mask", "mask", image, (
        ("input", "spacing", spacing),
        ("input", "union", union),
        ("input", "intersection", intersection),
        ("input", "difference", difference),
        ("options", "erode", erode),
        ("options", "dilate", dilate),
        ("options", "metric", metric),
        ("options", "physical", physical),
    ), channel_axis, engine, progress)
