// Writes the label of each pixel of a band of rows, four pixels of a row per thread. The width must be a multiple of 4.
// labels-expand-pixels.wgsl handles other widths.

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
@group(0) @binding(5) var<storage, read_write> labels: array<vec4u>;

// The plane of the second polarity adds its labels to those of the first.
override SECOND: bool = false;

// include lib/cells.wgsl

@compute @workgroup_size(256)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) local: u32,
) {
  let thread = (group.y * groups.x + group.x) * 256u + local;
  if (thread >= parameters.total) { return; }
  let pixel = thread * 4u;
  let x = pixel % parameters.width;
  let y = parameters.row + pixel / parameters.width;
  let column = x >> 5u;
  let own = wordAt(column, y);
  let four = (own >> (x & 31u)) & 15u;
  var result = vec4u();
  if (four != 0u) {
    let starts = startsOf(cellOf(own, column, y));
    let segment = segmentsAt(column, y);
    let base = firstNode(column, y);
    // Number of segments up to the first of the four pixels. Each later start begins the next segment.
    // 2 << 31 is 0, and 0 - 1 all ones.
    var k = countOneBits(starts & ((2u << (x & 31u)) - 1u));
    let begin = starts >> (x & 31u);
    var label = 0u;
    for (var i = 0u; i < 4u; i++) {
      if (i > 0u && ((begin >> i) & 1u) == 1u) {
        k++;
        label = 0u;
      }
      if (((four >> i) & 1u) == 1u) {
        if (label == 0u) { label = map[base + componentAt(segment, k - 1u)]; }
        result[i] = label;
      }
    }
  }
  if (SECOND) { result = max(result, labels[thread]); }
  labels[thread] = result;
}
