// Writes the label of each pixel of a band of rows, one pixel per thread, whatever the width.

struct Parameters {
  width: u32,
  words: u32,
  tileColumns: u32,
  row: u32,          // the band's first row in the strip
  total: u32,        // threads
}

@group(0) @binding(0) var<uniform> parameters: Parameters;
@group(0) @binding(1) var<storage, read> bits: array<u32>;
@group(0) @binding(2) var<storage, read> segments: array<u32>;
@group(0) @binding(3) var<storage, read> tileTable: array<vec4u>;
@group(0) @binding(4) var<storage, read> map: array<u32>;
@group(0) @binding(5) var<storage, read_write> labels: array<u32>;

// The plane of the second polarity adds its labels to those of the first.
override SECOND: bool = false;

// include lib/cells.wgsl

@compute @workgroup_size(256)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) local: u32,
) {
  let pixel = (group.y * groups.x + group.x) * 256u + local;
  if (pixel >= parameters.total) { return; }
  let x = pixel % parameters.width;
  let y = parameters.row + pixel / parameters.width;
  let column = x >> 5u;
  let own = wordAt(column, y);
  if (((own >> (x & 31u)) & 1u) == 0u) {
    if (!SECOND) { labels[pixel] = 0u; }
    return;
  }
  let k = segmentOf(startsOf(cellOf(own, column, y)), x & 31u);
  labels[pixel] = map[node(column, y, k)];
}
