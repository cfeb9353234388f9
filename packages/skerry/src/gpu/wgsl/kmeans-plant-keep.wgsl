// Keeps the candidate that leaves the least cost, the first of equal ones, as a centre: each colour's cost, and the sums of blocks.

struct Parameters {
  colours: u32,
  fraction: u32,     // bits of a centre's coordinate below those of a colour's
  centre: u32,
  trials: u32,
}

@group(0) @binding(0) var<uniform> parameters: Parameters;
@group(0) @binding(1) var<storage, read> points: array<u32>;
@group(0) @binding(2) var<storage, read> weights: array<u32>;
@group(0) @binding(3) var<storage, read> candidates: array<vec4u>;
@group(0) @binding(4) var<storage, read> totals: array<vec2u>;
@group(0) @binding(5) var<storage, read_write> costs: array<u32>;
@group(0) @binding(6) var<storage, read_write> sums: array<vec2u>;
// The centres, with 1 in w; 0 before.
@group(0) @binding(7) var<storage, read_write> centres: array<vec4u>;

// include lib/block-sum.wgsl
// include lib/centre-cost.wgsl
// include lib/points.wgsl
// include lib/sum64.wgsl

@compute @workgroup_size(256)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) t: u32,
) {
  let block = group.y * groups.x + group.x;
  var best = 0u;
  for (var trial = 1u; trial < parameters.trials; trial++) {
    let least = totals[parameters.centre * 8u + best];
    let total = totals[parameters.centre * 8u + trial];
    if (total.y < least.y || (total.y == least.y && total.x < least.x)) { best = trial; }
  }
  let chosen = candidates[best];
  if (block == 0u && t == 0u) { centres[parameters.centre] = chosen; }
  var sum = vec2u();
  for (var i = block * BLOCK + t; i < min((block + 1u) * BLOCK, parameters.colours); i += 256u) {
    let point = coordinates(points[i]) << vec3u(parameters.fraction);
    let least = min(costs[i], cost(point, chosen.xyz));
    costs[i] = least;
    sum = plus64(sum, multiply(least, weights[i]));
  }
  addToBlock(sum);
  // The sums of all threads.
  workgroupBarrier();
  if (t == 0u && block * BLOCK < parameters.colours) { sums[block] = blockSum(); }
}
