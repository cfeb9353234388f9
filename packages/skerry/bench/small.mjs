// Small images through one engine: components() and regions() of 512 x 512 u8, images a second, one after another and eight at
// a time; with and without the calling thread.
//
//     npm run bench -- small [--threads 2]

import { parseArgs } from "node:util";
import { blobs, noise } from "@skerry/scenes";
import Table from "cli-table3";
import { open } from "../dist/index.js";
import { cores, heading } from "./peer.mjs";

const SIZE = 512;
const IMAGES = { "smooth blobs (30 %)": blobs(SIZE, 0.3), "noise, density 0.5": noise(SIZE, 0.5) };
const ROUNDS = 5;
const MILLISECONDS = 400;

/** Images a second, the median of some rounds, with `many` calls under way at a time. */
async function rate(engine, data, many) {
  const rounds = [];
  for (let round = 0; round <= ROUNDS; round++) {
    const begin = performance.now();
    let done = 0;
    const one = async () => {
      while (performance.now() - begin < MILLISECONDS) {
        const found = await engine.components({ data, width: SIZE, height: SIZE });
        await found.regions();
        found.dispose();
        done++;
      }
    };
    await Promise.all(Array.from({ length: many }, one));
    // The first round warms up.
    if (round > 0) rounds.push((done / (performance.now() - begin)) * 1000);
  }
  return Math.round(rounds.sort((a, b) => a - b)[ROUNDS >> 1]);
}

export async function benchSmall(args) {
  const { values } = parseArgs({ args, options: { threads: { type: "string", default: String(cores) } } });
  const threads = Number(values.threads);
  console.log(heading());
  const style = { head: [], border: [], compact: true };
  const table = new Table({
    head: ["512 x 512, images a second", "one after another", "eight at a time", "by workers alone", "eight at a time"],
    colAligns: ["left", "right", "right", "right", "right"],
    style,
  });
  const engines = await Promise.all([true, false].map((mainThread) => open({ device: "cpu", threads, mainThread })));
  for (const [name, data] of Object.entries(IMAGES)) {
    const rates = [];
    for (const engine of engines) for (const many of [1, 8]) rates.push(await rate(engine, data, many));
    table.push([name, ...rates]);
  }
  console.log(table.toString());
  for (const engine of engines) await engine.close();
}
