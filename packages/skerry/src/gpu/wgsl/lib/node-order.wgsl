// The order of roots for union.wgsl. A kernel that includes this declares `firsts`, the first pixel of each node.

// Whether a root has to hold its component's first pixel; where any root will do, two reads a step are spared.
override ORDERED: bool = true;

fn comesAfter(a: u32, b: u32) -> bool {
  return select(a > b, firsts[a] > firsts[b], ORDERED);
}
