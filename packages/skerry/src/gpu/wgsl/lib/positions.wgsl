// Sum of the positions of the bits of a word: each bit of a position counts the bits whose position has it.
fn positions(word: u32) -> u32 {
  return countOneBits(word & 0xaaaaaaaau) + 2u * countOneBits(word & 0xccccccccu)
    + 4u * countOneBits(word & 0xf0f0f0f0u) + 8u * countOneBits(word & 0xff00ff00u)
    + 16u * countOneBits(word & 0xffff0000u);
}
