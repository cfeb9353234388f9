// Labels the tiles of a bit plane, each on its own: 4 words by 32 cells, one cell per thread.
//
// A cell is a word of one row, or of two rows if diagonals join. Pixels of two rows in neighbouring columns then always
// touch, so every run of the rows' union is connected (the blocks of Grana 2010 and Allegretti 2019, 32 columns at a
// time). Such a run within one cell is a segment; a cell has at most 16.
//
//     row 0   . X . . X .
//     row 1   X . . . X X      two segments
//     union   X X . . X X
//
// Segment k of the tile's cell t has slot 16 t + k. Segments are first linked to a segment above or to the left,
// without atomics. Segments that meet more than one are united afterwards (Komura 2015, Playne & Hawick 2018).
//
// Each of the tile's components becomes a node of the image. Nodes are numbered in no particular order, because later
// kernels derive labels from the nodes' first pixels.

// include lib/counters.wgsl

struct Parameters {
  words: u32,        // per row
  height: u32,
  tileColumns: u32,
  tiles: u32,
  capacity: u32,     // nodes that there is room for
  slice: u32,        // rows of a slice, whose first row has nothing above it; 0 for images
  wide: u32,         // whether diagonals join; with cells of two rows they do
}

@group(0) @binding(0) var<uniform> parameters: Parameters;
// A row of halo comes before the strip's first row, and one after its last: row r is row r + 1 here.
@group(0) @binding(1) var<storage, read> bits: array<u32>;
// Eight u32 per cell: the tile's component of each segment, 16 bits each.
@group(0) @binding(2) var<storage, read_write> segments: array<u32>;
// Per tile: its first node, its nodes, its foreground pixels, its runs.
@group(0) @binding(3) var<storage, read_write> tileTable: array<vec4u>;
@group(0) @binding(4) var<storage, read_write> parents: array<u32>;
// Per node: its first pixel, as word * 32 + bit.
@group(0) @binding(5) var<storage, read_write> firsts: array<atomic<u32>>;
// One bit per pixel, cleared here for later kernels.
@group(0) @binding(6) var<storage, read_write> marks: array<u32>;
@group(0) @binding(7) var<storage, read_write> counters: array<atomic<u32>>;

// include lib/cells.wgsl
// include lib/meetings.wgsl

const ROOT = 0x80000000u;

var<workgroup> cells: array<u32, 128>;
var<workgroup> tops: array<u32, 128>;
var<workgroup> bottoms: array<u32, 128>;
var<workgroup> links: array<atomic<u32>, 2048>;
var<workgroup> found: atomic<u32>;
var<workgroup> pixels: atomic<u32>;
var<workgroup> runs: atomic<u32>;
var<workgroup> base: u32;
var<workgroup> busy: u32;
// 1 if there is no room for the tile's nodes.
var<workgroup> crowded: u32;

