// Bits at every third place: a colour's key interleaves the bits of red, green and blue.

// Eight bits at every third place: 0b101 -> 0b001000001.
fn spread(v: u32) -> u32 {
  var x = (v | (v << 8u)) & 0x00f00fu;
  x = (x | (x << 4u)) & 0x0c30c3u;
  return (x | (x << 2u)) & 0x249249u;
}

// Every third bit of 24 from the lowest on: 0b001000001 -> 0b101.
fn everyThird(v: u32) -> u32 {
  var x = v & 0x249249u;
  x = (x | (x >> 2u)) & 0x0c30c3u;
  x = (x | (x >> 4u)) & 0x00f00fu;
  return (x | (x >> 8u)) & 0xffu;
}
