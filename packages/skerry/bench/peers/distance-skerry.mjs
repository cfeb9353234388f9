// skerry's distance maps through its public API, from a mask into memory touched before. argv: file, width, height, depth,
// surface or sites, threads, and maps: "whole", "R", "R u16", "R coarse".

import { readFileSync } from "node:fs";
import { open } from "skerry";
import { measure } from "./measure.mjs";

const [file, width, height, depth, to, threads] = [process.argv[2], ...process.argv.slice(3, 8)].map((a) =>
  Number.isNaN(Number(a)) ? a : Number(a),
);
const maps = process.argv.slice(8);
const engine = await open({ device: "cpu", threads });
const found = await engine.components({ data: new Uint8Array(readFileSync(file)), width, height, depth });
const mask = to === "surface" ? await found.surface() : await found.mask();
found.dispose();
const memory = new ArrayBuffer(width * height * depth * 4);
new Uint8Array(memory).fill(1);
const distances = new Float32Array(memory);
const squares = new Uint16Array(memory, 0, width * height * depth);
await measure(
  maps,
  async (lap) => {
    for (const map of maps) {
      const [radius, kind] = map.split(" ");
      const max = radius === "whole" ? {} : { max: Number(radius) };
      if (kind === "u16") await engine.distance(mask, { ...max, squared: true, into: squares });
      else await engine.distance(mask, { ...max, ...(kind ? { beyond: kind } : {}), into: distances });
      lap();
    }
  },
  5,
);
await engine.close();
