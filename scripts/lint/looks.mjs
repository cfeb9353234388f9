// Checks that the page's styles keep one system: colours and sizes of type are tokens of packages/lab/src/style.css, spacing goes in
// steps of 2 px up to 8 and of 4 px beyond, corners are rounded by 4, 6, 8 or 12 px.
//
//     node scripts/lint/looks.mjs

import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../packages/lab/src/", import.meta.url));
const faults = [];
let count = 0;

/** Checks a declaration, and returns what is wrong with it. */
function faultOf(name, value) {
  if (name.startsWith("--")) return undefined;
  if (/#[0-9a-f]{3,8}\b|\b(rgb|hsl|oklch)a?\(/i.test(value)) return "a colour that is no token";
  if (name === "font-size" && !/^(var\(--[a-z]+\)|inherit|\d+(\.\d+)?em)$/.test(value))
    return "a size of type that is no token";
  // What a calculation gives has steps of its own.
  const lengths = [...value.replace(/calc\(.*\)/, "").matchAll(/(?<![\w.])(\d*\.?\d+)px/g)].map((found) =>
    Number(found[1]),
  );
  if (/^(padding|margin|gap|row-gap|column-gap)/.test(name)) {
    const wrong = lengths.find((length) => length % (length > 8 ? 4 : 2) !== 0);
    if (wrong !== undefined) return `${wrong}px is no step of spacing`;
  }
  if (name.startsWith("border-radius")) {
    const wrong = lengths.find((length) => ![0, 4, 6, 8, 12].includes(length));
    if (wrong !== undefined) return `${wrong}px is no radius`;
  }
  return undefined;
}

for (const file of readdirSync(root, { recursive: true }).filter((name) => name.endsWith(".css"))) {
  const text = readFileSync(`${root}${file}`, "utf8").replace(/\/\*.*?\*\//gs, (comment) =>
    comment.replace(/[^\n]/g, " "),
  );
  for (const found of text.matchAll(/(?<=[{;]\s*)([a-z-]+):\s*([^;{}]+);/g)) {
    count++;
    const fault = faultOf(found[1], found[2].trim());
    const line = text.slice(0, found.index).split("\n").length;
    if (fault !== undefined) faults.push(`packages/lab/src/${file}:${line}: ${found[1]}: ${found[2].trim()}: ${fault}`);
  }
}
for (const fault of faults) console.error(fault);
console.log(`${count} declarations of styles, ${faults.length} outside the system`);
if (faults.length > 0 || count < 400) process.exit(1);
