// Rings as lists of x and y in turn.

/** The shoelace area of a ring: positive around objects, negative around holes. Exact for sides below 2^26. */
export function areaOf(ring: Int32Array): number {
  let twice = 0;
  for (let i = 0, before = ring.length - 2; i < ring.length; before = i, i += 2) {
    twice += ring[before] * ring[i + 1] - ring[i] * ring[before + 1];
  }
  return twice / 2;
}
