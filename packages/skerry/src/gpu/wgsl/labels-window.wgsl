// Writes the labels of a window of the image, one output pixel per thread. Only pixels that lie in this strip and are
// set in this plane are written. The output must be zero before.

struct Parameters {
  width: u32,
  height: u32,       // rows of a slice
  depth: u32,
  words: u32,        // per row
  tileColumns: u32,
  row: u32,          // the strip's first row, counted through all slices
  rows: u32,         // of the strip
  axis: u32,         // normal of the window: 0 x, 1 y, 2 z
  x: u32,            // the window's first pixel, as i32
  y: u32,
  z: u32,
  step: u32,
  columns: u32,
  total: u32,        // output pixels
}

@group(0) @binding(0) var<uniform> parameters: Parameters;
@group(0) @binding(1) var<storage, read> bits: array<u32>;
@group(0) @binding(2) var<storage, read> segments: array<u32>;
@group(0) @binding(3) var<storage, read> tileTable: array<vec4u>;
@group(0) @binding(4) var<storage, read> map: array<u32>;
@group(0) @binding(5) var<storage, read_write> labels: array<u32>;

// Writes 1 for pixels of all objects instead of their labels.
override MASK: bool = false;

// include lib/cells.wgsl

@compute @workgroup_size(256)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) local: u32,
) {
  let pixel = (group.y * groups.x + group.x) * 256u + local;
  if (pixel >= parameters.total) { return; }
  let i = i32(pixel % parameters.columns * parameters.step);
  let j = i32(pixel / parameters.columns * parameters.step);
  var at = vec3i(bitcast<i32>(parameters.x), bitcast<i32>(parameters.y), bitcast<i32>(parameters.z));
  if (parameters.axis == 0u) { at += vec3i(0, i, j); }
  else if (parameters.axis == 1u) { at += vec3i(i, 0, j); }
  else { at += vec3i(i, j, 0); }
  let size = vec3i(i32(parameters.width), i32(parameters.height), i32(parameters.depth));
  if (any(at < vec3i(0)) || any(at >= size)) { return; }
  let whole = u32(at.z) * parameters.height + u32(at.y);
  if (whole < parameters.row || whole >= parameters.row + parameters.rows) { return; }
  let x = u32(at.x);
  let y = whole - parameters.row;
  let column = x >> 5u;
  let own = wordAt(column, y);
  if (((own >> (x & 31u)) & 1u) == 0u) { return; }
  if (MASK) {
    labels[pixel] = 1u;
    return;
  }
  let k = segmentOf(startsOf(cellOf(own, column, y)), x & 31u);
  labels[pixel] = map[node(column, y, k)];
}
