// Ranks of marked bits, as components-rank.wgsl and components-rank-total.wgsl write them. A kernel that includes this
// declares `marks`, `ranks` and `blocks`.

// The marked bits before a word.
fn rankOf(word: u32) -> u32 {
  var rank = blocks[(word >> 11u) * 3u] + ranks[word >> 3u];
  for (var j = word & ~7u; j < word; j++) { rank += countOneBits(marks[j]); }
  return rank;
}
