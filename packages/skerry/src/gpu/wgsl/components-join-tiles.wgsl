// Unites the nodes of neighbouring tiles whose segments touch: across each tile's upper edge word by word, and across its
// left edge cell by cell.
//
// The parent of a node is a node whose first pixel comes earlier in raster order. So the root of a component is the
// node with the component's first pixel, whatever the order of unions.

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

// include lib/cells.wgsl
// include lib/find.wgsl
// include lib/meetings.wgsl
// include lib/node-order.wgsl
// include lib/union.wgsl

// The union of the rows of the cell whose first row is `row`, like cellAt() in lib/cells.wgsl. With `row + 1`, unlike
// `row ^ 1`, the compiler recognises a word that the caller also reads, and loads it once.
fn cellFrom(column: u32, row: u32) -> u32 {
  if (CELL == 1u) { return wordAt(column, row); }
  return wordAt(column, row) | wordAt(column, row + 1u);
}

fn lastNode(column: u32, row: u32) -> u32 {
  return node(column, row, countOneBits(startsOf(cellFrom(column, row))) - 1u);
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
  // Runs continue from the word to the left, so pairs that continue from there are united there.
  let topLeft = (top << 1u) | carry;
  let overLeft = (over << 1u) | carryOver;
  let starts = top & ~topLeft;
  let startsOver = over & ~overLeft;
  var pairs = overlaps(top, starts, over, startsOver);
  var c = top;
  var u = over;
  if (joinsDiagonals()) {
    pairs |= (startsOver & ~top & topLeft) | (starts & ~over & overLeft);
    c = cellFrom(column, row);
    u = cellFrom(column, row - CELL);
    pairs = firstOfStretches(pairs, c & u);
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
  let c = cellFrom(column, row) & 1u;
  let left = cellFrom(column - 1u, row) >> 31u;
  let top = wordAt(column, row) & 1u;
  let leftTop = wordAt(column - 1u, row) >> 31u;
  // The row above counts only if it lies in the same two tiles.
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
