// Writes the table of the work that a GPU does itself in docs/algorithms.md. With --check it only compares.
//
//     node scripts/docs/devices.mjs [--check]

import { readFileSync, writeFileSync } from "node:fs";
import { PRODUCTS, REQUESTS } from "../../packages/skerry/dist/gpu/serves.js";

const page = new URL("../../docs/algorithms.md", import.meta.url);
const [BEGIN, END] = ["<!-- devices: node scripts/docs/devices.mjs -->", "<!-- /devices -->"];

const rows = (table) => Object.values(table).map(({ title, limits }) => `| ${title} | ${limits} |`);
const made = [
  BEGIN,
  "",
  "| work of a GPU on pixels | limits |",
  "| --- | --- |",
  ...rows(REQUESTS),
  "",
  "| of components that it holds | limits |",
  "| --- | --- |",
  ...rows(PRODUCTS),
  "",
  END,
].join("\n");

const text = readFileSync(page, "utf8");
const next = `${text.slice(0, text.indexOf(BEGIN))}${made}${text.slice(text.indexOf(END) + END.length)}`;
if (!process.argv.includes("--check")) writeFileSync(page, next);
else if (next !== text) {
  console.error("docs/algorithms.md has another table of devices; run node scripts/docs/devices.mjs");
  process.exit(1);
}
