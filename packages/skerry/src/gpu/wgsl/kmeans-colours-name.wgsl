// Writes the class name of each colour to the table, at the colour's key.

struct Parameters {
  colours: u32,
}

@group(0) @binding(0) var<uniform> parameters: Parameters;
@group(0) @binding(1) var<storage, read> keys: array<u32>;
@group(0) @binding(2) var<storage, read> classes: array<u32>;
@group(0) @binding(3) var<storage, read> names: array<u32>;
@group(0) @binding(4) var<storage, read_write> table: array<u32>;

@compute @workgroup_size(256)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) t: u32,
) {
  let i = (group.y * groups.x + group.x) * 256u + t;
  if (i < parameters.colours) { table[keys[i]] = names[classes[i]]; }
}
