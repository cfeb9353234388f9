// Reads values of any size. A kernel that includes this includes lib/pixels.wgsl before.

// Bytes of a value: 1, 2 or 4.
override BYTES: u32 = 1u;

fn valueAt(at: u32) -> u32 {
  if (BYTES == 1u) { return byteAt(at); }
  if (BYTES == 2u) { return shortAt(at); }
  return pixels[at];
}
