// Writes the functions of the Python package from the fields of recipes: their names in snake_case, types, defaults and texts. What is not
// in the fields stands here once: which operation a function is, what it returns, and the aliases.

import { FIELDS, fieldsOf } from "@skerry/recipe/internal";
import { isOfIntensity, PROPERTIES as MEASURED } from "skerry/internal";

const snake = (name) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** Fields that only readers of files have, or whose places lie within records. */
const LEFT_OUT = new Set(
  "shape dtype endless volume page time stack allowGaps level axes matte ignorePlace crop unit maxLength edits strokes failIf golden deviation simplify rings world draw colourBy title name downsample color opacity coats".split(
    " ",
  ),
);
/** Fields whose value is an image beside the first one, or several. */
const IMAGES = new Set(["within", "intensity"]);
const LISTS = new Set(["union", "intersection", "difference"]);
/** Fields whose values are places or sizes along axes: numpy has them in the other order. */
const PLACES = new Set(["spacing", "seeds", "points", "pick", "merge"]);

/** Properties that scikit-image measures in the same way under other names. The columns of bounds have its name anyway. */
const PROPERTIES = {
  bbox: "bounds",
  intensity_min: "min",
  intensity_max: "max",
  intensity_mean: "mean",
  intensity_std: "std",
  intensity_median: "median",
  centroid_weighted: "weightedCentroid",
  axis_major_length: "majorAxis",
  axis_minor_length: "minorAxis",
  perimeter_crofton: "crofton",
  equivalent_diameter_area: "equivalentDiameter",
  area_convex: "convexArea",
};

/** Texts for programs, of fields whose help is about files or spells what a shell can say. */
const TEXTS = {
  spacing: "the size of a pixel along each axis, or one number for all",
  nodata: "pixels of this value were not measured: background, as NaN is",
  channel:
    'of images with channels: "red", "green", "blue", "alpha", a number from 0, "luma" (default), "contrast": the colour distance from the frame of the picture, "hematoxylin", "eosin" or "dab"',
  within: "only pixels where this image of the same size is not 0; others are background, and count for no threshold",
  intensity: "measure the values of this image of the same size under the objects",
  threshold:
    'the pixels that belong to objects: "nonzero", "otsu", "li", "triangle", {"above": n}, {"below": n}, {"between": [low, high]}, {"outside": [low, high]}, {"hysteresis": [low, high]}, {"local": {"radius": r, "method": "mean"}} or "sauvola"',
  by: 'neighbours join by their values instead of a threshold: "value", or {"tolerance": d}',
  background: 'with by: this value is no object; 0 by default, or "none"',
  split: "split objects that touch where the distance to the background falls by so much",
  seeds: "places (y, x) or (z, y, x) to fill from",
  points: "places (y, x) or (z, y, x) to measure the distance to, instead of objects",
  pick: "keep only the objects at these places, (y, x) or (z, y, x); of classes, those at them",
  sort: 'the property by which rows are ordered, the largest first; "-area" begins with the smallest',
  k: 'the number of classes, or "auto"',
  perChannel: "values of intensity in each of its channels",
  properties: 'names in snake_case; "usual" (default) or "all"',
};

/** Properties that are measured on an image of intensities, and names of numbers of those with several, of images and of volumes. */
const VALUED = Object.keys(MEASURED).filter(isOfIntensity);
const NUMBERS = Object.entries(MEASURED).flatMap(([name, { numbers }]) =>
  numbers && !["bounds", "centroid", "weightedCentroid"].includes(name)
    ? [[snake(name), [numbers[0], numbers[1] ?? numbers[0]].map((each) => Object.keys(each))]]
    : [],
);

