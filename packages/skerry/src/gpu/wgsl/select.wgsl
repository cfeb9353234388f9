// Copies the pixels of a plane whose component is kept, one word per thread.

struct Parameters {
  words: u32,        // per row
  total: u32,        // words of the strip
  tileColumns: u32,
}

@group(0) @binding(0) var<uniform> parameters: Parameters;
@group(0) @binding(1) var<storage, read> bits: array<u32>;
@group(0) @binding(2) var<storage, read> segments: array<u32>;
@group(0) @binding(3) var<storage, read> tileTable: array<vec4u>;
@group(0) @binding(4) var<storage, read> map: array<u32>;
// One bit per label, from 1 on.
@group(0) @binding(5) var<storage, read> keep: array<u32>;
@group(0) @binding(6) var<storage, read_write> kept: array<u32>;

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
  let base = tileTable[(line / ROWS) * parameters.tileColumns + column / COLUMNS].x;
  let c = bits[at];
  var rest = c;
  if (CELL == 2u) { rest |= bits[((row ^ 1u) + 1u) * parameters.words + column]; }
  var result = 0u;
  for (var k = 0u; rest != 0u; k++) {
    // The lowest segment: adding its lowest bit carries through it.
    let ones = rest & ~(rest + (rest & (0u - rest)));
    rest &= ~ones;
    if ((c & ones) == 0u) { continue; }
    let pair = segments[(line * parameters.words + column) * 8u + (k >> 1u)];
    let label = map[base + ((pair >> ((k & 1u) * 16u)) & 0xffffu)];
    if (((keep[label >> 5u] >> (label & 31u)) & 1u) == 1u) { result |= c & ones; }
  }
  kept[at] = result;
}
