// Outlines of many objects beside OpenCV's findContours of the same labels, which runs through the centres of pixels, and a
// plain copy of the corners. `npm run bench -- outlines [--size N --threads N]`.

import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import Table from "cli-table3";
import { open } from "skerry";
import { imageFile } from "./images.mjs";
import { cores, heading, ms, notes, peer, times } from "./peer.mjs";

const IMAGES = ["ellipses on a grid", "smooth blobs (50 %)", "sparse smooth blobs (2 %)"];
const ROUNDS = 7;

const median = (values) => values.sort((a, b) => a - b)[values.length >> 1];

export async function benchOutlines(args) {
  const { values } = parseArgs({
    args,
    options: { size: { type: "string", default: "8192" }, threads: { type: "string", default: String(cores) } },
  });
  const size = Number(values.size);
  console.log(heading());
  console.log(`${size} x ${size} u8, 8-connected, ${values.threads} threads, median ms of ${ROUNDS}`);
  const head = ["image", "objects", "corners", "skerry", "tolerance 1", "copy", "OpenCV, labels", "faster"];
  const table = new Table({ head });
  const engine = await open({ device: "cpu", threads: Number(values.threads) });
  for (const name of IMAGES) {
    const file = imageFile(name, size);
    const raster = { data: new Uint8Array(readFileSync(file)), width: size, height: size };
    const objects = await engine.components(raster, { connectivity: 8 });
    const samples = { own: [], copy: [], simple: [] };
    let corners = 0;
    for (let round = 0; round < ROUNDS; round++) {
      let begin = performance.now();
      const { points } = await objects.outlines();
      samples.own.push(performance.now() - begin);
      begin = performance.now();
      corners = points.slice().length / 2;
      samples.copy.push(performance.now() - begin);
      if (round > 2) continue;
      begin = performance.now();
      await objects.outlines({ tolerance: 1 });
      samples.simple.push(performance.now() - begin);
    }
    const other = (await peer("objects.py", [file, size, "opencv", "contours", 0]))?.median;
    const own = median(samples.own);
    const row = [ms(own), ms(median(samples.simple)), ms(median(samples.copy)), ms(other)];
    table.push([name, objects.count, corners, ...row, other ? times(other, own) : "-"]);
    objects.dispose();
  }
  await engine.close();
  console.log(table.toString());
  for (const note of notes) console.log(note);
}
