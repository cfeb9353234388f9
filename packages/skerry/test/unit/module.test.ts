// The compiled kernels: with relaxed SIMD, products of 16 bits are another instruction with the same results.

import { execFileSync } from "node:child_process";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { open } from "skerry";
import { expect, test } from "vitest";

/** A picture of 700 x 90 with the ends of the range beside each other, and a checksum of what smoothing makes of it. */
const SMOOTHED = `
async function smoothed(open) {
  const engine = await open({ device: "cpu", threads: 1 });
  const data = Uint8Array.from({ length: 63000 }, (_, i) => (i % 7 < 3 ? 255 : (i * 2654435761) >>> 24));
  const sums = [];
  for (const sigma of [0.5, 2, 8]) {
    const image = await engine.smooth({ data, width: 700, height: 90 }, { sigma });
    sums.push((await image.toRaster()).data.reduce((sum, value) => (Math.imul(sum, 31) + value) | 0, 0));
    image.dispose();
  }
  await engine.close();
  return sums;
}`;

test("relaxed products are those of plain SIMD, bit for bit", async () => {
  const here = await new Function(`${SMOOTHED}\nreturn smoothed;`)()(open);
  const url = JSON.stringify(pathToFileURL(resolve(import.meta.dirname, "../../dist/index.js")).href);
  const counted = `
let relaxed = 0;
const { compile } = WebAssembly;
WebAssembly.compile = (bytes) => {
  const hex = Buffer.from(bytes).toString("hex");
  relaxed = hex.split("fd9102").length - 1;
  return compile(bytes);
};
const { open } = await import(${url});
${SMOOTHED}
console.log(JSON.stringify({ sums: await smoothed(open), relaxed }));`;
  const run = (flags: string[]): { sums: number[]; relaxed: number } =>
    JSON.parse(execFileSync(process.execPath, [...flags, "--input-type=module", "-e", counted], { encoding: "utf8" }));
  const plain = run([]);
  // Node 20 has relaxed SIMD behind a flag, later versions have it without one.
  const relaxed = plain.relaxed > 0 ? plain : run(["--experimental-wasm-relaxed-simd"]);
  expect(relaxed.relaxed).toBeGreaterThan(8);
  expect(relaxed.sums).toEqual(here);
  expect(plain.sums).toEqual(here);
});
