// Turns the labels of a strip into labels of the image. A label that a seam joined to a label of an earlier strip
// becomes that label. The other labels continue the numbering without gaps.

struct Parameters {
  nodes: u32,
  base: u32,         // number of labels before the strip's own
  joined: u32,
}

@group(0) @binding(0) var<uniform> parameters: Parameters;
@group(0) @binding(1) var<storage, read> map: array<u32>;
// Joined labels, ascending, and their new labels.
@group(0) @binding(2) var<storage, read> joined: array<vec2u>;
@group(0) @binding(3) var<storage, read_write> labels: array<u32>;

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  for (var i = id.x; i < parameters.nodes; i += groups.x * 256u) {
    let label = map[i];
    // The number of joined labels before it.
    var low = 0u;
    var high = parameters.joined;
    while (low < high) {
      let middle = (low + high) / 2u;
      if (joined[middle].x < label) { low = middle + 1u; } else { high = middle; }
    }
    if (low < parameters.joined && joined[low].x == label) {
      labels[i] = joined[low].y;
    } else {
      labels[i] = parameters.base + label - low;
    }
  }
}
