// Reference for benchmarks: reads one byte and writes one word per pixel, the least traffic from u8 pixels to labels.

struct Parameters {
  total: u32,
}

@group(0) @binding(0) var<uniform> parameters: Parameters;
@group(0) @binding(1) var<storage, read> source: array<u32>;
@group(0) @binding(2) var<storage, read_write> target_: array<vec4u>;

@compute @workgroup_size(256)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) local: u32,
) {
  let i = (group.y * groups.x + group.x) * 256u + local;
  if (i < parameters.total) { target_[i] = unpack4xU8(source[i]); }
}
