// Planes of links, as links-match.wgsl writes them: foreground, links to the left, and links to earlier rows. A kernel that includes
// this declares `links`, and among its parameters `total`, the words of a plane.
//
// Chains of links within a word are stretches, named by the place of their first pixel, word * 32 + bit:
//
//     foreground  1 1 1 . 1 1     bit 0 on the left
//     left        1 1 . . . 1     linked to the pixel before; bit 0 is linked to the word before
//     firsts      1 . 1 . 1 .     three stretches

// The first pixels of a word's stretches.
fn firstsOf(foreground: u32, left: u32) -> u32 {
  return foreground & ~(left & 0xfffffffeu);
}

fn firstsAt(word: u32) -> u32 {
  return firstsOf(links[word], links[parameters.total + word]);
}

// The place of the stretch that holds a pixel: the nearest first pixel at or before it. Bits up to and with the pixel's own:
// 2 << 31 is 0, and 0 - 1 all ones.
fn stretchOf(word: u32, firsts: u32, bit: u32) -> u32 {
  return word * 32u + 31u - countLeadingZeros(firsts & ((2u << bit) - 1u));
}

// Links of two rows that other links do not imply. `left` and `over` are links to the left in the row and in the earlier one.
fn straightLinks(straight: u32, left: u32, over: u32) -> u32 {
  return straight & ~((straight << 1u) & left & over);
}

// The same for links to a pixel further left; `straight` links imply them if one end lies beside the other's pixel.
fn leftwardLinks(leftward: u32, straight: u32, left: u32, over: u32) -> u32 {
  return leftward & ~(left & (straight << 1u)) & ~(straight & over);
}

fn rightwardLinks(rightward: u32, straight: u32, left: u32, over: u32) -> u32 {
  return rightward & ~((left >> 1u) & (straight >> 1u)) & ~(straight & (over >> 1u));
}
