// Labels the tiles of a bit plane, each on its own: 4 words by 32 rows, one word per thread.
//
// A segment is a run of ones within one word; a word has at most 16. Segment k of the tile's word t has
// slot 16 t + k, so slots ascend in raster order and the smallest slot of a tile's component holds its
// first pixel. Segments are linked to a segment above or to the left, never with an atomic; what meets
// more than one is united afterwards. (Komura 2015 and Playne & Hawick 2018 do this pixel by pixel.)
//
// Each of the tile's components becomes a node of the image. Nodes are numbered in no particular order:
// labels come from the nodes' first pixels later on.

struct Parameters {
  words: u32,        // per row
  height: u32,
  tileColumns: u32,
  tiles: u32,
  capacity: u32,     // nodes that there is room for
}

@group(0) @binding(0) var<uniform> parameters: Parameters;
// A row of halo comes before the strip's first row, and one after its last: row r is row r + 1 here.
@group(0) @binding(1) var<storage, read> bits: array<u32>;
// Eight u32 per word: the tile's component of each segment, 16 bits each.
@group(0) @binding(2) var<storage, read_write> segments: array<u32>;
// Per tile: its first node, its nodes, its foreground pixels, its runs.
@group(0) @binding(3) var<storage, read_write> tileTable: array<vec4u>;
@group(0) @binding(4) var<storage, read_write> parents: array<u32>;
// Per node: its first pixel, as word * 32 + bit.
@group(0) @binding(5) var<storage, read_write> firsts: array<u32>;
// One bit per pixel, cleared here for those that come after.
@group(0) @binding(6) var<storage, read_write> marks: array<u32>;
@group(0) @binding(7) var<storage, read_write> counters: array<atomic<u32>>;

override EIGHT: bool = false;

const COLUMNS = 4u;
const ROWS = 32u;
const ROOT = 0x80000000u;

var<workgroup> rows: array<u32, 128>;
var<workgroup> links: array<atomic<u32>, 2048>;
var<workgroup> found: atomic<u32>;
var<workgroup> pixels: atomic<u32>;
var<workgroup> runs: atomic<u32>;
var<workgroup> base: u32;

fn startsOf(word: u32) -> u32 {
  return word & ~(word << 1u);
}

// The slot of the last segment of the tile's word t.
fn lastSlot(t: u32) -> u32 {
  return t * 16u + countOneBits(startsOf(rows[t])) - 1u;
}

fn find(slot: u32) -> u32 {
  var at = slot;
  var up = atomicLoad(&links[at]);
  while (up != at) {
    at = up;
    up = atomicLoad(&links[at]);
  }
  return at;
}

// Links the larger root under the smaller; a root that got a parent meanwhile is united in its turn.
fn unite(x: u32, y: u32) {
  var a = find(x);
  var b = find(y);
  while (a != b) {
    let high = max(a, b);
    let low = min(a, b);
    let before = atomicMin(&links[high], low);
    if (before == high) { return; }
    a = find(before);
    b = find(low);
  }
}

