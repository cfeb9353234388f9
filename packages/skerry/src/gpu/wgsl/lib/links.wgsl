// Planes of links, as links-match.wgsl writes them: foreground, links to the left, and links to earlier rows. A kernel that includes
// this declares `links`, and among its parameters `total`, the words of a plane.
//
// Chains of links within a word are stretches. Stretch k of a word is node word * 32 + k, so those of a word lie side by side, and the
// order of nodes is that of their first pixels:
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

// The node of the stretch that holds a pixel. Bits up to and with the pixel's own: 2 << 31 is 0, and 0 - 1 all ones.
fn stretchOf(word: u32, firsts: u32, bit: u32) -> u32 {
  return word * 32u + countOneBits(firsts & ((2u << bit) - 1u)) - 1u;
}

// Two rows at a word: their links to the left, those between the rows, and what lies beside the word.
struct Rows {
  left: u32,
  over: u32,       // links to the left in the earlier row
  straight: u32,   // links to the pixel of the same column
  carry: u32,      // the straight link of the pixel before the word, as bit 0
  next: u32,       // the link to the left of the earlier row's pixel after the word, as bit 31
}

// Links that other links do not imply: a straight one is implied by that of the pixel before, if both rows are linked there.
fn straightLinks(rows: Rows) -> u32 {
  return rows.straight & ~(((rows.straight << 1u) | rows.carry) & rows.left & rows.over);
}

// Links to a pixel further left, which straight links imply if one end lies beside the other's pixel.
fn leftwardLinks(leftward: u32, rows: Rows) -> u32 {
  return leftward & ~(rows.left & ((rows.straight << 1u) | rows.carry)) & ~(rows.straight & rows.over);
}

fn rightwardLinks(rightward: u32, rows: Rows) -> u32 {
  return rightward & ~((rows.left >> 1u) & (rows.straight >> 1u)) & ~(rows.straight & ((rows.over >> 1u) | rows.next));
}

// The rows of a word and of the one that begins `back` words before, with straight links in plane p. Bits beside the word count only
// where a link reaches them; past the last word of a row there is none.
fn rowsAt(word: u32, left: u32, back: u32, p: u32) -> Rows {
  let other = parameters.total + word - back;
  let plane = p * parameters.total + word;
  return Rows(left, links[other], links[plane], links[plane - 1u] >> 31u, links[other + 1u] << 31u);
}
