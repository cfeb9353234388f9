// Corrections by hand on 4000 x 3000 pixels: one edit with the counts and the table after it, and 10 000 edits at once, in pictures of
// cells, noise and one giant object. `node packages/skerry/bench/corrections.mjs [--edits N]`, beside a copy of the run table.

import { parseArgs } from "node:util";
import { open } from "skerry";

const { values } = parseArgs({ options: { edits: { type: "string", default: "10000" } } });
const [width, height] = [4000, 3000];
/** Rounds that count, after WARM others: a page calls again and again. */
const [WARM, ROUNDS] = [12, 15];
const median = (times) => times.toSorted((a, b) => a - b)[times.length >> 1];

let state = 1;
const random = (most) => {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
  return Math.floor((state / 2 ** 32) * most);
};

/** 4 800 discs of radius 18 to 22 that nearly touch, noise of half the pixels, and a frame with holes. */
const PICTURES = {
  cells: (x, y) => Math.hypot((x % 50) - 25, (y % 50) - 25) < 18 + ((Math.floor(x / 50) + Math.floor(y / 50)) % 5),
  noise: () => random(2) === 1,
  "one giant": (x, y) => x % 50 > 4 || y % 50 > 4,
};

function edits(count) {
  const spot = () => [20 + random(width - 40), 20 + random(height - 40)];
  const stroke = () => {
    const [x, y] = spot();
    return Array.from({ length: 6 }, (_, i) => [x + i * 3 - 9, y + random(7) - 3]);
  };
  const kinds = [
    () => ({ draw: stroke(), radius: 3 }),
    () => ({ erase: stroke(), radius: 3 }),
    () => ({ cut: stroke() }),
    () => ({ join: [spot(), spot()] }),
    () => ({ drop: spot() }),
    () => ({ fill: spot() }),
  ];
  return Array.from({ length: count }, (_, i) => kinds[i % kinds.length]());
}

const engine = await open({ device: "cpu" });
console.log(`${width} x ${height}, ${engine.describe().threads} threads, median ms of ${ROUNDS}`);
for (const [name, isObject] of Object.entries(PICTURES)) {
  const data = Uint8Array.from({ length: width * height }, (_, i) => isObject(i % width, Math.floor(i / width)));
  const found = await engine.components({ data, width, height });
  const list = edits(Number(values.edits));
  const samples = { one: [], table: [], copy: [], all: [] };
  for (let round = 0; round < WARM + ROUNDS; round++) {
    let begin = performance.now();
    const one = await found.edit([list[round % 6]]);
    samples.one.push(performance.now() - begin);
    await one.regions();
    samples.table.push(performance.now() - begin);
    one.dispose();
    begin = performance.now();
    await found.runs();
    samples.copy.push(performance.now() - begin);
    if (name !== "cells" && round < WARM + ROUNDS - 2) continue;
    begin = performance.now();
    const all = await found.edit(list);
    samples.all.push(performance.now() - begin);
    if (round === WARM + ROUNDS - 1)
      console.log(`${name}: ${found.count} objects, ${found.runCount} runs, ${all.count} after ${list.length} edits`);
    all.dispose();
  }
  const [one, table, copy, all] = Object.values(samples).map((times) => median(times.slice(-ROUNDS)).toFixed(1));
  console.log(`  one edit ${one}, with regions ${table}; run table alone ${copy}; ${list.length} edits ${all}`);
  found.dispose();
}
await engine.close();
