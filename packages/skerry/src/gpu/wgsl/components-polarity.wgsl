// Marks the labels of the second polarity, one bit each. Its nodes are numbered after those of the first polarity.

struct Parameters {
  first: u32,
  nodes: u32,
}

@group(0) @binding(0) var<uniform> parameters: Parameters;
@group(0) @binding(1) var<storage, read> map: array<u32>;
@group(0) @binding(2) var<storage, read_write> second: array<atomic<u32>>;

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  for (var i = parameters.first + id.x; i < parameters.nodes; i += groups.x * 256u) {
    let label = map[i];
    atomicOr(&second[label >> 5u], 1u << (label & 31u));
  }
}
