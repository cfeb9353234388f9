// The earlier rows that the pixels of a row may touch, by connectivity. Labelling, links and seams share this table.
//
//     k  row                4     8        6     18       26
//     0  y - 1, same slice  over  widened  over  widened  widened
//     1  y, slice before    .     .        over  widened  widened
//     2  y - 1, before      .     .        .     over     widened
//     3  y + 1, before      .     .        .     over     widened
//
// Over: pixels of the same x touch. Widened: pixels whose x differs by at most 1 touch, which includes the diagonals.

/** Largest number of earlier rows. */
export const EARLIER: u32 = 4;

/** Whether row y of slice z has the earlier row k, and the connectivity uses it. Images have one slice. */
// @ts-ignore: decorator
@inline
export function hasEarlier(k: u32, y: u32, z: u32, height: u32, connectivity: u32): bool {
  if (k == 0) return y > 0;
  if (z == 0) return false;
  if (k == 1) return true;
  return connectivity >= 18 && (k == 2 ? y > 0 : y + 1 < height);
}

/** The number of rows from the earlier row k to the row itself. */
// @ts-ignore: decorator
@inline
export function rowsBack(k: u32, height: u32): u32 {
  return k == 0 ? 1 : k == 1 ? height : k == 2 ? height + 1 : height - 1;
}

// @ts-ignore: decorator
@inline
export function isWidened(k: u32, connectivity: u32): bool {
  return k < 2 ? connectivity == 8 || connectivity >= 18 : connectivity == 26;
}

/** The first of the link planes of the earlier row k: one for straight links, and if widened two for diagonal ones. */
export function linkPlane(k: u32, connectivity: u32): u32 {
  let plane: u32 = 0;
  for (let i: u32 = 0; i < k; i++) plane += isWidened(i, connectivity) ? 3 : 1;
  return plane;
}
