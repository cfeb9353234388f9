// Touching runs of two rows, as pairs: one bit each.

// Pairs of runs that overlap, at the later of their two starts.
fn overlaps(row: u32, starts: u32, other: u32, otherStarts: u32) -> u32 {
  return (otherStarts & row) | (starts & other & ~otherStarts);
}

// Within a stretch where both cells' segments continue (`both`), the first pair suffices. Adding the pairs to the
// stretches makes zeros from each stretch's first pair on, except at its other pairs.
fn firstOfStretches(pairs: u32, both: u32) -> u32 {
  let inside = pairs & both;
  let after = (both & ~(both + inside)) | inside;
  return (after & ~(after << 1u)) | (pairs & ~both);
}
