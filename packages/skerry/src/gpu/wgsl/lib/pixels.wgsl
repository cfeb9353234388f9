// Reads values of one or two bytes from words. A kernel that includes this declares `pixels` as words.

fn byteAt(at: u32) -> u32 {
  return (pixels[at >> 2u] >> ((at & 3u) * 8u)) & 0xffu;
}

fn shortAt(at: u32) -> u32 {
  return (pixels[at >> 1u] >> ((at & 1u) * 16u)) & 0xffffu;
}

// The i16 that two bytes hold.
fn signed16(v: u32) -> i32 {
  return i32(v << 16u) >> 16u;
}
