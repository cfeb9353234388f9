// The root of a node, while other threads may unite nodes. A kernel that includes this declares `parents` with atomics.

fn find(x: u32) -> u32 {
  var at = x;
  var above = atomicLoad(&parents[at]);
  while (above != at) {
    let next = atomicLoad(&parents[above]);
    // Only this path shortening writes to a node that has a parent, and any ancestor is a valid parent.
    if (next != above) { atomicStore(&parents[at], next); }
    at = above;
    above = next;
  }
  return at;
}
