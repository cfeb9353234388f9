// Unites the nodes of neighbouring tiles, where their segments touch: across each tile's upper edge word
// by word, and across its left edge row by row.
//
// A node hangs under one whose first pixel comes earlier in raster order, so the root of a component is
// the node that holds the component's first pixel, whoever came first to unite what.

struct Parameters {
  words: u32,
  height: u32,
  tileColumns: u32,
  horizontal: u32,   // words along upper edges, one thread each
  total: u32,        // those and the rows along left edges
}

@group(0) @binding(0) var<uniform> parameters: Parameters;
@group(0) @binding(1) var<storage, read> bits: array<u32>;
@group(0) @binding(2) var<storage, read> segments: array<u32>;
@group(0) @binding(3) var<storage, read> tileTable: array<vec4u>;
@group(0) @binding(4) var<storage, read> firsts: array<u32>;
@group(0) @binding(5) var<storage, read_write> parents: array<atomic<u32>>;

override EIGHT: bool = false;

const COLUMNS = 4u;
const ROWS = 32u;

fn startsOf(word: u32) -> u32 {
  return word & ~(word << 1u);
}

// The node of segment k of the word at (column, row).
fn node(column: u32, row: u32, k: u32) -> u32 {
  let tile = (row / ROWS) * parameters.tileColumns + column / COLUMNS;
  let pair = segments[(row * parameters.words + column) * 8u + (k >> 1u)];
  return tileTable[tile].x + ((pair >> ((k & 1u) * 16u)) & 0xffffu);
}

fn lastNode(column: u32, row: u32) -> u32 {
  return node(column, row, countOneBits(startsOf(bits[(row + 1u) * parameters.words + column])) - 1u);
}

fn find(x: u32) -> u32 {
  var at = x;
  var up = atomicLoad(&parents[at]);
  while (up != at) {
    at = up;
    up = atomicLoad(&parents[at]);
  }
  return at;
}

fn unite(x: u32, y: u32) {
  var a = find(x);
  var b = find(y);
  while (a != b) {
    if (firsts[a] > firsts[b]) {
      let c = a;
      a = b;
      b = c;
    }
    // Only a root may be hung up: an exchange fails when b got a parent meanwhile (or for no reason at all).
    let exchange = atomicCompareExchangeWeak(&parents[b], b, a);
    if (exchange.exchanged) { return; }
    a = find(a);
    b = find(exchange.old_value);
  }
}

@compute @workgroup_size(256)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) local: u32,
) {
  let thread = (group.y * groups.x + group.x) * 256u + local;
  if (thread >= parameters.total) { return; }
  if (thread < parameters.horizontal) {
    uniteAbove(thread % parameters.words, (thread / parameters.words + 1u) * ROWS);
  } else {
    let rest = thread - parameters.horizontal;
    uniteLeft((rest / parameters.height + 1u) * COLUMNS, rest % parameters.height);
  }
}

fn uniteAbove(column: u32, row: u32) {
  // Row r of the strip is row r + 1 of its bits.
  let index = (row + 1u) * parameters.words + column;
  let c = bits[index];
  let u = bits[index - parameters.words];
  var cCarry = 0u;
  var uCarry = 0u;
  if (column > 0u) {
    cCarry = bits[index - 1u] >> 31u;
    uCarry = bits[index - 1u - parameters.words] >> 31u;
  }
  // Runs, not segments: what goes on from the left meets there already.
  let cLeft = (c << 1u) | cCarry;
  let uLeft = (u << 1u) | uCarry;
  let cs = c & ~cLeft;
  let us = u & ~uLeft;
  var pairs = (us & c) | (cs & u & ~us);
  if (EIGHT) { pairs |= (us & ~c & cLeft) | (cs & ~u & uLeft); }
  var lastA = 0xffffffffu;
  var lastB = 0xffffffffu;
  while (pairs != 0u) {
    let upTo = pairs ^ (pairs - 1u);
    // The segment at the bit or just before it, which may be the last one of the word to the left.
    let ranksC = countOneBits(startsOf(c) & upTo);
    let ranksU = countOneBits(startsOf(u) & upTo);
    var a: u32;
    var b: u32;
    if (ranksC == 0u) { a = lastNode(column - 1u, row); } else { a = node(column, row, ranksC - 1u); }
    if (ranksU == 0u) { b = lastNode(column - 1u, row - 1u); } else { b = node(column, row - 1u, ranksU - 1u); }
    if (a != lastA || b != lastB) { unite(a, b); }
    lastA = a;
    lastB = b;
    pairs &= pairs - 1u;
  }
}

fn uniteLeft(column: u32, row: u32) {
  // Row r of the strip is row r + 1 of its bits.
  let index = (row + 1u) * parameters.words + column;
  let c = bits[index] & 1u;
  let left = bits[index - 1u] >> 31u;
  // The row above counts as far as it lies in the same two tiles.
  var u = 0u;
  var aboveLeft = 0u;
  let above = row % ROWS != 0u;
  if (above) {
    u = bits[index - parameters.words] & 1u;
    aboveLeft = bits[index - parameters.words - 1u] >> 31u;
  }
  if ((c & left) == 1u) {
    if ((u & aboveLeft) == 0u) { unite(node(column, row, 0u), lastNode(column - 1u, row)); }
  } else if (EIGHT && above) {
    if ((u & left) == 1u && aboveLeft == 0u) { unite(node(column, row - 1u, 0u), lastNode(column - 1u, row)); }
    if ((c & aboveLeft) == 1u && u == 0u) { unite(node(column, row, 0u), lastNode(column - 1u, row - 1u)); }
  }
}
