// A place beyond a border, mirrored: -1 becomes 0, n becomes n - 1.
fn mirrored(i: i32, n: i32) -> i32 {
  if (i >= 0 && i < n) { return i; }
  let period = 2 * n;
  var at = i % period;
  if (at < 0) { at += period; }
  return select(period - 1 - at, at, at < n);
}
