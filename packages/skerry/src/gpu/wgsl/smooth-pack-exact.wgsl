// Signed values of 16 bits as u8, u16 or i16 without gaps between rows, a word of the result to a thread.

struct Parameters {
  total: u32,        // values
  values: u32,       // of a row
  stride: u32,       // words of a row of the plane
}

@group(0) @binding(0) var<uniform> parameters: Parameters;
@group(0) @binding(1) var<storage, read> plane: array<u32>;
@group(0) @binding(2) var<storage, read_write> result: array<u32>;

// 0 u8, 1 u16, 2 i16
override TYPE: u32 = 0u;

@compute @workgroup_size(256)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) t: u32,
) {
  let thread = (group.y * groups.x + group.x) * 256u + t;
  let inWord = select(2u, 4u, TYPE == 0u);
  if (thread * inWord >= parameters.total) { return; }
  var word = 0u;
  for (var i = 0u; i < inWord; i++) {
    let at = thread * inWord + i;
    if (at >= parameters.total) { break; }
    let row = at / parameters.values;
    let column = at - row * parameters.values;
    let value = (plane[row * parameters.stride + (column >> 1u)] >> ((column & 1u) * 16u)) & 0xffffu;
    // Flipping the sign bit adds 32768.
    if (TYPE == 0u) { word |= min(255u, ((value ^ 0x8000u) + 128u) >> 8u) << (8u * i); }
    else { word |= (value ^ select(0u, 0x8000u, TYPE == 1u)) << (16u * i); }
  }
  result[thread] = word;
}
