// Defines the inputs of docs/numbering.md. `node scripts/docs/numbering.mjs` labels them and writes the table of hashes there.

import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

export const INPUTS = 100;

/** Marsaglia's xorshift of 32 bits with the shifts 13, 17, 5. */
function xorshift(seed) {
  let state = Math.imul(seed, 2654435761) >>> 0 || 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    state >>>= 0;
    return state;
  };
}

/** Input i of 0..99: a raster of 0 and 1, and the connectivity that it is labelled with. */
export function inputOf(i) {
  const next = xorshift(i + 1);
  const width = 1 + (next() % 200);
  const height = 1 + (next() % 150);
  const depth = i % 4 === 3 ? 2 + (next() % 11) : 1;
  const density = next() % 101;
  const side = 1 + (next() % 8);
  const data = new Uint8Array(width * height * depth);
  const [columns, rows] = [Math.ceil(width / side), Math.ceil(height / side)];
  const blocks = Array.from({ length: columns * rows * Math.ceil(depth / side) }, () => Number(next() % 100 < density));
  const at = (x, y, z) => {
    switch (i % 5) {
      case 0: // random pixels
        return Number(next() % 100 < density);
      case 1: // random blocks
        return blocks[Math.floor(x / side) + columns * (Math.floor(y / side) + rows * Math.floor(z / side))];
      case 2: // shells around the middle
        return ((x - (width >> 1)) ** 2 + (y - (height >> 1)) ** 2 + (z - (depth >> 1)) ** 2) & (side << 6) ? 1 : 0;
      case 3: // a checkerboard, with random pixels between
        return (x + y + z) % 2 === 0 ? 1 : Number(next() % 400 < density);
      default: // one path that turns at the end of each row
        return y % 2 === 0 || x === (y % 4 === 1 ? width - 1 : 0) ? 1 : 0;
    }
  };
  for (let z = 0, p = 0; z < depth; z++) {
    for (let y = 0; y < height; y++) for (let x = 0; x < width; x++, p++) data[p] = at(x, y, z);
  }
  const connectivity = depth > 1 ? [6, 18, 26][i % 3] : [4, 8][i % 2];
  return { raster: { data, width, height, depth }, connectivity };
}

/** The first 16 digits of the SHA-256 of labels, as little-endian u32. */
export const hashOf = (labels) => createHash("sha256").update(labels).digest("hex").slice(0, 16);

const file = fileURLToPath(new URL("../../docs/numbering.md", import.meta.url));
const [START, END] = ["<!-- hashes -->", "<!-- /hashes -->"];

/** Rows of the table: number, size, connectivity, objects, hash. */
export function rowsOfPage() {
  const [, table = ""] = readFileSync(file, "utf8").split(new RegExp(`${START}|${END}`));
  return [...table.matchAll(/^\| (\d+) \| ([^|]+) \| (\d+) \| (\d+) \| `([0-9a-f]+)` \|$/gm)].map(
    ([, number, size, connectivity, objects, hash]) => ({
      number: Number(number),
      size,
      connectivity: Number(connectivity),
      objects: Number(objects),
      hash,
    }),
  );
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { open } = await import("skerry");
  const engine = await open({ device: "cpu" });
  const lines = ["", "| input | size | connectivity | objects | hash |", "| --- | --- | --- | --- | --- |"];
  for (let i = 0; i < INPUTS; i++) {
    const { raster, connectivity } = inputOf(i);
    const found = await engine.components(raster, { connectivity });
    const { data } = await found.labels();
    const { width, height, depth } = raster;
    const size = `${width} x ${height}${depth > 1 ? ` x ${depth}` : ""}`;
    lines.push(`| ${i} | ${size} | ${connectivity} | ${found.count} | \`${hashOf(data)}\` |`);
    found.dispose();
  }
  await engine.close();
  const [before, , after] = readFileSync(file, "utf8").split(new RegExp(`${START}|${END}`));
  writeFileSync(file, `${before}${START}\n${lines.join("\n")}\n\n${END}${after}`);
}
