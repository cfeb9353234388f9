// Values times 64 of 16 bits as u8 without gaps between rows, four to a thread, for rows that are no whole words.

struct Parameters {
  total: u32,        // values
  values: u32,       // of a row
  stride: u32,       // words of a row of the plane
}

@group(0) @binding(0) var<uniform> parameters: Parameters;
@group(0) @binding(1) var<storage, read> plane: array<u32>;
@group(0) @binding(2) var<storage, read_write> result: array<u32>;

@compute @workgroup_size(256)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) t: u32,
) {
  let thread = (group.y * groups.x + group.x) * 256u + t;
  if (thread * 4u >= parameters.total) { return; }
  var word = 0u;
  for (var i = 0u; i < 4u; i++) {
    let at = thread * 4u + i;
    if (at >= parameters.total) { break; }
    let row = at / parameters.values;
    let column = at - row * parameters.values;
    let value = (plane[row * parameters.stride + (column >> 1u)] >> ((column & 1u) * 16u)) & 0xffffu;
    word |= min(255u, (value + 32u) >> 6u) << (8u * i);
  }
  result[thread] = word;
}
