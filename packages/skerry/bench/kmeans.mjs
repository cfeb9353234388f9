// K-means on the CPU: a rendered photograph of 10 megapixels and real ones, from the same colours and for as many iterations,
// beside native OpenCV in the same run, and with the folder of an npm package @napi-rs/image, by the cost and PSNR that each reaches.
// `npm run bench -- kmeans [--threads N --only NAME --k 4,64 --skip opencv --npm FOLDER]`

import { mkdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import Table from "cli-table3";
import sharp from "sharp";
import { landscape, PHOTOGRAPHS, photographFile, randomColours, someColours } from "./kmeans-images.mjs";
import { cores, heading, ms, notes, peer, times } from "./peer.mjs";

/** How many iterations; 0 until nothing changes. */
const ITERATIONS = [20, 0];

async function inputs(folder) {
  const made = [["landscape, 10 Mpx", () => landscape(3652, 2739)]];
  for (const name of PHOTOGRAPHS) {
    const file = photographFile(name, folder);
    if (file) made.push([name, () => decoded(file)]);
    else notes.push(`skipped ${name}: the npm registry cannot be reached`);
  }
  made.push(["random, 10 Mpx", () => randomColours(3652, 2739)]);
  made.push(["one colour, 10 Mpx", () => ({ data: new Uint8Array(30_008_484).fill(9), width: 3652, height: 2739 })]);
  return made;
}

async function decoded(file) {
  const { data, info } = await sharp(file).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  return { data: new Uint8Array(data), width: info.width, height: info.height, channels: info.channels };
}

export async function benchKmeans(args) {
  const { values } = parseArgs({
    args,
    options: {
      threads: { type: "string", default: `1,${cores}` },
      only: { type: "string", default: "" },
      k: { type: "string", default: "4,16,64,128,255" },
      skip: { type: "string", default: "" },
      npm: { type: "string" },
      json: { type: "string" },
    },
  });
  console.log(heading());
  console.log("k-means from given colours, from RGB bytes to classes in memory used before, median ms");
  const head = [
    "input",
    "k",
    "iterations",
    "threads",
    "all",
    "colours",
    "assign",
    "update",
    "classes",
    "OpenCV",
    "vs OpenCV",
    "PSNR, dB",
    "@napi-rs/image",
    "its PSNR",
  ];
  const table = new Table({
    head,
    colAligns: ["left", ...Array(13).fill("right")],
    style: { head: [], border: [], compact: true },
  });
  const folder = join(tmpdir(), "skerry-bench");
  mkdirSync(folder, { recursive: true });
  const rows = [];
  for (const [name, make] of await inputs(folder)) {
    if (!name.includes(values.only)) continue;
    const image = await make();
    const file = join(folder, `kmeans-${name.replace(/[^a-z0-9.]+/gi, "-")}.raw`);
    writeFileSync(file, image.data);
    const flat = image.data.every((value) => value === image.data[0]);
    // Worst cases run without OpenCV, and not until convergence, which takes minutes.
    const worst = flat || name.startsWith("random");
    for (const k of values.k.split(",").map(Number)) {
      const colours = join(folder, "kmeans-colours.raw");
      writeFileSync(colours, flat ? Uint8Array.from({ length: k * 3 }, (_, i) => i) : someColours(image, k));
      const { width, height } = image;
      const psnr = (inertia) =>
        inertia === undefined ? "-" : (10 * Math.log10((255 ** 2 * 3 * width * height) / inertia)).toFixed(2);
      const napi = values.npm
        ? await peer("kmeans-napi.mjs", [file, width, height, k, values.npm].map(String))
        : undefined;
      for (const iterations of worst ? [20] : ITERATIONS) {
        const wanted = iterations > 0 && !worst && !values.skip.includes("opencv");
        const cv = wanted ? await peer("kmeans-opencv.py", [file, colours, String(k), String(iterations)]) : undefined;
        for (const threads of values.threads.split(",")) {
          const given = [file, width, height, colours, k, iterations, threads].map(String);
          const own = await peer("kmeans-skerry.mjs", given);
          if (!own) continue;
          const { all, colours: counted, assign, update, classes } = own.medians;
          const opencv = cv?.medians.all;
          const shown = [all, counted, assign, update, classes, opencv].map(ms);
          const others = [psnr(own.inertia), ms(napi?.medians[0]), psnr(napi?.inertia)];
          table.push([name, k, own.iterations, threads, ...shown, times(opencv, all), ...others]);
          rows.push({ name, k, threads: Number(threads), to: iterations, ...own, opencv, napi });
        }
      }
    }
  }
  console.log(table.toString());
  for (const note of notes) console.log(note);
  if (values.json) writeFileSync(values.json, JSON.stringify({ heading: heading(), rows }));
}
