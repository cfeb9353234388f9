// Settles what two planes, each filled on its own, both claim: the object that begins first in raster order,
// the outer one, keeps it. Writes one of the two planes. Both were labelled with one numbering, in which
// the lower label begins first.

struct Parameters {
  words: u32,        // per row
  total: u32,        // words of the strip
  tileColumns: u32,
}

@group(0) @binding(0) var<uniform> parameters: Parameters;
// The plane that is written...
@group(0) @binding(1) var<storage, read> bits: array<u32>;
@group(0) @binding(2) var<storage, read> segments: array<u32>;
@group(0) @binding(3) var<storage, read> tileTable: array<vec4u>;
// ...and the other one.
@group(0) @binding(4) var<storage, read> bits2: array<u32>;
@group(0) @binding(5) var<storage, read> segments2: array<u32>;
@group(0) @binding(6) var<storage, read> tileTable2: array<vec4u>;
@group(0) @binding(7) var<storage, read> map: array<u32>;
@group(0) @binding(8) var<storage, read_write> settled: array<u32>;

// Rows per cell, as in label.wgsl: 1 with 4-connectivity, 2 with 8.
override CELL: u32 = 1u;

const COLUMNS = 4u;
const ROWS = 32u;

@compute @workgroup_size(256)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) local: u32,
) {
  let index = (group.y * groups.x + group.x) * 256u + local;
  if (index >= parameters.total) { return; }
  // Row r of the strip is row r + 1 of its bits.
  let at = index + parameters.words;
  let row = index / parameters.words;
  let column = index % parameters.words;
  let line = row / CELL;
  let tile = (line / ROWS) * parameters.tileColumns + column / COLUMNS;
  let segment = (line * parameters.words + column) * 8u;
  let c = bits[at];
  var cell = c;
  var cell2 = bits2[at];
  var both = c & cell2;
  if (CELL == 2u) {
    let other = ((row ^ 1u) + 1u) * parameters.words + column;
    cell |= bits[other];
    cell2 |= bits2[other];
  }
  let starts = cell & ~(cell << 1u);
  let starts2 = cell2 & ~(cell2 << 1u);
  var result = c;
  for (; both != 0u; both &= both - 1u) {
    let upTo = both ^ (both - 1u);
    let k = countOneBits(starts & upTo) - 1u;
    let k2 = countOneBits(starts2 & upTo) - 1u;
    let pair = segments[segment + (k >> 1u)] >> ((k & 1u) * 16u);
    let pair2 = segments2[segment + (k2 >> 1u)] >> ((k2 & 1u) * 16u);
    if (map[tileTable[tile].x + (pair & 0xffffu)] > map[tileTable2[tile].x + (pair2 & 0xffffu)]) {
      result &= ~(both & (0u - both));
    }
  }
  settled[at] = result;
}
