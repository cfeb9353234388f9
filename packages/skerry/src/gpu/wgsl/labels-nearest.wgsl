// Labels of the nearest objects: each pixel takes the label of its nearest site, or 0 if none is near enough. Counts the pixels that
// have a label, and the runs of equal labels along rows.

struct Parameters {
  width: u32,
  total: u32,        // pixels
}

@group(0) @binding(0) var<uniform> parameters: Parameters;
@group(0) @binding(1) var<storage, read> nearest: array<u32>;
@group(0) @binding(2) var<storage, read> labels: array<u32>;
@group(0) @binding(3) var<storage, read_write> grown: array<u32>;
// Pixels with a label, and runs.
@group(0) @binding(4) var<storage, read_write> counts: array<atomic<u32>>;

var<workgroup> pixels: atomic<u32>;
var<workgroup> runs: atomic<u32>;

fn labelOf(pixel: u32) -> u32 {
  let site = nearest[pixel];
  if (site >= parameters.total) { return 0u; }
  return labels[site];
}

@compute @workgroup_size(256)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) t: u32,
) {
  let pixel = (group.y * groups.x + group.x) * 256u + t;
  if (pixel < parameters.total) {
    let label = labelOf(pixel);
    grown[pixel] = label;
    if (label != 0u) {
      atomicAdd(&pixels, 1u);
      var before = 0u;
      if (pixel % parameters.width != 0u) { before = labelOf(pixel - 1u); }
      if (before != label) { atomicAdd(&runs, 1u); }
    }
  }
  // Sums of the whole workgroup, so that few threads meet at the counters.
  workgroupBarrier();
  if (t == 0u) {
    atomicAdd(&counts[0], atomicLoad(&pixels));
    atomicAdd(&counts[1], atomicLoad(&runs));
  }
}
