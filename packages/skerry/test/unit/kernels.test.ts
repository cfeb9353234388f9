// Kernel calls: names and arguments are checked where types are not, and records lie in memory as the kernels read them.

import { resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { kernelCall, runCall, runKernel } from "../../src/cpu/kernels.js";
import { RECORDS } from "../../src/cpu/memory/module.js";
import { Pool } from "../../src/cpu/memory/pool.js";
import { KERNELS, LAYOUT } from "../../src/generated/kernels.js";

describe("runKernel", () => {
  test("a kernel that is not there and an argument that is missing throw, and nothing runs", async () => {
    const pool = await Pool.start({ threads: 1 });
    try {
      expect(() => runKernel(pool, "labelStirp" as "sumRows", { counts: 1, rows: 2 })).toThrow(
        "there is no kernel labelStirp",
      );
      expect(() => runCall(pool, { kernel: "sumRows", given: { counts: 64 } })).toThrow(
        "sumRows is called without rows",
      );
      // @ts-expect-error rows is missing
      kernelCall("sumRows", { counts: 1 });
    } finally {
      await pool.close();
    }
  });

  test("arguments of every kind reach a kernel, in order and in a record", async () => {
    const pool = await Pool.start({ threads: 1 });
    try {
      const at = await pool.allocate(64);
      await pool.write(at, Uint32Array.of(3, 4, 5, 0));
      expect(await runKernel(pool, "sumRows", { counts: at, rows: 3 })).toBe(12);
      // packRows takes a record of numbers, doubles and flags: what is above 10, inverted.
      const pixels = await pool.allocate(256, 64);
      await pool.write(pixels, Uint8Array.of(0, 11, 10, 200));
      const [bits, counts] = [await pool.allocate(8), await pool.allocate(4)];
      const found = await runKernel(pool, "packRows", {
        type: 0,
        channels: 1,
        src: pixels,
        rows: 1,
        width: 4,
        any: false,
        lo: 0,
        hi: 10,
        invert: true,
        dst: bits,
        lo2: 0,
        hi2: 0,
        invert2: false,
        dst2: 0,
        counts,
        scratch: 0,
        except: 0,
        excepted: 0,
        fence: 0,
      });
      const read = new Uint32Array(2);
      await pool.read(bits, read);
      expect({ found, bits: read[0] }).toEqual({ found: 2, bits: 0b1010 });
    } finally {
      await pool.close();
    }
  });
});

test("every kernel of more than eight parameters takes a record, whose fields are aligned and do not overlap", () => {
  const bytes: Record<string, number> = { b: 1, w: 4, f: 8 };
  for (const [kernel, { parameters }] of Object.entries(KERNELS)) {
    const record = RECORDS[kernel];
    const count = parameters.split(" ").length;
    expect(record?.length).toBe(count > 8 ? count : undefined);
    let end = 0;
    for (const [letter, offset] of record ?? []) {
      expect(offset % bytes[letter]).toBe(0);
      expect(offset).toBeGreaterThanOrEqual(end);
      end = offset + bytes[letter];
    }
    expect(end).toBeLessThanOrEqual(512);
  }
});

test("layouts: the search's block lies behind a match", () => {
  expect(LAYOUT.search.PIXELS).toBe(LAYOUT.match.MATCH_BYTES);
  expect(new Set(Object.values(LAYOUT.search)).size).toBe(Object.keys(LAYOUT.search).length);
});

test("the build refuses a kernel without a comment for an argument, and a ninth parameter", async () => {
  const path = resolve(import.meta.dirname, "../../scripts/kernels.mjs");
  const { kernelOf } = (await import(path)) as { kernelOf(name: string, source: string): unknown };
  expect(() => kernelOf("f", "export function f(a: u32): void {")).toThrow("f says nothing of a");
  expect(() => kernelOf("f", "/** @param a x */\nexport function f(a: string): void {")).toThrow("unknown type string");
  const nine = "abcdefghi".split("");
  const source = `/**\n${nine.map((n) => ` * @param ${n} x`).join("\n")}\n */\nexport function f(${nine.map((n) => `${n}: u32`).join(", ")}): void {`;
  expect(() => kernelOf("f", source)).toThrow("more than 8 parameters");
});
