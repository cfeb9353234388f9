// Peak memory beyond the input and the requested labels: at most 1 byte per pixel plus 32 bytes per run,
// measured as the largest resident size of a child process less that of the same child on one pixel.

import { execFileSync } from "node:child_process";
import { describe, expect, test } from "vitest";

/** The child makes an image, labels and measures it, and prints its peak size and the number of runs. */
const CHILD = `
import { open } from "skerry";
const [width, kind, measure] = [Number(process.argv[1]), process.argv[2], process.argv[3] === "yes"];
const data = new Uint8Array(width * width);
let state = 7;
if (kind === "noise") {
  for (let i = 0; i < data.length; i++) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    data[i] = state >>> 31;
  }
} else {
  for (let i = 0; i < data.length; i++) data[i] = ((i % width) & 64) ^ (Math.floor(i / width) & 64);
}
const into = new Uint32Array(width * width).fill(1);
// Workers take memory themselves, so the run that others are compared with starts them, too.
const engine = await open({ device: "cpu", threads: 2, mainThread: false });
const found = await engine.components({ data, width, height: width }, { connectivity: 8 });
if (measure) await found.regions();
await found.labels({ into });
console.log(JSON.stringify({ runs: found.runCount, peak: process.resourceUsage().maxRSS * 1024 }));
await engine.close();
`;

function child(width: number, kind: string, measure: boolean): { runs: number; peak: number } {
  const args = ["--input-type=module", "-e", CHILD, String(width), kind, measure ? "yes" : "no"];
  const output = execFileSync(process.execPath, args, { cwd: import.meta.dirname, encoding: "utf8" });
  return JSON.parse(output) as { runs: number; peak: number };
}

describe("peak memory", () => {
  const base = child(1, "blocks", true);
  const width = 4096;
  const pixels = width * width;

  test.each([
    ["blocks", false],
    ["blocks", true],
    ["noise", false],
    ["noise", true],
  ])("%s, with regions: %s", (kind, measure) => {
    const { runs, peak } = child(width, kind, measure);
    const beyond = peak - base.peak - pixels * 5;
    const bound = pixels + 32 * runs;
    console.log(
      `${kind}${measure ? " with regions" : ""}: ${(beyond / 2 ** 20).toFixed(1)} MiB beyond, ${(bound / 2 ** 20).toFixed(1)} MiB allowed`,
    );
    expect(beyond).toBeLessThanOrEqual(bound);
  });
});

test.skipIf(process.platform !== "linux")("memory that is given back leaves the process", () => {
  const script = `
    import { readFileSync } from "node:fs";
    import { open } from "skerry";
    const mebibytes = () => Number(/VmRSS:\\s+(\\d+)/.exec(readFileSync("/proc/self/status", "utf8"))[1]) / 1024;
    const engine = await open({ device: "cpu", threads: 2 });
    const data = new Uint8Array(150e6).fill(7);
    const before = mebibytes();
    const after = [];
    for (let i = 0; i < 2; i++) {
      (await engine.load({ data, width: 15000, height: 10000 })).dispose();
      // Garbage is collected when the system pleases: soon here, later on a busy machine.
      for (let k = 0; k < 100 && (k < 10 || mebibytes() - before >= 40); k++) {
        await new Promise((resolve) => setTimeout(resolve, 200));
      }
      after.push(mebibytes() - before);
    }
    const { count } = await engine.components({ data: data.subarray(0, 100), width: 10, height: 10 });
    await engine.close();
    console.log(JSON.stringify({ after, count }));`;
  const folder = import.meta.dirname;
  const out = execFileSync(process.execPath, ["--input-type=module", "-e", script], { cwd: folder, encoding: "utf8" });
  const { after, count } = JSON.parse(out) as { after: number[]; count: number };
  expect(count).toBe(1);
  for (const more of after) expect(more).toBeLessThan(40);
});

test.skipIf(process.platform !== "linux")("engines that are forgotten end their threads", () => {
  const script = `
    import { readdirSync } from "node:fs";
    import { open } from "skerry";
    const threads = () => readdirSync("/proc/self/task").length;
    const size = { width: 5, height: 2 };
    const use = async () => {
      const engine = await open({ device: "cpu", threads: 2, mainThread: false });
      return (await engine.components({ data: new Uint8Array(10).fill(1), ...size })).runs();
    };
    const kept = await (await open({ device: "cpu", threads: 2, mainThread: false })).components({ data: new Uint8Array(10).fill(1), ...size });
    const before = threads();
    for (let i = 0; i < 8; i++) await use();
    const opened = threads() - before;
    let left = opened;
    for (let i = 0; i < 100 && left > 0; i++) {
      gc();
      await new Promise((resolve) => setTimeout(resolve, 50));
      left = threads() - before;
    }
    console.log(JSON.stringify({ opened, left, runs: (await kept.runs()).count }));
    process.exit();`;
  const args = ["--expose-gc", "--input-type=module", "-e", script];
  const out = execFileSync(process.execPath, args, { cwd: import.meta.dirname, encoding: "utf8" });
  const { opened, left, runs } = JSON.parse(out) as { opened: number; left: number; runs: number };
  expect(opened).toBeGreaterThan(0);
  // A handle keeps its engine.
  expect({ left, runs }).toEqual({ left: 0, runs: 2 });
});
