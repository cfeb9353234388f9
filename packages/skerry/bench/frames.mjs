// Frames at a beat: area, bounds and centroid of every object of 512 x 512 and 2048 x 2048, by engine.frames(), by single calls and
// by OpenCV in one run; and what the calling thread allocates per frame.
//
//     npm run bench -- frames

import { readFileSync } from "node:fs";
import Table from "cli-table3";
import { imageFile } from "./images.mjs";
import { heading, notes, peer } from "./peer.mjs";

const NAME = "sparse smooth blobs (2 %)";
const SIZES = [
  [512, 8000],
  [2048, 400],
];

/** The value below which a share of a list lies. */
export function quantile(values, share) {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))];
}

function copies(file, rounds) {
  const pixels = new Uint8Array(readFileSync(file).buffer);
  const into = new Uint8Array(pixels.length);
  return Array.from({ length: rounds }, () => {
    const begin = performance.now();
    into.set(pixels);
    return performance.now() - begin;
  });
}

export async function benchFrames() {
  console.log(heading());
  for (const [size, rounds] of SIZES) {
    const file = imageFile(NAME, size);
    const ours = await peer("frames-skerry.mjs", [file, size, rounds].map(String));
    const theirs = await peer("frames-opencv.py", [file, size, Math.ceil(rounds / 4)].map(String));
    const table = new Table({
      head: [`${size} x ${size}, ${NAME}`, "p50", "p95", "p99"],
      colAligns: ["left", "right", "right", "right"],
      style: { head: [], border: [], compact: true },
    });
    const add = (name, milliseconds) =>
      table.push([name, ...[0.5, 0.95, 0.99].map((share) => `${quantile(milliseconds, share).toFixed(3)} ms`)]);
    if (ours) {
      add(`frames, pixels in the plan's memory (${ours.own.objects} objects)`, ours.own.milliseconds);
      add("frames, pixels in an array", ours.array.milliseconds);
      add(`components() and regions(), ${ours.threads} threads`, ours.single);
    }
    if (theirs)
      add(`OpenCV ${theirs.version}, ${theirs.threads} threads (${theirs.objects} objects)`, theirs.milliseconds);
    add("plain copy", copies(file, rounds));
    console.log(table.toString());
    const results = 28 * (ours?.own.objects ?? 0);
    if (ours) {
      const heap = ours.heap.slice(0, 8).map(([name, bytes]) => `${Math.round(bytes)} in ${name}`);
      console.log(`bytes on the heap per frame, beside ${results} of the results' buffers: ${heap.join(", ")}`);
    }
  }
  for (const note of notes) console.log(note);
}
