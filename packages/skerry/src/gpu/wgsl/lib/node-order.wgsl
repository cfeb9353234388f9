// The order of roots for union.wgsl. A kernel that includes this declares `firsts`, the first pixel of each node.

// Whether a root must be the node of its component's first pixel. If any root will do, two reads per step are saved.
override ORDERED: bool = true;

fn comesAfter(a: u32, b: u32) -> bool {
  return select(a > b, firsts[a] > firsts[b], ORDERED);
}
