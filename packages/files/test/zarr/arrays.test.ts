// Reading: arrays of every codec, type, order and key that tensorstore wrote, from files and from a server with faults.

import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { zarrSource } from "../../src/zarr/index.js";
import { filesOf, GOLDENS, type Golden, SHAPE, valuesOf } from "./support/arrays.js";
import { folder, writeFiles } from "./support/folders.js";
import { expectSame, pixelsOf } from "./support/pixels.js";
import { type Fault, type Served, serve } from "./support/server.js";

const root = folder();
for (const golden of GOLDENS) writeFiles(join(root, golden.name), filesOf(golden));

const readable = GOLDENS.filter(({ name }) => !name.includes("bz2"));

describe("arrays that tensorstore wrote", () => {
  test("are many", () => expect(readable.length).toBeGreaterThan(80));

  test.each(readable)("$name", async (golden) => {
    const source = await zarrSource(join(root, golden.name));
    expect([source.depth, source.height, source.width]).toEqual([...SHAPE]);
    expectSame(await pixelsOf(source), valuesOf(golden));
    expect(source.traffic.chunks).toBe(source.chunkCount);
    source.close();
  });

  test.each(readable)("a box of $name", async (golden) => {
    const source = await zarrSource(join(root, golden.name), {
      box: { x: 3, y: 6, z: 4, width: 9, height: 7, depth: 5 },
    });
    const whole = valuesOf(golden);
    const expected: number[] = [];
    for (let z = 4; z < 9; z++) {
      for (let y = 6; y < 13; y++) for (let x = 3; x < 12; x++) expected.push(whole[(z * SHAPE[1] + y) * SHAPE[2] + x]);
    }
    expectSame(await pixelsOf(source, 2), expected);
    source.close();
  });

  test("a codec that is not known is refused by name", async () => {
    const golden = GOLDENS.find(({ name }) => name.includes("bz2")) as Golden;
    await expect(zarrSource(join(root, golden.name))).rejects.toThrow(/its codec bz2 is not known/);
  });
});

describe("the same over HTTP, from a server with faults", () => {
  let served: Served;
  const kinds: readonly Fault[] = ["busy", "cut", "reset", "late", "moved", "short"];
  beforeAll(async () => {
    // Every path fails at first, in one of several ways; none fails twice.
    served = await serve(root, (path, index) => (index === 0 ? kinds[path.length % kinds.length] : "none"));
  });
  afterAll(() => served.close());

  test.concurrent.each(readable.filter((_, i) => i % 3 === 0))("$name", async (golden) => {
    const source = await zarrSource(`${served.url}/${golden.name}`);
    expectSame(await pixelsOf(source), valuesOf(golden));
    source.close();
  });
});
