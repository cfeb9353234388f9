// Turns the numbers of basins into labels, and counts the runs of labels along rows.

// include lib/watershed-counters.wgsl

struct Parameters {
  width: u32,
  total: u32,        // pixels
  basins: u32,       // basins that there is room for
}

@group(0) @binding(0) var<uniform> parameters: Parameters;
@group(0) @binding(1) var<storage, read> basins: array<u32>;
// Label of each basin's part.
@group(0) @binding(2) var<storage, read> names: array<u32>;
@group(0) @binding(3) var<storage, read_write> labels: array<u32>;
@group(0) @binding(4) var<storage, read_write> counters: array<atomic<u32>>;

var<workgroup> runs: atomic<u32>;

fn labelOf(place: u32) -> u32 {
  let basin = basins[place];
  if (basin == 0u || basin > parameters.basins) { return 0u; }
  return names[basin - 1u];
}

@compute @workgroup_size(256)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) local: u32,
) {
  let place = (group.y * groups.x + group.x) * 256u + local;
  if (place < parameters.total) {
    let label = labelOf(place);
    labels[place] = label;
    let isFirst = place % parameters.width == 0u;
    if (label != 0u && (isFirst || labelOf(place - 1u) != label)) { atomicAdd(&runs, 1u); }
  }
  // One atomic on device memory per workgroup.
  workgroupBarrier();
  if (local == 0u) { atomicAdd(&counters[RUNS], atomicLoad(&runs)); }
}
