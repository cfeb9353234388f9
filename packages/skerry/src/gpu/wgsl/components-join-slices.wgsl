// Unites the nodes of neighbouring slices, where their segments touch: one word of a row per thread, with the rows of
// the slice before.
//
//     d b e   slice z - 1, rows y - 1, y, y + 1
//     u c     slice z
//
// Most segments that touch there are connected elsewhere: where u lies beside both c and b, c meets u in its slice, and
// u meets b in another thread. Such pairs are skipped. A pair is skipped only if pairs of earlier rows, or of c with u,
// connect the two segments, so skipping never loses a connection.
//
// With 26 neighbours and cells of two rows, all pixels of a cell touch all pixels in neighbouring columns of the cell
// behind it. Then one thread processes a word of a cell. Both rows together meet the cell behind. The upper row also
// meets the row above that cell, and the lower row the row below it.

struct Parameters {
  words: u32,        // per row
  total: u32,        // words of rows, or of cells, in the strip without its first slice
  tileColumns: u32,
  slice: u32,        // rows of a slice
  connectivity: u32, // 6, 18 or 26
}

@group(0) @binding(0) var<uniform> parameters: Parameters;
@group(0) @binding(1) var<storage, read> bits: array<u32>;
@group(0) @binding(2) var<storage, read> segments: array<u32>;
@group(0) @binding(3) var<storage, read> tileTable: array<vec4u>;
@group(0) @binding(4) var<storage, read> firsts: array<u32>;
@group(0) @binding(5) var<storage, read_write> parents: array<atomic<u32>>;

// include lib/cells.wgsl
// include lib/find.wgsl
// include lib/meetings.wgsl
// include lib/node-order.wgsl
// include lib/union.wgsl

// The node of the segment at the highest bit of `upTo`, or just before it. It may be the last segment of the word
// before.
fn nodeAt(column: u32, row: u32, cell: u32, upTo: u32) -> u32 {
  let rank = countOneBits(startsOf(cell) & upTo);
  if (rank > 0u) { return node(column, row, rank - 1u); }
  return node(column - 1u, row, countOneBits(startsOf(cellAt(column - 1u, row))) - 1u);
}

// x: a word of a row; y: the last pixel of the word before it, as the lowest bit.
fn pixelsOf(column: u32, row: u32, there: bool) -> vec2u {
  if (!there) { return vec2u(); }
  var before = 0u;
  if (column > 0u) { before = wordAt(column - 1u, row) >> 31u; }
  return vec2u(wordAt(column, row), before);
}

fn leftOf(word: vec2u) -> u32 {
  return (word.x << 1u) | word.y;
}

// Pairs of runs that overlap, at the later of their two starts.
fn straight(c: vec2u, v: vec2u) -> u32 {
  let startsC = c.x & ~leftOf(c);
  let startsV = v.x & ~leftOf(v);
  return overlaps(c.x, startsC, v.x, startsV);
}

// Pairs of runs where v's run begins just after c's run ended. For the reverse, swap the arguments.
fn fromLeft(c: vec2u, v: vec2u) -> u32 {
  return v.x & ~leftOf(v) & ~c.x & leftOf(c);
}

// Unites the pairs of row `row` and row `other`. Of consecutive pairs that join the same two segments only the first is
// used.
fn follow(pairs: u32, column: u32, row: u32, other: u32) {
  if (pairs == 0u) { return; }
  let c = cellAt(column, row);
  let v = cellAt(column, other);
  var lastA = 0xffffffffu;
  var lastB = 0xffffffffu;
  for (var rest = pairs; rest != 0u; rest &= rest - 1u) {
    let upTo = rest ^ (rest - 1u);
    let a = nodeAt(column, row, c, upTo);
    let b = nodeAt(column, other, v, upTo);
    // In noise most pairs are in one component already, and have the same parent.
    if ((a != lastA || b != lastB) && atomicLoad(&parents[a]) != atomicLoad(&parents[b])) { unite(a, b); }
    lastA = a;
    lastB = b;
  }
}

@compute @workgroup_size(256)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) local: u32,
) {
  let index = (group.y * groups.x + group.x) * 256u + local;
  if (index >= parameters.total) { return; }
  let column = index % parameters.words;
  let line = index / parameters.words;
  if (CELL == 2u && parameters.connectivity == 26u) {
    joinCell(column, line * 2u + parameters.slice);
  } else {
    joinRow(column, line + parameters.slice);
  }
}

fn joinCell(column: u32, row: u32) {
  let top = pixelsOf(column, row, true);
  let bottom = pixelsOf(column, row + 1u, true);
  let c = top | bottom;
  if ((c.x | c.y) == 0u) { return; }
  let y = row % parameters.slice;
  let behind = row - parameters.slice;
  let behindTop = pixelsOf(column, behind, true);
  let behindBottom = pixelsOf(column, behind + 1u, true);
  let b = behindTop | behindBottom;
  let u = pixelsOf(column, row - 1u, y > 0u);
  var pairs = straight(c, b) | fromLeft(c, b) | fromLeft(b, c);
  // The upper row meets u, and u the upper row behind.
  pairs &= ~(top.x & u.x & behindTop.x);
  follow(firstOfStretches(pairs, c.x & b.x), column, row, behind);
  if (y > 0u) {
    let d = pixelsOf(column, behind - 1u, true);
    let met = u.x | leftOf(u) | behindTop.x | leftOf(behindTop);
    follow((straight(top, d) | fromLeft(top, d) | fromLeft(d, top)) & ~met, column, row, behind - 1u);
  }
  if (y + 2u < parameters.slice) {
    let e = pixelsOf(column, behind + 2u, true);
    let met = behindBottom.x | leftOf(behindBottom);
    follow((straight(bottom, e) | fromLeft(bottom, e) | fromLeft(e, bottom)) & ~met, column, row + 1u, behind + 2u);
  }
}

fn joinRow(column: u32, row: u32) {
  let c = pixelsOf(column, row, true);
  if ((c.x | c.y) == 0u) { return; }
  let y = row % parameters.slice;
  let behind = row - parameters.slice;
  let hasAbove = y > 0u;
  let hasBelow = y + 1u < parameters.slice;
  let b = pixelsOf(column, behind, true);
  let u = pixelsOf(column, row - 1u, hasAbove);
  let d = pixelsOf(column, behind - 1u, hasAbove);
  var pairs = straight(c, b);
  if (parameters.connectivity == 6u) {
    // c meets u, u meets d, d meets b, all at this pixel.
    pairs &= ~(u.x & d.x);
  } else if (parameters.connectivity == 18u) {
    // u lies over b's pixel, and beside c's.
    pairs = (pairs & ~u.x) | (fromLeft(c, b) & ~u.x) | (fromLeft(b, c) & ~leftOf(u));
  } else {
    pairs = (pairs | fromLeft(c, b) | fromLeft(b, c)) & ~(u.x | leftOf(u));
  }
  follow(pairs, column, row, behind);
  if (parameters.connectivity == 6u) { return; }
  let e = pixelsOf(column, behind + 1u, hasBelow);
  var above = straight(c, d);
  var below = straight(c, e);
  if (parameters.connectivity == 18u) {
    above &= ~(u.x | b.x);
    below &= ~b.x;
  } else {
    above = (above | fromLeft(c, d) | fromLeft(d, c)) & ~(u.x | leftOf(u) | b.x | leftOf(b));
    below = (below | fromLeft(c, e) | fromLeft(e, c)) & ~(b.x | leftOf(b));
  }
  follow(above, column, row, behind - 1u);
  follow(below, column, row, behind + 1u);
}
