// Adds up area, bounds and first moments of the components of a volume, as regions-2d.wgsl does for images: four tiles
// side by side in workgroup memory, then once per component into the records. Rows of a tile may lie in several slices,
// so y and z are the volume's own; their sums over four tiles of 32 lines fit 32 bits for fewer than 65 536 of either.
//
// Each thread takes the four cells of a tile's row, and sums the pixels of one label before any atomic. Sums in
// workgroup memory are kept by label, not by the tiles' components. Many of these may belong to one component of the
// image, and would contend for its record. A table of 255 labels is filled first. In noise, labels that find no free slot
// are added directly to their records.

struct Parameters {
  words: u32,        // per row
  height: u32,
  tileColumns: u32,
  tiles: u32,
  row: u32,          // the strip's first row, counted through all slices
  slice: u32,        // rows of a slice
  begin: u32,        // labels [begin, begin + count) of the strip, counted from 0, have records here
  count: u32,
}

// Records of thirteen u32, from zero: area, ~x0, ~y0, ~z0, x1, y1, z1, sums of x, y and z (low, high).
// include lib/tile-bindings.wgsl
// include lib/cells.wgsl
// include lib/label-table.wgsl
// include lib/positions.wgsl
// include lib/plane-sums.wgsl
// include lib/records.wgsl
// include lib/sum64.wgsl

const TILES = 4u;
const RECORD = 13u;
const SLOTS = 255u;
// Components of a tile that are looked up in the table: noise has some hundreds.
const LISTED = 1024u;
// NOWHERE as a byte.
const NO_SLOT = 255u;

// The slots of the tiles' components, a byte each.
var<workgroup> slots: array<u32, 1024>;
var<workgroup> sumsZ: array<atomic<u32>, 256>;
var<workgroup> z0: array<atomic<u32>, 256>;
var<workgroup> z1: array<atomic<u32>, 256>;

// x is relative to the first tile's corner, y and z to the volume's.
struct Sums {
  plane: PlaneSums,
  z: u32,
  z0: u32,
  z1: u32,
}

// Adds sums to a label's record, with x moved to the volume's corner. With `small`, for labels without a slot, bounds are
// raised without being read first: such labels are mostly small and occur only once.
fn flush(label: u32, x: u32, sums: Sums, small: bool) {
  let s = sums.plane;
  let object = label - 1u - parameters.begin;
  if (object >= parameters.count) { return; }
  let at = object * RECORD;
  atomicAdd(&records[at], s.n);
  if (small) {
    atomicMax(&records[at + 1u], ~(x + s.x0));
    atomicMax(&records[at + 2u], ~s.y0);
    atomicMax(&records[at + 3u], ~sums.z0);
    atomicMax(&records[at + 4u], x + s.x1);
    atomicMax(&records[at + 5u], s.y1);
    atomicMax(&records[at + 6u], sums.z1);
  } else {
    grow(at + 1u, ~(x + s.x0));
    grow(at + 2u, ~s.y0);
    grow(at + 3u, ~sums.z0);
    grow(at + 4u, x + s.x1);
    grow(at + 5u, s.y1);
    grow(at + 6u, sums.z1);
  }
  add64(at + 7u, plus64(vec2u(s.x, 0u), multiply(s.n, x)));
  add64(at + 9u, vec2u(s.y, 0u));
  add64(at + 11u, vec2u(sums.z, 0u));
}

// Adds the pixels of a cell, whose corner lies at x from the first tile's corner and at (y, z) in the volume.
fn plus(s: Sums, top: u32, bottom: u32, x: u32, y: u32, z: u32) -> Sums {
  return Sums(
    plusCell(s.plane, top, bottom, x, y), s.z + (countOneBits(top) + countOneBits(bottom)) * z, min(s.z0, z), max(s.z1, z + 1u),
  );
}

fn none() -> Sums {
  return Sums(noPlaneSums(), 0u, NOWHERE, 0u);
}

fn add(slot: u32, s: Sums) {
  addPlaneSums(slot, s.plane);
  atomicAdd(&sumsZ[slot], s.z);
  if (atomicLoad(&z0[slot]) > s.z0) { atomicMin(&z0[slot], s.z0); }
  if (atomicLoad(&z1[slot]) < s.z1) { atomicMax(&z1[slot], s.z1); }
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
    atomicStore(&z0[i], NOWHERE);
  }
  let tileColumn = firstColumn + (t & 3u);
  let line = t >> 2u;
  var info = vec4u();
  if (tileColumn < parameters.tileColumns) { info = tileTable[tileLine * parameters.tileColumns + tileColumn]; }
  for (var i = line * 4u; i < min(info.y, LISTED); i += 128u) {
    var four = 0u;
    for (var k = 0u; k < min(4u, info.y - i); k++) {
      four |= min(slotOf(map[info.x + i + k]), NO_SLOT) << (k * 8u);
    }
    slots[((t & 3u) * LISTED + i) / 4u] = four;
  }
  // All slots are stored, and bounds are neutral.
  workgroupBarrier();

  let x = firstColumn * COLUMNS * 32u;
  let row = (tileLine * ROWS + line) * CELL;
  let absolute = parameters.row + row;
  let y = absolute % parameters.slice;
  let z = absolute / parameters.slice;
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
      // Pixels of the cell in `slot` that are not added up yet.
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
        if (id < LISTED) { own = (slots[((t & 3u) * LISTED + id) / 4u] >> ((id & 3u) * 8u)) & 0xffu; }
        if (own == NO_SLOT) { own = NOWHERE; }
        if (own == NOWHERE) {
          flush(map[info.x + id], x, plus(none(), top & ones, bottom & ones, cellX, y, z), true);
          continue;
        }
        if (own != slot) {
          if (taken != 0u) { s = plus(s, top & taken, bottom & taken, cellX, y, z); }
          if (s.plane.n != 0u) { add(slot, s); }
          slot = own;
          s = none();
          taken = 0u;
        }
        taken |= ones;
      }
      if (taken != 0u) { s = plus(s, top & taken, bottom & taken, cellX, y, z); }
    }
    if (s.plane.n != 0u) { add(slot, s); }
  }
  // The sums are complete.
  workgroupBarrier();
  for (var i = t; i < SLOTS; i += 128u) {
    let n = atomicLoad(&areas[i]);
    if (n == 0u) { continue; }
    let sums = Sums(planeSumsOf(i, n), atomicLoad(&sumsZ[i]), atomicLoad(&z0[i]), atomicLoad(&z1[i]));
    flush(atomicLoad(&keys[i]), x, sums, false);
  }
}
