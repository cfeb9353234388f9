// The allocator over WebAssembly memory: random calls, after each of which nothing overlaps, nothing is lost, and what is free
// lies in as few blocks as it can.

import { random } from "@skerry/scenes";
import { describe, expect, test } from "vitest";
import { Heap, PAGE } from "../../src/cpu/memory/heap.js";

/** A block as the test knows it: from the first byte of the lead to the last one that may be touched. */
interface Block {
  readonly address: number;
  readonly lead: number;
  readonly bytes: number;
}

describe("Heap", () => {
  test.each([1, 2, 3, 4, 5])("no overlap and no leak in 3000 random calls, seed %i", (seed) => {
    const next = random(seed);
    const heap = new Heap();
    const blocks: Block[] = [];
    for (let call = 0; call < 3000; call++) {
      if (blocks.length > 0 && next() % 5 < 2) {
        const [block] = blocks.splice(next() % blocks.length, 1);
        heap.free(block.address);
        expect(heap.holds(block.address, block.address + 1)).toBe(false);
        continue;
      }
      const bytes = next() % 7 === 0 ? next() % 200_000 : next() % 500;
      const lead = next() % 4 === 0 ? 64 : 0;
      const address = heap.allocate(bytes, lead);
      expect(address % 64).toBe(0);
      expect(address - lead).toBeGreaterThanOrEqual(PAGE);
      expect(address + bytes).toBeLessThanOrEqual(heap.reach);
      const overlapping = blocks.filter(
        (other) => address + bytes > other.address - other.lead && other.address + other.bytes > address - lead,
      );
      expect(overlapping).toEqual([]);
      expect(heap.holds(address - lead, address + bytes)).toBe(true);
      expect(heap.holds(address, address + bytes + 1)).toBe(false);
      blocks.push({ address, lead, bytes });
    }
    const reach = heap.reach;
    for (const { address } of blocks) heap.free(address);
    expect(heap.used).toBe(0);
    // All is one free block again: as much as there ever was fits without growing.
    const whole = heap.allocate(reach - PAGE);
    expect(whole).toBe(PAGE);
    expect(heap.reach).toBe(reach);
  });

  test("neighbours join in any order of freeing", () => {
    for (const order of [
      [0, 1, 2],
      [0, 2, 1],
      [1, 0, 2],
      [1, 2, 0],
      [2, 0, 1],
      [2, 1, 0],
    ]) {
      const heap = new Heap();
      const blocks = [heap.allocate(100), heap.allocate(200), heap.allocate(300)];
      const end = heap.allocate(64);
      for (const i of order) heap.free(blocks[i]);
      expect(heap.allocate(128 + 256 + 320)).toBe(blocks[0]);
      expect(heap.used).toBe(128 + 256 + 320 + 64);
      heap.free(end);
    }
  });

  test("what was not handed out, or was given back, is ignored", () => {
    const heap = new Heap();
    const address = heap.allocate(10);
    heap.free(address + 64);
    heap.free(12345);
    expect(heap.used).toBe(64);
    heap.free(address);
    heap.free(address);
    expect(heap.used).toBe(0);
  });

  test("beyond 4 GiB it is OutOfMemory, with the bytes and the limit, and nothing changed", () => {
    const heap = new Heap();
    const address = heap.allocate(2 ** 31);
    const before = { used: heap.used, reach: heap.reach };
    expect(() => heap.allocate(2 ** 31)).toThrow(
      expect.objectContaining({ name: "OutOfMemory", bytes: 2 ** 31, limit: 2 ** 32 - PAGE }),
    );
    expect({ used: heap.used, reach: heap.reach }).toEqual(before);
    heap.free(address);
  });

  test.each([Number.NaN, Number.POSITIVE_INFINITY, -1, -64, 0.5, 2 ** 60])(
    "refuses %d bytes and stays as it was",
    (bytes) => {
      const heap = new Heap();
      const before = heap.allocate(100);
      expect(() => heap.allocate(bytes)).toThrow(
        /^Expected (a whole number of bytes to allocate, got|the call to fit)/,
      );
      expect(() => heap.allocate(64, bytes)).toThrow();
      expect(heap.used).toBe(128);
      expect(heap.allocate(64)).toBe(before + 128);
    },
  );
});
