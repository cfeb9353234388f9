// Copies rows without the padding between them, as a copied texture has it, four bytes per thread.

struct Parameters {
  rowBytes: u32,
  pitch: u32,
  bytes: u32,
}

@group(0) @binding(0) var<uniform> parameters: Parameters;
@group(0) @binding(1) var<storage, read> pitched: array<u32>;
@group(0) @binding(2) var<storage, read_write> pixels: array<u32>;

@compute @workgroup_size(256)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) local: u32,
) {
  let index = (group.y * groups.x + group.x) * 256u + local;
  if (index * 4u >= parameters.bytes) { return; }
  var word = 0u;
  for (var i = 0u; i < min(4u, parameters.bytes - index * 4u); i++) {
    let at = index * 4u + i;
    let source = (at / parameters.rowBytes) * parameters.pitch + at % parameters.rowBytes;
    word |= ((pitched[source >> 2u] >> ((source & 3u) * 8u)) & 0xffu) << (i * 8u);
  }
  pixels[index] = word;
}
