// Assigns pixels that are in both of two planes, whose holes were filled separately, to the object that begins first in
// raster order (the outer one). Writes one of the two planes. Both were labelled with one numbering, in which the lower
// label begins first.

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

// include lib/cells.wgsl

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
  let tile = (row / CELL / ROWS) * parameters.tileColumns + column / COLUMNS;
  let segment = segmentsAt(column, row);
  let c = bits[at];
  var cell2 = bits2[at];
  var both = c & cell2;
  if (CELL == 2u) { cell2 |= bits2[((row ^ 1u) + 1u) * parameters.words + column]; }
  let starts = startsOf(cellOf(c, column, row));
  let starts2 = startsOf(cell2);
  var result = c;
  for (; both != 0u; both &= both - 1u) {
    let upTo = both ^ (both - 1u);
    let k = countOneBits(starts & upTo) - 1u;
    let k2 = countOneBits(starts2 & upTo) - 1u;
    let pair2 = segments2[segment + (k2 >> 1u)] >> ((k2 & 1u) * 16u);
    if (map[tileTable[tile].x + componentAt(segment, k)] > map[tileTable2[tile].x + (pair2 & 0xffffu)]) {
      result &= ~(both & (0u - both));
    }
  }
  settled[at] = result;
}
