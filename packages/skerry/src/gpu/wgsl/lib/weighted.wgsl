// Two values of 15 bits in halves of a word, times a weight of 15 bits that is stored doubled, each rounded: (a b + 2^14) >> 15 is
// (a 2b + 2^15) >> 16, the upper half of a word. The products of 32640 and 2^16 fit 32 bits.
fn weighted(both: u32, weight: u32) -> u32 {
  let low = (both & 0xffffu) * weight + 0x8000u;
  let high = (both >> 16u) * weight + 0x8000u;
  return (low >> 16u) | (high & 0xffff0000u);
}
