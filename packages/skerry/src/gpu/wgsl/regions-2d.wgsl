// Adds up area, bounds and first moments of the components: four tiles side by side in workgroup memory, then once
// per component into the records.
//
// Each thread takes the four cells of a tile's row, and sums the pixels of one label before any atomic. Sums in
// workgroup memory are kept by label, not by the tiles' components. Many of these may belong to one component of the
// image, and would contend for its record. A table of 256 labels is filled first. In noise, labels that find no free slot
// are added directly to their records.

struct Parameters {
  words: u32,        // per row
  height: u32,
  tileColumns: u32,
  tiles: u32,
  row: u32,          // the strip's first row in the image
  begin: u32,        // labels [begin, begin + count) of the strip, counted from 0, have records here
  count: u32,
}

// Records of nine u32, from zero: area, ~x0, ~y0, x1, y1, sum of x (low, high), sum of y (low, high).
// include lib/tile-bindings.wgsl
// include lib/cells.wgsl
// include lib/label-table.wgsl
// include lib/positions.wgsl
// include lib/plane-sums.wgsl
// include lib/records.wgsl
// include lib/sum64.wgsl

const TILES = 4u;
const RECORD = 9u;
const SLOTS = 256u;
// Components of a tile that are looked up in the table.
const LISTED = 256u;

// The slots of the tiles' components.
var<workgroup> slots: array<u32, 1024>;
// Adds sums, relative to the first tile's corner (x, y), to a label's record, which is relative to the image's corner.
fn flush(label: u32, x: u32, y: u32, s: PlaneSums) {
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
  // All slots are stored, and bounds are neutral.
  workgroupBarrier();

  let x = firstColumn * COLUMNS * 32u;
  let row = (tileLine * ROWS + line) * CELL;
  let y = parameters.row + tileLine * ROWS * CELL;
  if (info.y != 0u && row < parameters.height) {
    var slot = NOWHERE;
    var s = noPlaneSums();
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
        if (id < LISTED) { own = slots[(t & 3u) * LISTED + id]; }
        if (own == NOWHERE) {
          flush(map[info.x + id], x, y, plusCell(noPlaneSums(), top & ones, bottom & ones, cellX, line * CELL));
          continue;
        }
        if (own != slot) {
          if (taken != 0u) { s = plusCell(s, top & taken, bottom & taken, cellX, line * CELL); }
          if (s.n != 0u) { addPlaneSums(slot, s); }
          slot = own;
          s = noPlaneSums();
          taken = 0u;
        }
        taken |= ones;
      }
      if (taken != 0u) { s = plusCell(s, top & taken, bottom & taken, cellX, line * CELL); }
    }
    if (s.n != 0u) { addPlaneSums(slot, s); }
  }
  // The sums are complete.
  workgroupBarrier();
  for (var i = t; i < SLOTS; i += 128u) {
    let n = atomicLoad(&areas[i]);
    if (n == 0u) { continue; }
    flush(atomicLoad(&keys[i]), x, y, planeSumsOf(i, n));
  }
}
