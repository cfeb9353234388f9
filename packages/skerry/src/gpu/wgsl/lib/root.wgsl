// The root of a node, once all unions are complete. A kernel that includes this declares `parents` without atomics.

fn rootOf(x: u32) -> u32 {
  var at = x;
  var up = parents[at];
  while (up != at) {
    at = up;
    up = parents[at];
  }
  return at;
}
