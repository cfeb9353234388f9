// The same with skerry's engine.stream(): strips in an ordinary array, area, bounds and centroid of each object.
// argv: file, width, lines of the file, lines of a strip, times that the file is played.

import { readFileSync } from "node:fs";
import { open } from "../../dist/index.js";

const [file, ...sizes] = process.argv.slice(2);
const [width, height, strip, times] = sizes.map(Number);
const pixels = new Uint8Array(readFileSync(file).buffer);
const engine = await open({ device: "cpu" });

async function play() {
  const begins = [];
  function* strips() {
    for (let k = 0; k < times; k++) {
      for (let y = 0; y < height; y += strip) {
        begins.push(performance.now());
        yield pixels.subarray(y * width, (y + strip) * width);
      }
    }
    begins.push(performance.now());
  }
  let objects = 0;
  const options = { threshold: { outside: [70, 190] }, connectivity: 8, batch: strip };
  for await (const _ of engine.stream({ width, type: "u8", data: strips() }, options)) objects++;
  const ends = [...begins.slice(1), performance.now()];
  return { milliseconds: ends.slice(0, -1).map((end, i) => end - begins[i]), objects };
}

await play();
const { threads } = engine.describe();
console.log(JSON.stringify({ ...(await play()), threads }));
await engine.close();
