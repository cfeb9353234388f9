// The total cost of all pixels with each candidate as one more centre, in 64 bits. A thread has eight neighbouring colours, whose costs stay as
// they are if even the nearest place of their box is further from the candidate.

struct Parameters {
  colours: u32,
  fraction: u32,     // bits of a centre's coordinate below those of a colour's
  centre: u32,
  trials: u32,
}

@group(0) @binding(0) var<uniform> parameters: Parameters;
@group(0) @binding(1) var<storage, read> points: array<u32>;
@group(0) @binding(2) var<storage, read> weights: array<u32>;
@group(0) @binding(3) var<storage, read> costs: array<u32>;
@group(0) @binding(4) var<storage, read> boxes: array<vec2u>;
@group(0) @binding(5) var<storage, read> candidates: array<vec4u>;
// Lower and upper words of eight candidates of each centre, 0 before.
@group(0) @binding(6) var<storage, read_write> totals: array<atomic<u32>>;

// include lib/centre-cost.wgsl
// include lib/points.wgsl
// include lib/sum64.wgsl

var<workgroup> local: array<atomic<u32>, 16>;

fn place(point: u32) -> vec3u {
  return coordinates(point) << vec3u(parameters.fraction);
}

@compute @workgroup_size(256)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) t: u32,
) {
  let begin = ((group.y * groups.x + group.x) * 256u + t) * 8u;
  let count = min(8u, parameters.colours - min(begin, parameters.colours));
  if (count > 0u) {
    var known = vec2u();
    var most = 0u;
    for (var i = begin; i < begin + count; i++) {
      known = plus64(known, multiply(costs[i], weights[i]));
      most = max(most, costs[i]);
    }
    let box = boxes[begin / 64u];
    for (var trial = 0u; trial < parameters.trials; trial++) {
      let candidate = candidates[trial].xyz;
      var sum = known;
      if (cost(candidate, clamp(candidate, place(box.x), place(box.y))) < most) {
        sum = vec2u();
        for (var i = begin; i < begin + count; i++) {
          sum = plus64(sum, multiply(min(costs[i], cost(place(points[i]), candidate)), weights[i]));
        }
      }
      let upper = upperOf(atomicAdd(&local[trial * 2u], sum.x), sum);
      if (upper > 0u) { atomicAdd(&local[trial * 2u + 1u], upper); }
    }
  }
  // The workgroup's sums are complete.
  workgroupBarrier();
  if (t < parameters.trials) {
    let own = vec2u(atomicLoad(&local[t * 2u]), atomicLoad(&local[t * 2u + 1u]));
    let at = (parameters.centre * 8u + t) * 2u;
    atomicAdd(&totals[at + 1u], upperOf(atomicAdd(&totals[at], own.x), own));
  }
}
