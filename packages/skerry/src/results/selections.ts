// Sets of pixels as bits: union, intersection and difference, a 32-bit word at a time on the host.

import { turn } from "#event-loop";
import type { Call } from "../core/call.js";
import { type Bits, rowCount, type Size } from "../core/pixels.js";

/** How selections are combined: pixels in any, in all, or in the first and in no other. */
export type Combination = "union" | "intersection" | "difference";

/** Words combined between two turns of the event loop: some milliseconds. */
const WORDS_AT_ONCE = 1 << 20;

/** Combines one or more masks of one size into new bits. */
export async function combine(
  combination: Combination,
  [first, ...others]: readonly Bits[],
  call: Call,
): Promise<Uint32Array> {
  const begin = performance.now();
  const bits = new Uint32Array(first.bits.length);
  for (let from = 0; from < bits.length; from += WORDS_AT_ONCE) {
    if (from > 0) await turn();
    call.signal?.throwIfAborted();
    const to = Math.min(bits.length, from + WORDS_AT_ONCE);
    const part = bits.subarray(from, to);
    part.set(first.bits.subarray(from, to));
    for (const other of others) combineWords(combination, part, other.bits.subarray(from, to));
    call.onProgress?.({ stage: "combine", done: to, total: bits.length });
  }
  clearTails(bits, first);
  const bytes = bits.byteLength * (others.length + 2);
  call.timings.push({ stage: "combine", milliseconds: performance.now() - begin, bytes });
  return bits;
}

function combineWords(combination: Combination, into: Uint32Array, words: Uint32Array): void {
  if (combination === "union") for (let i = 0; i < into.length; i++) into[i] = into[i] | words[i];
  else if (combination === "intersection") for (let i = 0; i < into.length; i++) into[i] = into[i] & words[i];
  else for (let i = 0; i < into.length; i++) into[i] = into[i] & ~words[i];
}

/** Clears the bits past the width, whatever the inputs had there. */
function clearTails(bits: Uint32Array, size: Size): void {
  const rest = size.width % 32;
  if (rest === 0) return;
  const words = bits.length / rowCount(size);
  for (let last = words - 1; last < bits.length; last += words) bits[last] = bits[last] & (2 ** rest - 1);
}
