// Runs of a plane. A kernel that includes this declares `bits`.

// The pixels of a word that begin runs; `at` is the word's index in the bits, `column` its place in the row.
fn runStarts(word: u32, at: u32, column: u32) -> u32 {
  var carry = 0u;
  if (column > 0u) { carry = bits[at - 1u] >> 31u; }
  return word & ~((word << 1u) | carry);
}
