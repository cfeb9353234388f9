// Updates parents: each basin's parent follows the goals of this round to their end. The best saddles are reset. Goals lead
// from lower peaks to higher ones, so each path ends. A goal is only given to a root.

// include lib/watershed-counters.wgsl

struct Parameters {
  basins: u32,       // basins that there is room for
}

@group(0) @binding(0) var<uniform> parameters: Parameters;
@group(0) @binding(1) var<storage, read> counters: array<u32>;
@group(0) @binding(2) var<storage, read> goals: array<u32>;
@group(0) @binding(3) var<storage, read_write> parents: array<u32>;
@group(0) @binding(4) var<storage, read_write> best: array<u32>;

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let count = counters[BASINS];
  if (count > parameters.basins) { return; }
  for (var i = id.x; i < count; i += groups.x * 256u) {
    var root = parents[i];
    for (var goal = goals[root]; goal != 0u; goal = goals[root]) { root = goal - 1u; }
    parents[i] = root;
    best[i * 4u] = 0u;
    best[i * 4u + 1u] = 0u;
    best[i * 4u + 2u] = 0u;
  }
}
