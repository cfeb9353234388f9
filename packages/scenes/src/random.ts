// The random generator of rendered scenes, samples and tests: seeded, so that every run gets the same numbers.

/**
 * mulberry32 (T. Ettinger, 2017): returns a generator of 32 random bits per call.
 * @example
 * import { random } from "@skerry/scenes";
 * const next = random(1);
 * const dice = 1 + (next() % 6);
 */
export function random(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return (t ^ (t >>> 14)) >>> 0;
  };
}
