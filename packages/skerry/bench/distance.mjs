// Distance maps on the CPU: a head's surface, sites at random in a volume and in an image, beside SciPy and in 2-D native
// OpenCV in the same run. `npm run bench -- distance [--threads N --only NAME --skip PEER --edt CHECKOUT]`

import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import Table from "cli-table3";
import { bytesOf, headMask, siteMask } from "./distance-images.mjs";
import { cores, heading, ms, notes, peer, sourcePeer, times } from "./peer.mjs";
import { compiled, SOURCE_OPTIONS } from "./source-peers.mjs";

const HEAD = { width: 625, height: 625, depth: 592 };

/** Inputs: a mask, what its sites are, and the maps to time. */
const INPUTS = {
  "head, 625 x 625 x 592": [() => headMask(HEAD), "surface", ["whole", "36 u16", "36", "36 coarse", "10 u16", "10"]],
  "512^3, 1 % sites": [() => siteMask({ width: 512, height: 512, depth: 512 }, 0.01), "sites", ["whole"]],
  "512^3, one site": [() => siteMask({ width: 512, height: 512, depth: 512 }, 1e-8), "sites", ["whole"]],
  "8192^2, 0.1 % sites": [() => siteMask({ width: 8192, height: 8192 }, 0.001), "sites", ["whole", "36 u16"]],
  "8192^2, one site": [() => siteMask({ width: 8192, height: 8192 }, 1e-8), "sites", ["whole"]],
};

export async function benchDistance(args) {
  const { values } = parseArgs({
    args,
    options: {
      threads: { type: "string", default: String(cores) },
      only: { type: "string", default: "" },
      skip: { type: "string", default: "" },
      edt: SOURCE_OPTIONS.edt,
    },
  });
  console.log(heading());
  console.log(`distance maps, ${values.threads} threads, from a mask into memory used before, median ms`);
  const table = new Table({
    head: ["input", "map", "skerry", "edt", "vs edt", "OpenCV", "vs OpenCV", "SciPy", "vs SciPy"],
    colAligns: ["left", "left", ...Array(7).fill("right")],
    style: { head: [], border: [], compact: true },
  });
  const edt = compiled("edt", values.edt, (note) => notes.push(note));
  const folder = join(tmpdir(), "skerry-bench");
  mkdirSync(folder, { recursive: true });
  for (const [name, [make, to, maps]] of Object.entries(INPUTS)) {
    if (!name.includes(values.only)) continue;
    const file = join(folder, `distance-${name.replace(/[^a-z0-9.]+/gi, "-")}.raw`);
    const mask = make();
    if (!existsSync(file)) writeFileSync(file, bytesOf(mask));
    const { width, height, depth = 1 } = mask;
    const common = [file, width, height, depth, to].map(String);
    const run = (peerName) => (values.skip.includes(peerName) ? undefined : peer(`distance-${peerName}.py`, common));
    const scipy = await run("scipy");
    const opencv = depth === 1 ? await run("opencv") : undefined;
    const exact = await sourcePeer(edt, [...common, values.threads]);
    const own = await peer("distance-skerry.mjs", [...common, values.threads, ...maps]);
    if (!own) continue;
    for (const [i, map] of maps.entries()) {
      const whole = map === "whole" ? [exact, opencv, scipy] : [];
      const others = [0, 1, 2].flatMap((k) => [ms(whole[k]?.medians[0]), times(whole[k]?.medians[0], own.medians[i])]);
      table.push([name, map, ms(own.medians[i]), ...others]);
    }
  }
  console.log(table.toString());
  for (const note of notes) console.log(note);
}
