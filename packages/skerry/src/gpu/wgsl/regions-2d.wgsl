// Adds up area, bounds and first moments of the components: four tiles side by side in workgroup memory, then once
// per component into the records.
//
// Each thread takes the four cells of a tile's row, and sums the pixels of one label before any atomic. Sums in
// workgroup memory are kept by label, not by the tiles' components. Many of these may belong to one component of the
// image, and would contend for its record. A table of 256 labels is filled first. In images of dust, labels that find
// no place there go straight to their records.

struct Parameters {
  words: u32,        // per row
  height: u32,
  tileColumns: u32,
  tiles: u32,
  row: u32,          // of the strip in the image
  begin: u32,        // labels [begin, begin + count) have records here, counted from 0
  count: u32,
}

@group(0) @binding(0) var<uniform> parameters: Parameters;
@group(0) @binding(1) var<storage, read> bits: array<u32>;
@group(0) @binding(2) var<storage, read> segments: array<u32>;
@group(0) @binding(3) var<storage, read> tileTable: array<vec4u>;
@group(0) @binding(4) var<storage, read> map: array<u32>;
// Nine u32, from zero: area, ~x0, ~y0, x1, y1, sum of x (low, high), sum of y (low, high).
@group(0) @binding(5) var<storage, read_write> records: array<atomic<u32>>;

// include lib/cells.wgsl
// include lib/label-table.wgsl
// include lib/positions.wgsl
// include lib/records.wgsl
// include lib/sum64.wgsl

const TILES = 4u;
const RECORD = 9u;
const SLOTS = 256u;
// Components of a tile that are looked up in the table.
const LISTED = 256u;

// Labels of the slots; 0 is free.
var<workgroup> keys: array<atomic<u32>, 256>;
// The slots of the tiles' components.
var<workgroup> slots: array<u32, 1024>;
// Sums and bounds about the first tile's corner.
var<workgroup> areas: array<atomic<u32>, 256>;
var<workgroup> sumsX: array<atomic<u32>, 256>;
var<workgroup> sumsY: array<atomic<u32>, 256>;
var<workgroup> x0: array<atomic<u32>, 256>;
var<workgroup> x1: array<atomic<u32>, 256>;
var<workgroup> y0: array<atomic<u32>, 256>;
var<workgroup> y1: array<atomic<u32>, 256>;

struct Sums {
  n: u32,
  x: u32,
  y: u32,
  x0: u32,
  x1: u32,
  y0: u32,
  y1: u32,
}

// Moves the sums from the corner (x, y) to the image's.
fn flush(label: u32, x: u32, y: u32, s: Sums) {
  let object = label - 1u - parameters.begin;
  if (object >= parameters.count) { return; }
  let at = object * RECORD;
  atomicAdd(&records[at], s.n);
  grow(at + 1u, ~(x + s.x0));
  grow(at + 2u, ~(y + s.y0));
  grow(at + 3u, x + s.x1);
  grow(at + 4u, y + s.y1);
  add64(at + 5u, plus64(vec2u(s.x, 0u), multiply(s.n, x)));
  add64(at + 7u, plus64(vec2u(s.y, 0u), multiply(s.n, y)));
}

// Adds the pixels of a cell, whose corner lies at (x, y) about the first tile's.
fn plus(s: Sums, top: u32, bottom: u32, x: u32, y: u32) -> Sums {
  let upper = countOneBits(top);
  let lower = countOneBits(bottom);
  var sums = s;
  sums.n += upper + lower;
  sums.x += (upper + lower) * x + positions(top) + positions(bottom);
  sums.y += (upper + lower) * y + lower;
  sums.x0 = min(s.x0, x + countTrailingZeros(top | bottom));
  sums.x1 = max(s.x1, x + 32u - countLeadingZeros(top | bottom));
  sums.y0 = min(s.y0, select(y + 1u, y, upper > 0u));
  sums.y1 = max(s.y1, select(y + 1u, y + 2u, lower > 0u));
  return sums;
}

fn none() -> Sums {
  return Sums(0u, 0u, 0u, NOWHERE, 0u, NOWHERE, 0u);
}