/** The functions. `aliases` are names that other libraries have for a field. */
const FUNCTIONS = [
  {
    name: "label",
    operation: "components",
    returns: "labels",
    defaults: { threshold: '"nonzero"' },
    parts: ["input", "options"],
    does: "Labels the objects of an image or a volume: 1, 2, 3 and so on, in the order of their first pixels; 0 is background.",
    gives: "Labels of the type uint32, with the number of objects as `count`.",
  },
  {
    name: "split",
    operation: "components",
    returns: "labels",
    defaults: { threshold: '"nonzero"', split: "1" },
    parts: ["input", "options"],
    does: "Labels the objects of an image as label() does, and splits those that touch, as a watershed of their distance maps does.",
    gives: "Labels of the type uint32, with the number of parts as `count`.",
  },
  {
    name: "outlines",
    operation: "components",
    returns: "outlines",
    defaults: { threshold: '"nonzero"' },
    parts: ["input", "options"],
    also: ["simplify", "rings"],
    does: "Finds the objects of an image as label() does, and traces them.",
    gives: "Closed polygons as `rings`, with their `label` and `hole`.",
  },
  {
    name: "label_outlines",
    operation: "labelled",
    returns: "outlines",
    defaults: {},
    parts: ["input", "options"],
    also: ["simplify", "rings"],
    does: "Traces the objects of a label image. Borders that two objects share are shared by their outlines.",
    gives: "Closed polygons as `rings`, with their `label` and `hole`.",
  },
  {
    name: "regions",
    operation: "components",
    returns: "regions",
    defaults: { threshold: '"nonzero"' },
    parts: ["input", "options", "products"],
    does: "Finds the objects of an image or a volume as label() does, and measures them.",
    gives: "A dict of arrays with an entry per object, for pandas.DataFrame().",
  },
  {
    name: "regionprops_table",
    operation: "labelled",
    returns: "regions",
    defaults: {},
    aliases: { intensity_image: "intensity" },
    parts: ["input", "options", "products"],
    does: "Measures the objects of a label image. Each value is an object, whatever its pieces; the column `value` has it.",
    gives: "A dict of arrays with an entry per object, for pandas.DataFrame().",
  },
  {
    name: "refine_labels",
    operation: "labelled",
    returns: "values",
    defaults: {},
    parts: ["input", "options"],
    does: "Keeps some objects of a label image, or lets them grow: by area, border, a condition, or `expand`. They keep their numbers.",
    gives: "Labels of the type uint32, or of the image's type where its numbers do not fit 32 bits.",
  },
  {
    name: "expand_labels",
    operation: "labelled",
    returns: "values",
    defaults: { expand: "1" },
    aliases: { distance: "expand" },
    positional: ["distance"],
    parts: ["input", "options"],
    only: ["spacing", "expand"],
    // Where pixels have a size, the distance is in its unit.
    more: ["options", "physical", "spacing is not None"],
    does: "Lets the objects of a label image grow into the background by `expand`, 1 by default; they keep apart, and keep their numbers.",
    gives: "Labels of the type uint32, or of the image's type where its numbers do not fit 32 bits.",
  },
  {
    name: "fill",
    operation: "fill",
    returns: "mask",
    defaults: {},
    parts: ["input", "options"],
    does: "Finds the pixels around seeds whose values are alike, as a flood fill or a magic wand does.",
    gives: "A mask of the type bool.",
  },
  {
    name: "distance_transform",
    operation: "distance",
    returns: "distances",
    defaults: { threshold: '"nonzero"' },
    aliases: { sampling: "spacing" },
    parts: ["input", "options"],
    indices: true,
    does: "The distance of each pixel to the nearest object. SciPy and edt measure the distance to the background: give them `image == 0`.",
    gives: "Distances of the type float32, or uint32 with `squared`.",
  },
  {
    name: "kmeans",
    operation: "kmeans",
    returns: "classes",
    defaults: { k: undefined },
    parts: ["input", "options"],
    does: "Divides the colours or greys of an image into k classes.",
    gives: "Classes of the type uint8, with `centres` and `inertia`.",
  },
  {
    name: "combine_masks",
    operation: "mask",
    returns: "mask",
    defaults: {},
    parts: ["input", "options"],
    does: "Combines masks, and erodes or dilates the result.",
    gives: "A mask of the type bool.",
  },
];

/** The type of a field in Python. */
function typeOf({ name, kind }) {
  if (IMAGES.has(name)) return "ArrayLike | None";
  if (LISTS.has(name)) return "Sequence[ArrayLike] | ArrayLike | None";
  if (name === "spacing") return "float | Sequence[float] | None";
  if (PLACES.has(name)) return "Sequence[Any] | None";
  // Names of properties are those of Python.
  if (name === "sort") return "str | None";
  if (name === "properties") return "str | Sequence[str] | None";
  if (name === "background") return 'float | Sequence[float] | Literal["none"] | None';
  return [...new Set([...typesOf(kind.schema), "None"])].join(" | ");
}

const PLAIN = {
  integer: "int",
  number: "float",
  string: "str",
  boolean: "bool",
  null: "None",
  object: "dict[str, Any]",
};

/** The types of Python that a schema allows. */
function typesOf({ type, const: only, enum: words, anyOf, items }) {
  if (anyOf) return anyOf.flatMap(typesOf);
  if (words) return [`Literal[${words.map((word) => JSON.stringify(word)).join(", ")}]`];
  if (only === true || only === false) return ["bool"];
  if (type === "array") return [`Sequence[${items ? typesOf(items).join(" | ") : "Any"}]`];
  return [PLAIN[type] ?? "Any"];
}

/** What functions return, that is no array. */
const TYPES = { regions: "Table", outlines: "Outlines" };

/** The name of the field that a flag sets. */
const FIELD_OF = Object.fromEntries(FIELDS.flatMap(({ name, flags }) => flags.map((flag) => [flag.name, snake(name)])));

/** The help of a flag for a program: names of flags are those of fields, and no text is broken by quotes. */
const textOf = (help) =>
  help
    .replace(/--[a-z][a-z-]*/g, (flag) => FIELD_OF[flag] ?? flag)
    .replaceAll("\\", "\\\\")
    .replaceAll('"""', "'''");

