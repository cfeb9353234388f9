// Writes docs/limits.md from the constants of limits, MOST_..., and what is written above them. With --check it only compares.
//
//     node scripts/docs/limits.mjs [--check]

import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";

const packages = fileURLToPath(new URL("../../packages", import.meta.url));
const page = fileURLToPath(new URL("../../docs/limits.md", import.meta.url));

/** Packages with limits that a user can meet, and their titles. */
const TITLES = {
  skerry: "The library",
  files: "Files",
  recipe: "Recipes",
  cli: "The command line",
  lab: "The page",
  cluster: "Many machines",
};

/** A limit: what is written above it, its name and its number. */
const LIMIT =
  /^\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\n(?:export )?const (MOST_[A-Z0-9_]+)(?::[^=\n]+)? = ([\d_e.<*+\- ()]+);/gm;

const UNITS = ["bytes", "KiB", "MiB", "GiB"];

function shown(name, value) {
  if (!name.includes("BYTES")) return value.toLocaleString("en").replaceAll(",", " ");
  const power = Math.min(3, Math.floor(Math.log2(value + 1) / 10));
  return `${Number((value / 1024 ** power).toPrecision(4))} ${UNITS[power]}`;
}

function limitsOf(name) {
  const root = join(packages, name, "src");
  const files = readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
  return files.flatMap((path) =>
    [...readFileSync(path, "utf8").matchAll(LIMIT)].map(([, text, constant, expression]) => {
      const value = Function(`return ${expression};`)();
      const words = text.replace(/\s*\n \* ?/g, " ").trim();
      return `| ${words.replaceAll("|", "\\|")} | ${shown(constant, value)} | \`${relative(root, path)}\` |`;
    }),
  );
}

const parts = Object.entries(TITLES).map(([name, title]) =>
  [`## ${title}`, "", "| limit | number | file |", "| --- | ---: | --- |", ...limitsOf(name), ""].join("\n"),
);
const text = [
  "# Limits",
  "",
  "<!-- node scripts/docs/limits.mjs writes this page from the constants of the source. -->",
  "",
  "Inputs beyond a limit are refused with a sentence, worked on in another way, or named in a note. Nothing is cut off in silence.",
  "",
  ...parts,
].join("\n");

if (!process.argv.includes("--check")) writeFileSync(page, text);
else if (readFileSync(page, "utf8") !== text) {
  console.error("docs/limits.md is not what the source says; run node scripts/docs/limits.mjs");
  process.exit(1);
}
