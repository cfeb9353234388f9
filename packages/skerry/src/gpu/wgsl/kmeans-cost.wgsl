// The total cost of all pixels with the centres of their classes, in 64 bits: below 2^64 even for 2^32 pixels.

struct Parameters {
  colours: u32,
  fraction: u32,     // bits of a centre's coordinate below those of a colour's
}

@group(0) @binding(0) var<uniform> parameters: Parameters;
@group(0) @binding(1) var<storage, read> centres: array<vec4u>;
@group(0) @binding(2) var<storage, read> points: array<u32>;
@group(0) @binding(3) var<storage, read> weights: array<u32>;
@group(0) @binding(4) var<storage, read> classes: array<u32>;
// Lower and upper word.
@group(0) @binding(5) var<storage, read_write> total: array<atomic<u32>>;

// include lib/centre-cost.wgsl
// include lib/points.wgsl
// include lib/sum64.wgsl

var<workgroup> low: atomic<u32>;
var<workgroup> high: atomic<u32>;

@compute @workgroup_size(256)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) t: u32,
) {
  let begin = ((group.y * groups.x + group.x) * 256u + t) * 8u;
  let end = min(begin + 8u, parameters.colours);
  var sum = vec2u();
  for (var i = begin; i < end; i++) {
    let point = coordinates(points[i]) << vec3u(parameters.fraction);
    sum = plus64(multiply(cost(point, centres[classes[i] + 1u].xyz), weights[i]), sum);
  }
  let upper = upperOf(atomicAdd(&low, sum.x), sum);
  if (upper > 0u) { atomicAdd(&high, upper); }
  // The workgroup's sum is complete.
  workgroupBarrier();
  if (t == 0u) {
    let own = vec2u(atomicLoad(&low), atomicLoad(&high));
    atomicAdd(&total[1], upperOf(atomicAdd(&total[0], own.x), own));
  }
}