function wrapped(text, first, rest) {
  const lines = [];
  let line = first;
  for (const word of text.split(/\s+/)) {
    if (line.length + word.length > 118 && line.trim() !== "") {
      lines.push(line.trimEnd());
      line = rest;
    }
    line += `${word} `;
  }
  return [...lines, line.trimEnd()].join("\n");
}

function functionOf({
  name,
  operation,
  returns,
  defaults,
  aliases = {},
  positional = [],
  parts,
  also = [],
  only,
  more,
  indices,
  does,
  gives,
}) {
  const isTaken = ({ part, name: field }) =>
    only ? only.includes(field) : (parts.includes(part) && !LEFT_OUT.has(field)) || also.includes(field);
  const fields = fieldsOf(operation).filter(isTaken);
  const parameters = fields.map((field) => {
    const isAliased = Object.values(aliases).includes(field.name);
    const given = field.name in defaults && !isAliased ? defaults[field.name] : "None";
    return given === undefined
      ? `    ${snake(field.name)}: Any,`
      : `    ${snake(field.name)}: ${typeOf(field)} = ${given},`;
  });
  const required = parameters.filter((line) => !line.includes(" = "));
  const optional = parameters.filter((line) => line.includes(" = "));
  const other = (alias) => `    ${alias}: Any = None,`;
  const others = Object.keys(aliases)
    .filter((alias) => !positional.includes(alias))
    .map(other);
  const record = fields.map((field) => `        ("${field.part}", "${field.name}", ${snake(field.name)}),`);
  if (more) record.push(`        ("${more[0]}", "${more[1]}", ${more[2]}),`);
  const again = Object.entries(aliases).map(
    ([alias, field]) =>
      `    ${field} = one_of("${field}", ${field}, "${alias}", ${alias}, ${defaults[field] ?? "None"})`,
  );
  const told = fields.map(({ name: field, help }) =>
    wrapped(`${snake(field)}: ${TEXTS[field] ?? textOf(help)}.`, "    ", "        "),
  );
  return `def ${name}(
    image: ArrayLike,
${[...required, ...positional.map(other)].map((line) => `${line}\n`).join("")}    *,
${[...optional, ...others].join("\n")}
${indices ? "    return_indices: bool = False,\n" : ""}    channel_axis: int | None = None,
    engine: Engine | None = None,
    progress: bool = False,
) -> ${indices ? "Any" : (TYPES[returns] ?? "Array")}:
    """${wrapped(does, "", "    ")}

${wrapped(`Returns: ${gives}`, "    ", "    ")}

${told.join("\n")}
${indices ? "    return_indices: also return the place of each pixel's nearest object pixel, in an array with an axis for the axes.\n" : ""}    channel_axis: the axis of the channels, of an image that has some.
    engine: the engine that computes; one for the whole program by default.
    progress: show the progress with tqdm, where it is installed.

    Raises ValueError for a wrong argument, and MemoryError where memory is too small.
    """
${again.join("\n")}${again.length > 0 ? "\n" : ""}    return call("${operation}", "${returns}", image, (
${record.join("\n")}
    ), channel_axis, engine, progress${indices ? ", return_indices" : ""})`;
}

/** The module of the functions. */
export async function callsOf() {
  const set = (names) => `frozenset((${[...names].map((name) => `"${name}"`).join(", ")}))`;
  return `"""The functions of skerry, written by python/calls.mjs from the fields of recipes; do not edit."""
from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

from numpy.typing import ArrayLike

from ._engine import Array, Engine, Outlines, Table, call
from ._recipes import one_of

__all__ = [${FUNCTIONS.map(({ name }) => `"${name}"`).join(", ")}]

#: Fields whose values are images, lists of images, and places or sizes along axes.
IMAGES = ${set(IMAGES)}
LISTS = ${set(LISTS)}
PLACES = ${set(PLACES)}
#: Properties of the values of an image, names of the numbers of some, and names that scikit-image has for others.
VALUED = ${set(VALUED)}
NUMBERS: dict[str, tuple[tuple[str, ...], ...]] = {
${NUMBERS.map(([name, sides]) => `    "${name}": (${sides.map((each) => `(${each.map((one) => `"${one}"`).join(", ")}),`).join(" ")}),`).join("\n")}
}
#: Names of fields and properties in the library's sentences, which Python writes in snake_case.
WORDS = ${set([...new Set([...FIELDS.map((field) => field.name), ...Object.keys(MEASURED)])].filter((name) => /[A-Z]/.test(name)))}
PROPERTIES = {${Object.entries(PROPERTIES)
    .map(([name, own]) => `"${name}": "${own}"`)
    .join(", ")}}


${FUNCTIONS.map(functionOf).join("\n\n\n")}
`;
}
