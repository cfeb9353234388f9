import { describe, expect, test } from "vitest";
import { isShared } from "../../src/cpu/memory/copies.js";

describe("arrays that workers are sent", () => {
  test("are shared ones of less than 4 GiB, since messages with larger ones get lost", () => {
    expect(isShared(new Uint8Array(new SharedArrayBuffer(16)))).toBe(true);
    expect(isShared(new Uint8Array(16))).toBe(false);
    // Pages that nobody touches take no memory.
    const large = new SharedArrayBuffer(2 ** 32);
    expect(isShared(new Uint8Array(large, 2 ** 20, 16))).toBe(false);
  });
});