fn add(slot: u32, s: Sums) {
  atomicAdd(&areas[slot], s.n);
  atomicAdd(&sumsX[slot], s.x);
  atomicAdd(&sumsY[slot], s.y);
  // Bounds are reached soon, and then need no atomic any more.
  if (atomicLoad(&x0[slot]) > s.x0) { atomicMin(&x0[slot], s.x0); }
  if (atomicLoad(&x1[slot]) < s.x1) { atomicMax(&x1[slot], s.x1); }
  if (atomicLoad(&y0[slot]) > s.y0) { atomicMin(&y0[slot], s.y0); }
  if (atomicLoad(&y1[slot]) < s.y1) { atomicMax(&y1[slot], s.y1); }
}

@compute @workgroup_size(128)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) t: u32,
) {
  let across = (parameters.tileColumns + TILES - 1u) / TILES;
  let block = group.y * groups.x + group.x;
  let tileLine = block / across;
  let firstColumn = (block % across) * TILES;
  if (tileLine * parameters.tileColumns >= parameters.tiles) { return; }
  for (var i = t; i < SLOTS; i += 128u) {
    atomicStore(&x0[i], NOWHERE);
    atomicStore(&y0[i], NOWHERE);
  }
  let tileColumn = firstColumn + (t & 3u);
  let line = t >> 2u;
  var info = vec4u();
  if (tileColumn < parameters.tileColumns) { info = tileTable[tileLine * parameters.tileColumns + tileColumn]; }
  for (var i = line; i < min(info.y, LISTED); i += 32u) {
    slots[(t & 3u) * LISTED + i] = slotOf(map[info.x + i]);
  }
  // Slots are known, and bounds neutral.
  workgroupBarrier();

  let x = firstColumn * COLUMNS * 32u;
  let row = (tileLine * ROWS + line) * CELL;
  let y = parameters.row + tileLine * ROWS * CELL;
  if (info.y != 0u && row < parameters.height) {
    var slot = NOWHERE;
    var s = none();
    for (var i = 0u; i < COLUMNS; i++) {
      let column = tileColumn * COLUMNS + i;
      if (column >= parameters.words) { break; }
      // Row r of the strip is row r + 1 of its bits.
      let index = (row + 1u) * parameters.words + column;
      let top = bits[index];
      var bottom = 0u;
      if (CELL == 2u && row + 1u < parameters.height) { bottom = bits[index + parameters.words]; }
      var rest = top | bottom;
      // Pixels of the cell that belong to `slot` and are not added up yet.
      var taken = 0u;
      let cellX = ((t & 3u) * COLUMNS + i) * 32u;
      let segment = segmentsAt(column, row);
      var pair = 0u;
      for (var k = 0u; rest != 0u; k++) {
        let ones = lowestSegment(rest);
        rest &= ~ones;
        if ((k & 1u) == 0u) { pair = segments[segment + (k >> 1u)]; } else { pair >>= 16u; }
        let id = pair & 0xffffu;
        var own = NOWHERE;
        if (id < LISTED) { own = slots[(t & 3u) * LISTED + id]; }
        if (own == NOWHERE) {
          flush(map[info.x + id], x, y, plus(none(), top & ones, bottom & ones, cellX, line * CELL));
          continue;
        }
        if (own != slot) {
          if (taken != 0u) { s = plus(s, top & taken, bottom & taken, cellX, line * CELL); }
          if (s.n != 0u) { add(slot, s); }
          slot = own;
          s = none();
          taken = 0u;
        }
        taken |= ones;
      }
      if (taken != 0u) { s = plus(s, top & taken, bottom & taken, cellX, line * CELL); }
    }
    if (s.n != 0u) { add(slot, s); }
  }
  // The sums are complete.
  workgroupBarrier();
  for (var i = t; i < SLOTS; i += 128u) {
    let n = atomicLoad(&areas[i]);
    if (n == 0u) { continue; }
    flush(atomicLoad(&keys[i]), x, y, Sums(
      n, atomicLoad(&sumsX[i]), atomicLoad(&sumsY[i]), atomicLoad(&x0[i]), atomicLoad(&x1[i]),
      atomicLoad(&y0[i]), atomicLoad(&y1[i]),
    ));
  }
}
