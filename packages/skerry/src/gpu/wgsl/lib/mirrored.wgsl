// Whether the last pixel is repeated beyond the border.
override EDGE: bool = true;

// A place beyond a border, mirrored: with EDGE -1 becomes 0 and n becomes n - 1, without 1 and n - 2.
fn mirrored(i: i32, n: i32) -> i32 {
  if (i >= 0 && i < n) { return i; }
  if (!EDGE && n == 1) { return 0; }
  let last = select(2 * n - 2, 2 * n - 1, EDGE);
  let period = select(last, last + 1, EDGE);
  var at = i % period;
  if (at < 0) { at += period; }
  return select(last - at, at, at < n);
}