@compute @workgroup_size(128)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) t: u32,
) {
  let tile = group.y * groups.x + group.x;
  if (tile >= parameters.tiles) { return; }
  let column = (tile % parameters.tileColumns) * COLUMNS + (t & 3u);
  let row = (tile / parameters.tileColumns) * ROWS + (t >> 2u);
  let inside = column < parameters.words && row < parameters.height;
  let index = row * parameters.words + column;

  var c = 0u;
  var carry = 0u;
  if (inside) {
    c = bits[index + parameters.words];
    if (column > 0u) { carry = bits[index + parameters.words - 1u] >> 31u; }
    marks[index] = 0u;
  }
  rows[t] = c;
  workgroupBarrier();

  let cs = startsOf(c);
  let count = countOneBits(cs);
  let slot = t * 16u;
  let above = t >= COLUMNS;
  let beside = (t & 3u) != 0u;
  var u = 0u;
  var left = 0u;
  var aboveLeft = 0u;
  if (above) { u = rows[t - COLUMNS]; }
  if (beside) { left = rows[t - 1u] >> 31u; }
  if (above && beside) { aboveLeft = rows[t - COLUMNS - 1u] >> 31u; }

  // The first segment goes on from the word to the left, and that is not known through the row above:
  //
  //     u   ..1 0..     here it has to be said,    ..1 1..   here the two meet above already
  //     c   ..1 1..                                ..1 1..
  var beginsLeft = (c & left) == 1u && (u & aboveLeft & 1u) == 0u;

  // Pairs that are not the first of their segment.
  var extra = 0u;
  if (above && c == u) {
    // Rows that repeat: every segment belongs to its like in the topmost of them.
    var top = t - COLUMNS;
    while (top >= COLUMNS && rows[top - COLUMNS] == c) { top -= COLUMNS; }
    for (var k = 0u; k < count; k++) { atomicStore(&links[slot + k], top * 16u + k); }
  } else {
    for (var k = 0u; k < count; k++) { atomicStore(&links[slot + k], slot + k); }
    // Each pair of segments that touch, once, at one bit: where the later of them starts over the other,
    // or, diagonally, where one starts just after the other ended.
    //
    //     u  . X X . X     bit 1: a segment of u starts over c; bit 4: both start
    //     c  X X . . X     8-connected, bit 1 covers the diagonal; nothing is met twice
    let us = startsOf(u);
    var pairs = (us & c) | (cs & u & ~us);
    if (EIGHT) { pairs |= (us & ~c & (c << 1u)) | (cs & ~u & (u << 1u)); }
    var last = 16u;
    while (pairs != 0u) {
      let upTo = pairs ^ (pairs - 1u);
      let a = countOneBits(cs & upTo) - 1u;
      if (a == last) {
        extra |= pairs & (0u - pairs);
      } else {
        atomicStore(&links[slot + a], slot - COLUMNS * 16u + countOneBits(us & upTo) - 1u);
        last = a;
      }
      pairs &= pairs - 1u;
    }
    if (beginsLeft && atomicLoad(&links[slot]) == slot) {
      atomicStore(&links[slot], lastSlot(t - 1u));
      beginsLeft = false;
    }
  }
  // All links are made before roots are looked for.
  workgroupBarrier();

  if (extra != 0u) {
    let us = startsOf(u);
    while (extra != 0u) {
      let upTo = extra ^ (extra - 1u);
      unite(slot + countOneBits(cs & upTo) - 1u, slot - COLUMNS * 16u + countOneBits(us & upTo) - 1u);
      extra &= extra - 1u;
    }
  }
  if (beginsLeft) { unite(slot, lastSlot(t - 1u)); }
  if (EIGHT && above && beside) {
    // Diagonals between words, where no third pixel joins the two anyway.
    if ((u & left & 1u) == 1u && (c & 1u) == 0u && aboveLeft == 0u) {
      unite(lastSlot(t - 1u), slot - COLUMNS * 16u);
    }
    if ((c & aboveLeft & 1u) == 1u && (u & 1u) == 0u && left == 0u) {
      unite(slot, lastSlot(t - COLUMNS - 1u));
    }
  }
  // All unions are made before segments are given to their roots.
  workgroupBarrier();

  // Finds of other threads may run through these links: a link to the root is as good to them.
  var roots = 0u;
  for (var k = 0u; k < count; k++) {
    let root = find(slot + k);
    if (root == slot + k) { roots |= 1u << k; } else { atomicStore(&links[slot + k], root); }
  }
  var first = 0u;
  if (roots != 0u) { first = atomicAdd(&found, countOneBits(roots)); }
  if (c != 0u) {
    atomicAdd(&pixels, countOneBits(c));
    atomicAdd(&runs, countOneBits(c & ~((c << 1u) | carry)));
  }
  // Roots may become numbers only when nobody looks for roots any more; then all are counted, too.
  workgroupBarrier();

  var number = first;
  for (var rest = roots; rest != 0u; rest &= rest - 1u) {
    atomicStore(&links[slot + countTrailingZeros(rest)], ROOT | number);
    number++;
  }
  if (t == 0u) {
    let total = atomicLoad(&found);
    var begin = 0u;
    if (total != 0u) {
      begin = atomicAdd(&counters[0], total);
      // Too many: the host sees the count, and repeats the call with more room. Until then ids stay valid.
      if (begin + total > parameters.capacity) { begin = 0u; }
    }
    base = begin;
    tileTable[tile] = vec4u(begin, total, atomicLoad(&pixels), atomicLoad(&runs));
  }
  // Numbers of roots, and the tile's first node, are there for everybody.
  workgroupBarrier();

  number = first;
  for (var rest = roots; rest != 0u; rest &= rest - 1u) {
    let k = countTrailingZeros(rest);
    var start = cs;
    for (var i = 0u; i < k; i++) { start &= start - 1u; }
    parents[base + number] = base + number;
    firsts[base + number] = index * 32u + countTrailingZeros(start);
    number++;
  }
  for (var k = 0u; k < count; k += 2u) {
    segments[index * 8u + (k >> 1u)] = component(slot + k) | (component(slot + min(k + 1u, count - 1u)) << 16u);
  }
}

// The tile's component of a segment, once roots are numbers.
fn component(slot: u32) -> u32 {
  var link = atomicLoad(&links[slot]);
  if ((link & ROOT) == 0u) { link = atomicLoad(&links[link]); }
  return link & 0xffffu;
}
