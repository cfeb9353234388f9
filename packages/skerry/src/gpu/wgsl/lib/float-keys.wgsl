// Keys of floats: u32 in the order of the floats. Keys of NaN lie beyond those of the infinities.
const POSITIVE_INFINITY = 0xff800000u;
const NEGATIVE_INFINITY = 0x007fffffu;

// The key of a float's bits; both zeros are one key.
fn key(bits: u32) -> u32 {
  if (bits == 0x80000000u) { return 0x80000000u; }
  return select(bits | 0x80000000u, ~bits, (bits & 0x80000000u) != 0u);
}
