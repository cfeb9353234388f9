// The one source of chance in samples, benches and tests: seeded, so that every run sees the same.

/**
 * mulberry32: 32 random bits a call.
 *
 * @param {number} seed
 * @returns {() => number}
 */
export function random(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return (t ^ (t >>> 14)) >>> 0;
  };
}
