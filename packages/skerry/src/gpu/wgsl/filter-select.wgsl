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
// One bit per value of `map`: the strip's components from 1 on, or roots from 0 on.
@group(0) @binding(5) var<storage, read> keep: array<u32>;
@group(0) @binding(6) var<storage, read_write> kept: array<u32>;

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
  let segment = segmentsAt(column, row);
  let base = firstNode(column, row);
  let c = bits[at];
  var rest = cellOf(c, column, row);
  var result = 0u;
  for (var k = 0u; rest != 0u; k++) {
    let ones = lowestSegment(rest);
    rest &= ~ones;
    if ((c & ones) == 0u) { continue; }
    let label = map[base + componentAt(segment, k)];
    if (((keep[label >> 5u] >> (label & 31u)) & 1u) == 1u) { result |= c & ones; }
  }
  kept[at] = result;
}
