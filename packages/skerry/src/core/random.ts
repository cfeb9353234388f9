// Random numbers that are the same everywhere, as the kernels of k-means draw them.

const MASK = 0xffffffffffffffffn;

/** Numbers of 64 bits from a seed and the number of a stream, both u32, by splitmix64 (Steele, Lea and Flood 2014). */
export function* randomNumbers(seed: number, stream: number): Generator<bigint, never> {
  for (let state = (BigInt(stream) << 32n) | BigInt(seed); ; ) {
    state = (state + 0x9e3779b97f4a7c15n) & MASK;
    let z = ((state ^ (state >> 30n)) * 0xbf58476d1ce4e5b9n) & MASK;
    z = ((z ^ (z >> 27n)) * 0x94d049bb133111ebn) & MASK;
    yield z ^ (z >> 31n);
  }
}
