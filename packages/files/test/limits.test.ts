// The limits of formats, at the last number that fits and at the next one.

import { writeRois } from "@skerry/files";
import { labelValues } from "@skerry/files/internal";
import type { Components, Outlines } from "skerry";
import { expect, test } from "vitest";

/** Components that only tell how many they are. */
const many = (count: number): Components =>
  ({ count, width: 1, height: 1, depth: 1, spacing: [1, 1, 1] }) as unknown as Components;

test("16 bits number 65 535 objects", () => {
  expect(labelValues(many(65_535), "u16").layout.type).toBe("u16");
  expect(() => labelValues(many(65_536), "u16")).toThrow(
    "Expected at most 65535 objects for 16-bit labels, got 65536; write .npy or .tif instead.",
  );
});

test("32 bits number 2^32 - 1 objects", () => {
  expect(labelValues(many(2 ** 32 - 1), "u32").layout.type).toBe("u32");
});

test("regions of ImageJ have coordinates up to 32 767", async () => {
  const outlinesTo = (most: number): Outlines =>
    ({
      count: 1,
      width: most + 1,
      height: 2,
      rings: Uint32Array.of(0, 8),
      label: Uint32Array.of(1),
      hole: Uint8Array.of(0),
      outer: Uint32Array.of(0),
      points: Float64Array.of(0, 0, most, 0, most, 1, 0, 1),
    }) as unknown as Outlines;
  const file = { write: async () => undefined };
  await writeRois(file, outlinesTo(32_767));
  await expect(writeRois(file, outlinesTo(32_768))).rejects.toThrow("32767");
});
