// The one source of chance in rendered scenes, samples, benches and tests: seeded, so that every run sees the same.

/** mulberry32 (T. Ettinger, 2017): 32 random bits a call. */
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
