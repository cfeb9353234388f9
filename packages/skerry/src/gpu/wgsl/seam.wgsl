// Unites the nodes of neighbouring tiles, where their segments touch: across each tile's upper edge word
// by word, and across its left edge cell by cell.
//
// A node hangs under one whose first pixel comes earlier in raster order, so the root of a component is
// the node that holds the component's first pixel, whoever came first to unite what.

struct Parameters {
  words: u32,
  height: u32,
  tileColumns: u32,
  horizontal: u32,   // words along upper edges, one thread each
  total: u32,        // those and the cells along left edges
  slice: u32,        // rows of a slice, whose first row has nothing above it; 0 for images
  wide: u32,         // whether diagonals join; with cells of two rows they do
}

@group(0) @binding(0) var<uniform> parameters: Parameters;
@group(0) @binding(1) var<storage, read> bits: array<u32>;
@group(0) @binding(2) var<storage, read> segments: array<u32>;
@group(0) @binding(3) var<storage, read> tileTable: array<vec4u>;
@group(0) @binding(4) var<storage, read> firsts: array<u32>;
@group(0) @binding(5) var<storage, read_write> parents: array<atomic<u32>>;

// Rows per cell, as in label.wgsl.
override CELL: u32 = 1u;
// Whether a root has to hold its component's first pixel; where any root will do, two reads a step are spared.
override ORDERED: bool = true;

const COLUMNS = 4u;
const ROWS = 32u;

fn startsOf(word: u32) -> u32 {
  return word & ~(word << 1u);
}

// The word at (column, row); row r of the strip is row r + 1 of its bits.
fn wordAt(column: u32, row: u32) -> u32 {
  return bits[(row + 1u) * parameters.words + column];
}

// The union of the rows of the cell of which `row` is the first. Below the strip lies its halo: zeros, as strips
// that others follow have an even number of rows.
fn cellAt(column: u32, row: u32) -> u32 {
  if (CELL == 1u) { return wordAt(column, row); }
  return wordAt(column, row) | wordAt(column, row + 1u);
}

// The node of segment k of the cell at (column, row).
fn node(column: u32, row: u32, k: u32) -> u32 {
  let line = row / CELL;
  let tile = (line / ROWS) * parameters.tileColumns + column / COLUMNS;
  let pair = segments[(line * parameters.words + column) * 8u + (k >> 1u)];
  return tileTable[tile].x + ((pair >> ((k & 1u) * 16u)) & 0xffffu);
}

fn lastNode(column: u32, row: u32) -> u32 {
  return node(column, row, countOneBits(startsOf(cellAt(column, row))) - 1u);
}

fn find(x: u32) -> u32 {
  var at = x;
  var up = atomicLoad(&parents[at]);
  while (up != at) {
    let next = atomicLoad(&parents[up]);
    // Nobody but such a shortening writes to a node that has a parent, and every ancestor is right.
    if (next != up) { atomicStore(&parents[at], next); }
    at = up;
    up = next;
  }
  return at;
}

fn unite(x: u32, y: u32) {
  var a = find(x);
  var b = find(y);
  while (a != b) {
    if (select(a > b, firsts[a] > firsts[b], ORDERED)) {
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
    uniteAbove(thread % parameters.words, (thread / parameters.words + 1u) * ROWS * CELL);
  } else {
    let rest = thread - parameters.horizontal;
    let lines = (parameters.height + CELL - 1u) / CELL;
    uniteLeft((rest / lines + 1u) * COLUMNS, (rest % lines) * CELL);
  }
}

fn beginsSlice(row: u32) -> bool {
  return parameters.slice != 0u && row % parameters.slice == 0u;
}

fn joinsDiagonals() -> bool {
  return CELL == 2u || parameters.wide == 1u;
}

fn uniteAbove(column: u32, row: u32) {
  if (beginsSlice(row)) { return; }
  let top = wordAt(column, row);
  let over = wordAt(column, row - 1u);
  var carry = 0u;
  var carryOver = 0u;
  if (column > 0u) {
    carry = wordAt(column - 1u, row) >> 31u;
    carryOver = wordAt(column - 1u, row - 1u) >> 31u;
  }
  // Whole runs, as in label.wgsl, so what goes on from the left has met there already.
  let topLeft = (top << 1u) | carry;
  let overLeft = (over << 1u) | carryOver;
  let starts = top & ~topLeft;
  let startsOver = over & ~overLeft;
  var pairs = (startsOver & top) | (starts & over & ~startsOver);
  var c = top;
  var u = over;
  if (joinsDiagonals()) {
    pairs |= (startsOver & ~top & topLeft) | (starts & ~over & overLeft);
    c = cellAt(column, row);
    u = cellAt(column, row - CELL);
    let both = c & u;
    let inside = pairs & both;
    let after = (both & ~(both + inside)) | inside;
    pairs = (after & ~(after << 1u)) | (pairs & ~both);
  }
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
    if (ranksU == 0u) {
      b = lastNode(column - 1u, row - CELL);
    } else {
      b = node(column, row - CELL, ranksU - 1u);
    }
    if (a != lastA || b != lastB) { unite(a, b); }
    lastA = a;
    lastB = b;
    pairs &= pairs - 1u;
  }
}

fn uniteLeft(column: u32, row: u32) {
  let c = cellAt(column, row) & 1u;
  let left = cellAt(column - 1u, row) >> 31u;
  let top = wordAt(column, row) & 1u;
  let leftTop = wordAt(column - 1u, row) >> 31u;
  // The row above counts as far as it lies in the same two tiles.
  var over = 0u;
  var overLeft = 0u;
  let above = row % (ROWS * CELL) != 0u && !beginsSlice(row);
  if (above) {
    over = wordAt(column, row - 1u) & 1u;
    overLeft = wordAt(column - 1u, row - 1u) >> 31u;
  }
  if ((c & left) == 1u && (top & over & leftTop & overLeft) == 0u) {
    unite(node(column, row, 0u), lastNode(column - 1u, row));
  }
  if (joinsDiagonals() && above) {
    if ((over & leftTop) == 1u && top == 0u && overLeft == 0u) {
      unite(node(column, row - CELL, 0u), lastNode(column - 1u, row));
    }
    if ((top & overLeft) == 1u && over == 0u && leftTop == 0u) {
      unite(node(column, row, 0u), lastNode(column - 1u, row - CELL));
    }
  }
}
