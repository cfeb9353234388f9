// Sets the bits of pixels that a window's threshold left open, which were decided in f64.

struct Parameters {
  count: u32,
  width: u32,
  words: u32,        // of a row of bits
}

@group(0) @binding(0) var<uniform> parameters: Parameters;
@group(0) @binding(1) var<storage, read> places: array<u32>;
// Several places may lie in one word.
@group(0) @binding(2) var<storage, read_write> bits: array<atomic<u32>>;

@compute @workgroup_size(256)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) t: u32,
) {
  let i = (group.y * groups.x + group.x) * 256u + t;
  if (i >= parameters.count) { return; }
  let row = places[i] / parameters.width;
  let x = places[i] % parameters.width;
  atomicOr(&bits[(row + 1u) * parameters.words + (x >> 5u)], 1u << (x & 31u));
}
