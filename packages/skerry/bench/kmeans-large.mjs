// The maximum number of pixels of k-means, 2^32 - 65 536, from a Source, in three classes and in one. Half of them are black,
// but for a single red one, and half are white. Sums exceed 32 bits everywhere, and results must equal exact numbers.
//
//     node bench/kmeans-large.mjs [cpu|gpu]

import assert from "node:assert/strict";
import { open } from "skerry";

const WIDTH = 65536;
const HEIGHT = 65535;
const RED = [230, 20, 40];
const source = {
  width: WIDTH,
  height: HEIGHT,
  channels: 3,
  type: "u8",
  read(_z0, _z1, y0, y1, into) {
    for (let y = y0; y < y1; y++) into.fill(y & 1 ? 255 : 0, (y - y0) * WIDTH * 3, (y - y0 + 1) * WIDTH * 3);
    if (y1 === HEIGHT) into.set(RED, (y1 - y0) * WIDTH * 3 - 3);
  },
};
const pixels = WIDTH * HEIGHT;
const [black, white] = [32768 * WIDTH - 1, 32767 * WIDTH];

const engine = await open({ device: process.argv[2] ?? "cpu" });
const seen = new Float64Array(256);
const into = {
  write(_z0, _z1, _y0, _y1, data) {
    // Rows are of one class, but for their last pixel.
    for (let at = 0; at < data.length; at += WIDTH) {
      seen[data[at]] += WIDTH - 1;
      seen[data[at + WIDTH - 1]]++;
    }
  },
};
for (const metric of ["l2", "l1", "l1-mean"]) {
  const begin = performance.now();
  seen.fill(0);
  const three = await engine.kmeans(source, { k: 3, metric, into });
  assert.deepEqual([...three.counts], [black, white, 1]);
  assert.deepEqual([...seen.subarray(0, 3)], [black, white, 1]);
  assert.equal(three.inertia, 0);
  const one = await engine.kmeans(source, { k: 1, metric, into });
  const exact = [0, 1, 2].map((axis) => (255n * BigInt(white) + BigInt(RED[axis])) * 128n);
  const steps = exact.map((sum) => (metric === "l1" ? 0n : (2n * sum + BigInt(pixels)) / (2n * BigInt(pixels))));
  assert.deepEqual(
    [...one.centres],
    steps.map((step) => Number(step) / 128),
  );
  const cost = (colour) =>
    steps.reduce((sum, step, axis) => {
      const d = BigInt(colour[axis]) * 128n - step;
      return sum + (metric === "l2" ? d * d : d < 0n ? -d : d);
    }, 0n);
  const total = BigInt(black) * cost([0, 0, 0]) + BigInt(white) * cost([255, 255, 255]) + cost(RED);
  const scale = metric === "l2" ? 16384n : 128n;
  assert.equal(one.inertia, Number(total / scale) + Number(total % scale) / Number(scale));
  assert.equal(one.counts[0], pixels);
  console.log(`${metric}: exact, inertia ${one.inertia}, ${((performance.now() - begin) / 1000).toFixed(1)} s`);
}
await engine.close();