// The slot of the last segment of the tile's cell t.
fn lastSlot(t: u32) -> u32 {
  return t * 16u + countOneBits(startsOf(cells[t])) - 1u;
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

// Makes the smaller root the parent of the larger. If the larger one got a parent meanwhile, that parent is united
// next.
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

// The first pixel of a segment in raster order.
fn firstPixel(index: u32, top: u32, bottom: u32, ones: u32) -> u32 {
  if ((top & ones) != 0u) { return index * 32u + countTrailingZeros(top & ones); }
  return (index + parameters.words) * 32u + countTrailingZeros(bottom & ones);
}

// The tile's component of a segment, once roots are numbers.
fn component(slot: u32) -> u32 {
  var link = atomicLoad(&links[slot]);
  if ((link & ROOT) == 0u) { link = atomicLoad(&links[link]); }
  return link & 0xffffu;
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
  let row = ((tile / parameters.tileColumns) * ROWS + (t >> 2u)) * CELL;
  let index = row * parameters.words + column;
  let bitIndex = index + parameters.words;

  var top = 0u;
  var bottom = 0u;
  var carries = 0u;
  if (column < parameters.words && row < parameters.height) {
    top = bits[bitIndex];
    marks[index] = 0u;
    if (column > 0u) { carries = bits[bitIndex - 1u] >> 31u; }
    bottom = top;
    if (CELL == 2u) {
      bottom = 0u;
      if (row + 1u < parameters.height) {
        bottom = bits[bitIndex + parameters.words];
        marks[index + parameters.words] = 0u;
        if (column > 0u) { carries |= (bits[bitIndex + parameters.words - 1u] >> 31u) << 1u; }
      }
    }
  }
  let c = top | bottom;
  cells[t] = c;
  tops[t] = top;
  bottoms[t] = bottom;
  // Every thread with pixels stores the same value. The load below also waits until all cells are stored.
  if (c != 0u) { busy = 1u; }
  if (workgroupUniformLoad(&busy) == 0u) {
    if (t == 0u) { tileTable[tile] = vec4u(); }
    return;
  }

  let cs = startsOf(c);
  let count = countOneBits(cs);
  let slot = t * 16u;
  // The first cell of the column that lies in the tile and in the slice.
  var begin = t & 3u;
  if (parameters.slice != 0u) {
    let lines = (row % parameters.slice) / CELL;
    if (lines < (t >> 2u)) { begin = t - lines * COLUMNS; }
  }
  let above = t != begin;
  let wide = CELL == 2u || parameters.wide == 1u;
  let beside = (t & 3u) != 0u;
  var u = 0u;
  var over = 0u;
  var left = 0u;
  var leftTop = 0u;
  var overLeft = 0u;
  if (above) {
    u = cells[t - COLUMNS];
    over = bottoms[t - COLUMNS];
  }
  if (beside) {
    left = cells[t - 1u] >> 31u;
    leftTop = tops[t - 1u] >> 31u;
  }
  if (above && beside) { overLeft = bottoms[t - COLUMNS - 1u] >> 31u; }

  // The first segment continues from the word to the left, and the row above does not unite the two already:
  //
  //     over   ..1 0..     to be united here     ..1 1..   already united by the row above
  //     top    ..1 1..                           ..1 1..
  var beginsLeft = (c & left) == 1u && (top & over & leftTop & overLeft & 1u) == 0u;

  // Pairs that are not the first of their segment.
  var extra = 0u;
  let us = startsOf(u);
  if (above && top == over && c == u && c == top) {
    // Equal rows: every segment is linked to the same segment in the topmost of these rows.
    var first = t - COLUMNS;
    while (first >= begin + COLUMNS && tops[first] == c && bottoms[first - COLUMNS] == c && cells[first - COLUMNS] == c) {
      first -= COLUMNS;
    }
    for (var k = 0u; k < count; k++) { atomicStore(&links[slot + k], first * 16u + k); }
  } else {
    // One bit per pair of runs that touch: at the later of their starts if the runs overlap, or, diagonally, at the start
    // of one just after the end of the other.
    //
    //     over  . X X . X     bit 1: a run starts over the other; bit 4: both start
    //     top   X X . . X     8-connected, bit 1 covers the diagonal; nothing is met twice
    let starts = startsOf(top);
    let startsOver = startsOf(over);
    var pairs = overlaps(top, starts, over, startsOver);
    if (wide) {
      pairs |= (startsOver & ~top & (top << 1u)) | (starts & ~over & (over << 1u));
      pairs = firstOfStretches(pairs, c & u);
    }
    var linked = 0u;
    while (pairs != 0u) {
      let upTo = pairs ^ (pairs - 1u);
      let a = countOneBits(cs & upTo) - 1u;
      if (((linked >> a) & 1u) == 1u) {
        extra |= pairs & (0u - pairs);
      } else {
        atomicStore(&links[slot + a], slot - COLUMNS * 16u + countOneBits(us & upTo) - 1u);
        linked |= 1u << a;
      }
      pairs &= pairs - 1u;
    }
    if (beginsLeft && (linked & 1u) == 0u) {
      atomicStore(&links[slot], lastSlot(t - 1u));
      beginsLeft = false;
      linked |= 1u;
    }
    for (var rest = ((1u << count) - 1u) & ~linked; rest != 0u; rest &= rest - 1u) {
      let own = slot + countTrailingZeros(rest);
      atomicStore(&links[own], own);
    }
  }
  // All links are made before any is shortened.
  workgroupBarrier();
  // Pointer jumping: chains of rows become a quarter as long before any thread follows them.
  for (var round = 0u; round < 2u; round++) {
    for (var k = 0u; k < count; k++) {
      let up = atomicLoad(&links[slot + k]);
      atomicStore(&links[slot + k], atomicLoad(&links[up]));
    }
    // A round needs all results of the round before. Also, a plain store must not undo a union of the next step.
    workgroupBarrier();
  }

  while (extra != 0u) {
    let upTo = extra ^ (extra - 1u);
    unite(slot + countOneBits(cs & upTo) - 1u, slot - COLUMNS * 16u + countOneBits(us & upTo) - 1u);
    extra &= extra - 1u;
  }
  if (beginsLeft) { unite(slot, lastSlot(t - 1u)); }
  if (wide && above && beside) {
    // Diagonals between words, where no third pixel joins the two anyway.
    if ((over & leftTop & 1u) == 1u && (top & 1u) == 0u && overLeft == 0u) {
      unite(lastSlot(t - 1u), slot - COLUMNS * 16u);
    }
    if ((top & overLeft & 1u) == 1u && (over & 1u) == 0u && leftTop == 0u) {
      unite(slot, lastSlot(t - COLUMNS - 1u));
    }
  }
  // All unions are made before segments are linked to their roots.
  workgroupBarrier();

  // Other threads may follow these links meanwhile. A link to the root is equally valid for them.
  var roots = 0u;
  var sameRow = 0u;
  for (var k = 0u; k < count; k++) {
    let root = find(slot + k);
    if (root == slot + k) {
      roots |= 1u << k;
    } else {
      atomicStore(&links[slot + k], root);
      if ((root >> 6u) == (t >> 2u)) { sameRow |= 1u << k; }
    }
  }
  var first = 0u;
  if (roots != 0u) { first = atomicAdd(&found, countOneBits(roots)); }
  if (c != 0u) {
    var ones = countOneBits(top);
    var starts = countOneBits(top & ~((top << 1u) | (carries & 1u)));
    if (CELL == 2u) {
      ones += countOneBits(bottom);
      starts += countOneBits(bottom & ~((bottom << 1u) | (carries >> 1u)));
    }
    atomicAdd(&pixels, ones);
    atomicAdd(&runs, starts);
  }
  // Roots may become numbers only after the last search for roots. By then all roots are counted, too.
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
      begin = atomicAdd(&counters[NODES], total);
      // Too many: the host reads the count and repeats the call with more room. Until then the tile's segments refer to
      // the first nodes, which exist and must not be changed.
      if (begin + total > parameters.capacity) {
        begin = 0u;
        crowded = 1u;
      }
    }
    base = begin;
    tileTable[tile] = vec4u(begin, total, atomicLoad(&pixels), atomicLoad(&runs));
  }
  // The numbers of roots and the tile's first node are stored.
  workgroupBarrier();

  number = first;
  var rest = c;
  for (var k = 0u; k < count && roots >> k != 0u; k++) {
    let begin = countTrailingZeros(rest);
    let ones = rest & ~(rest + (1u << begin));
    rest &= ~ones;
    if (((roots >> k) & 1u) == 1u && crowded == 0u) {
      parents[base + number] = base + number;
      atomicStore(&firsts[base + number], firstPixel(index, top, bottom, ones));
      number++;
    }
  }
  for (var k = 0u; k < count; k += 2u) {
    let pair = component(slot + k) | (component(slot + min(k + 1u, count - 1u)) << 16u);
    segments[segmentsAt(column, row) + (k >> 1u)] = pair;
  }
  if (CELL == 2u) {
    // A root's cell comes first, but not always its pixels: a segment further right may reach into the upper row. The
    // barrier guarantees that the roots' own pixels are stored before.
    storageBarrier();
    rest = c;
    for (var k = 0u; k < count && sameRow >> k != 0u; k++) {
      let begin = countTrailingZeros(rest);
      let ones = rest & ~(rest + (1u << begin));
      rest &= ~ones;
      if (((sameRow >> k) & 1u) == 1u && crowded == 0u) {
        atomicMin(&firsts[base + component(slot + k)], firstPixel(index, top, bottom, ones));
      }
    }
  }
}
