// Weighted means of u8 along rows, mirrored at the borders, as values times 64 of 16 bits, two in a word. A workgroup smooths 1024
// values of a row. Weights have 15 bits and add up to 2^15; the product of two folded values is at most 32640 * 2^15, which 32 bits
// hold, and is rounded: (32640 * 8192 + 2^14) >> 15 is 8160.

struct Parameters {
  values: u32,       // of a row
  channels: u32,
  width: u32,        // pixels of a row
  rows: u32,
  segments: u32,     // of 1024 values, in a row
  stride: u32,       // words of a row of the plane
  radius: u32,
  first: u32,        // index of the first value in the binding
}

@group(0) @binding(0) var<uniform> parameters: Parameters;
@group(0) @binding(1) var<storage, read> pixels: array<u32>;
@group(0) @binding(2) var<storage, read> weights: array<u32>;
@group(0) @binding(3) var<storage, read_write> plane: array<u32>;

// include lib/pixels.wgsl
// include lib/mirrored.wgsl

// 1024 values, and up to 32 pixels of 4 channels to either side.
var<workgroup> line: array<u32, 1280>;

@compute @workgroup_size(256)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) t: u32,
) {
  let block = group.y * groups.x + group.x;
  let row = block / parameters.segments;
  if (row >= parameters.rows) { return; }
  let begin = (block % parameters.segments) * 1024u;
  let channels = i32(parameters.channels);
  let reach = parameters.radius * parameters.channels;
  let source = parameters.first + row * parameters.values;
  for (var i = t; i < 1024u + 2u * reach; i += 256u) {
    let at = i32(begin + i) - i32(reach);
    // Rounds down: value -1 of 3 channels is pixel -1.
    let pixel = select(at, at - channels + 1, at < 0) / channels;
    let value = mirrored(pixel, i32(parameters.width)) * channels + at - pixel * channels;
    line[i] = byteAt(source + u32(value)) << 6u;
  }
  // All threads read values that others loaded.
  workgroupBarrier();
  for (var half = 0u; half < 2u; half++) {
    let at = half * 512u + 2u * t;
    if (begin + at >= parameters.stride * 2u) { continue; }
    var sum = vec2u(0u);
    for (var k = 0u; k <= parameters.radius; k++) {
      let step = k * parameters.channels;
      let before = vec2u(line[reach + at - step], line[reach + at - step + 1u]);
      let behind = vec2u(line[reach + at + step], line[reach + at + step + 1u]);
      let both = select(before + behind, before, k == 0u);
      sum += (both * weights[k] + 16384u) >> vec2u(15u);
    }
    plane[row * parameters.stride + ((begin + at) >> 1u)] = sum.x | (sum.y << 16u);
  }
}
