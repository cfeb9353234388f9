// Lines without an end, 8192 wide, bright and dark defects: engine.stream() beside OpenCV on strips of 1024 that are joined by
// hand, and a plain copy of the same lines. And whether memory is flat: the same lines 100 times, with a scratch open throughout.
//
//     npm run bench -- stream [--rows 1000000] [--minutes 60]

import { readFileSync } from "node:fs";
import { setTimeout } from "node:timers/promises";
import { parseArgs } from "node:util";
import { defects } from "@skerry/scenes";
import Table from "cli-table3";
import { open } from "../dist/index.js";
import { quantile } from "./frames.mjs";
import { IMAGES, imageFile } from "./images.mjs";
import { heading, notes, peer } from "./peer.mjs";

const [WIDTH, HEIGHT, STRIP, TIMES] = [8192, 8192, 1024, 8];
/** Lines of 2048 a second in the soak. */
const LINES_A_SECOND = 20_000;
const NAME = "defects of both polarities (1 %)";

const mebibytes = () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync("/proc/self/status", "utf8"))[1]) / 1024;

/** Milliseconds to copy each strip once. */
function copies(pixels) {
  const into = new Uint8Array(STRIP * WIDTH);
  const milliseconds = [];
  for (let y = 0; y < HEIGHT; y += STRIP) {
    const begin = performance.now();
    into.set(pixels.subarray(y * WIDTH, (y + STRIP) * WIDTH));
    milliseconds.push(performance.now() - begin);
  }
  return milliseconds.slice(1);
}

/** Resident memory after some numbers of lines of 2048, with a scratch that never ends. */
async function memoryOver(marks, minutes) {
  const width = 2048;
  const rows = 512;
  const engine = await open({ device: "cpu" });
  const pixels = Uint8Array.from(defects(width, 0.005).subarray(0, width * rows));
  for (let y = 0; y < rows; y++) pixels[y * width + 7] = 255;
  const until = performance.now() + minutes * 60_000;
  const last = minutes > 0 ? 0 : marks.at(-1);
  const sizes = [];
  const frames = await engine.frames({ width: rows, height: rows, type: "u8", threshold: { above: 190 } });
  const start = performance.now();
  async function* lines() {
    for (let row = 0; row < last || performance.now() < until; row += rows) {
      yield pixels;
      if (minutes === 0) continue;
      // The beat of a camera, with a frame for every half thousand lines.
      await frames.measure();
      const early = start + (row / LINES_A_SECOND) * 1000 - performance.now();
      if (early > 0) await setTimeout(early);
    }
  }
  const stream = engine.stream({ width, type: "u8", data: lines() }, { threshold: { outside: [70, 190] } });
  let parts = 0;
  let objects = 0;
  const begin = performance.now();
  let next = 0;
  let minute = 0;
  for await (const { goesOn } of stream) {
    objects++;
    if (goesOn) parts++;
    if (stream.row >= marks[next])
      sizes.push([marks[next++], mebibytes(), engine.describe().memory.reserved / 2 ** 20]);
    if (minutes > 0 && performance.now() - begin > minute * 60_000) {
      if (minute % 5 === 0)
        console.log(`minute ${minute}: ${stream.row} lines, ${mebibytes().toFixed(0)} MiB resident`);
      minute++;
    }
  }
  frames.dispose();
  await engine.close();
  return { sizes, parts, objects, rows: stream.row };
}

export async function benchStream(args) {
  const { values } = parseArgs({
    args,
    options: { rows: { type: "string", default: "10000000" }, minutes: { type: "string", default: "0" } },
  });
  console.log(heading());
  if (Number(values.minutes) > 0) {
    const { parts, objects, rows } = await memoryOver([1e5, 1e6, 1e7, 5e7], Number(values.minutes));
    console.log(`${objects} objects and ${parts} parts of the scratch in ${rows} lines`);
    return;
  }
  IMAGES[NAME] = (size) => Uint8Array.from(defects(size, 0.005));
  const file = imageFile(NAME, WIDTH);
  const given = [file, WIDTH, HEIGHT, STRIP, TIMES].map(String);
  const ours = await peer("stream-skerry.mjs", given);
  const theirs = await peer("stream-opencv.py", given);
  const table = new Table({
    head: [`${WIDTH} wide, strips of ${STRIP} lines`, "lines a second", "strip p50", "p95", "p99", "objects"],
    colAligns: ["left", "right", "right", "right", "right", "right"],
    style: { head: [], border: [], compact: true },
  });
  const add = (name, milliseconds, objects) => {
    const total = milliseconds.reduce((sum, one) => sum + one, 0);
    const rate = Math.round((milliseconds.length * STRIP) / (total / 1000));
    table.push([name, rate, ...[0.5, 0.95, 0.99].map((q) => `${quantile(milliseconds, q).toFixed(1)} ms`), objects]);
    return rate;
  };
  const rates = [ours && add(`skerry, ${ours.threads} threads`, ours.milliseconds, ours.objects)];
  if (theirs)
    rates.push(
      add(`OpenCV ${theirs.version}, ${theirs.threads} threads, joined by hand`, theirs.milliseconds, theirs.objects),
    );
  add("plain copy", copies(new Uint8Array(readFileSync(file).buffer)), "-");
  console.log(table.toString());
  if (rates.length > 1) console.log(`${(rates[0] / rates[1]).toFixed(1)} times the lines of OpenCV`);
  const marks = [1e5, 1e6, 1e7].filter((mark) => mark <= Number(values.rows));
  const { sizes, parts, objects, rows } = await memoryOver(marks, 0);
  for (const [mark, resident, reserved] of sizes) {
    console.log(
      `${mark} lines of 2048: ${resident.toFixed(0)} MiB resident, ${reserved.toFixed(0)} MiB of them the engine's`,
    );
  }
  console.log(`${objects} objects and ${parts} parts of the scratch in ${rows} lines`);
  for (const note of notes) console.log(note);
}
