// Writes the table of properties in docs/guide.md from PROPERTIES. With --check it only compares.
//
//     node scripts/docs/properties.mjs [--check]

import { readFileSync, writeFileSync } from "node:fs";
import { PROPERTIES } from "skerry/internal";

const page = new URL("../../docs/guide.md", import.meta.url);
const [BEGIN, END] = ["<!-- properties: node scripts/docs/properties.mjs -->", "<!-- /properties -->"];
const UNITS = {
  size: "area or volume",
  length: "length",
  pixels: "pixels",
  count: "",
  angle: "radians",
  ratio: "",
  direction: "",
  moment: "sums of places",
  value: "values",
  sum: "values x pixels",
};
const LISTS = { quantiles: "one for each quantile", bins: "one for each bin", corners: "its corners, JSON alone" };

const names = (numbers) =>
  Object.keys(numbers)
    .map((name) => `\`${name}\``)
    .join(", ");

/** The columns of a property; those of volumes are named separately if they differ. */
function columnsOf({ numbers, list }) {
  if (list) return LISTS[list];
  if (!numbers) return "one";
  const [image, volume] = numbers.map(names);
  return volume && volume !== image ? `${image}; in volumes ${volume}` : image;
}

/** The units of a property's numbers. */
function unitOf(name, { unit, numbers, needs = [], list, only }) {
  const size = name === "surfaceArea" ? "area" : { image: "area", volume: "volume" }[only];
  const units = unit
    ? [unit]
    : numbers
      ? Object.values(numbers[0])
      : list === "corners"
        ? ["length"]
        : list && ["value"];
  const words =
    list === "bins"
      ? ["pixels"]
      : [...new Set(units.map((each) => (each === "size" && size) || UNITS[each]))].filter((word) => word !== "");
  return [...words, ...(needs.includes("square") ? ["square pixels alone"] : [])].join(", ");
}

/** The first sentences of the properties' docstrings. */
const MEANINGS = new Map();
const source = readFileSync(new URL("../../packages/skerry/src/types/regions.ts", import.meta.url), "utf8");
for (const [, comment, name] of source.matchAll(/\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\s+readonly (\w+)\?:/g)) {
  const text = comment
    .replaceAll(/^\s*\* ?/gm, " ")
    .replaceAll(/\{@link ([^}]+)\}/g, "`$1`")
    .replaceAll(/\s+/g, " ")
    .trim();
  MEANINGS.set(name, (/^.*?[^.]\.(?= |$)/.exec(text)?.[0] ?? text).replaceAll("|", "\\|"));
}

/** The first sentence of a property's docstring; empty without one. */
const meaningOf = (name) => MEANINGS.get(name) ?? "";

const rows = Object.entries(PROPERTIES).map(([name, facts]) => {
  const of = facts.only ? `${facts.only}s` : "both";
  const intensity = facts.needs?.some((need) => need === "sums" || need === "values") ? "a raster" : "";
  return `| \`${name}\` | ${meaningOf(name)} | ${of} | ${columnsOf(facts)} | ${unitOf(name, facts)} | ${intensity} | ${facts.byName ? "" : facts.usual ? '`"usual"`, `"all"`' : '`"all"`'} |`;
});
const table = [
  "| property | meaning | of | numbers, as columns of a table | unit | needs | in |",
  "| --- | --- | --- | --- | --- | --- | --- |",
  ...rows,
];

const text = readFileSync(page, "utf8");
const [before, rest] = text.split(BEGIN);
const after = rest?.split(END)[1];
if (after === undefined) throw new Error(`Expected ${BEGIN} and ${END} in docs/guide.md.`);
const made = `${before}${BEGIN}\n\n${table.join("\n")}\n\n${END}${after}`;
if (!process.argv.includes("--check")) writeFileSync(page, made);
else if (made !== text) {
  console.error("docs/guide.md has another table of properties; run node scripts/docs/properties.mjs");
  process.exitCode = 1;
}
