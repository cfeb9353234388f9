// Sum of the positions of a word's set bits. Term 2^k counts the set bits whose position has bit k.
fn positions(word: u32) -> u32 {
  return countOneBits(word & 0xaaaaaaaau) + 2u * countOneBits(word & 0xccccccccu)
    + 4u * countOneBits(word & 0xf0f0f0f0u) + 8u * countOneBits(word & 0xff00ff00u)
    + 16u * countOneBits(word & 0xffff0000u);
}
