// One channel of many as a plane. Each thread writes one word of results.

struct Parameters {
  pixels: u32,
  first: u32,        // index of the first value in the binding
  which: u32,
}

@group(0) @binding(0) var<uniform> parameters: Parameters;
@group(0) @binding(1) var<storage, read> pixels: array<u32>;
@group(0) @binding(2) var<storage, read_write> plane: array<u32>;

// include lib/pixels.wgsl
// include lib/values.wgsl

override CHANNELS: u32 = 3u;

@compute @workgroup_size(256)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) local: u32,
) {
  let thread = (group.y * groups.x + group.x) * 256u + local;
  let per = 4u / BYTES;
  let begin = thread * per;
  if (begin >= parameters.pixels) { return; }
  var word = 0u;
  for (var i = 0u; i < min(per, parameters.pixels - begin); i++) {
    word |= valueAt(parameters.first + (begin + i) * CHANNELS + parameters.which) << (i * 8u * BYTES);
  }
  plane[thread] = word;
}
