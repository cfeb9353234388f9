// Histograms of the coordinates of each class, for medians: weights by axis, class and level.

struct Parameters {
  k: u32,
  colours: u32,
  levels: u32,       // of a coordinate
}

@group(0) @binding(0) var<uniform> parameters: Parameters;
// The first is the state: 0 in x while iterations go on.
@group(0) @binding(1) var<storage, read> centres: array<vec4u>;
@group(0) @binding(2) var<storage, read> points: array<u32>;
@group(0) @binding(3) var<storage, read> weights: array<u32>;
@group(0) @binding(4) var<storage, read> classes: array<u32>;
@group(0) @binding(5) var<storage, read_write> histograms: array<atomic<u32>>;

@compute @workgroup_size(256)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) t: u32,
) {
  let i = (group.y * groups.x + group.x) * 256u + t;
  if (i >= parameters.colours || centres[0].x != 0u) { return; }
  let point = points[i];
  let class_ = classes[i];
  for (var axis = 0u; axis < 3u; axis++) {
    let level = (point >> (axis * 10u)) & 1023u;
    atomicAdd(&histograms[(axis * parameters.k + class_) * parameters.levels + level], weights[i]);
  }
}
