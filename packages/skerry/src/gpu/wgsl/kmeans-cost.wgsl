// What all pixels cost with the centres of their classes, in 64 bits: below 2^64 even for 2^32 pixels.

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

// Sums of absolute differences instead of squared distances.
override L1: bool = false;

var<workgroup> low: atomic<u32>;
var<workgroup> high: atomic<u32>;

fn cost(a: vec3u, b: vec3u) -> u32 {
  let d = vec3u(abs(vec3i(a) - vec3i(b)));
  if (L1) { return d.x + d.y + d.z; }
  return d.x * d.x + d.y * d.y + d.z * d.z;
}

// Lower and upper word of a product, from products of halves.
fn product(a: u32, b: u32) -> vec2u {
  let aLow = a & 0xffffu;
  let aHigh = a >> 16u;
  let bLow = b & 0xffffu;
  let bHigh = b >> 16u;
  let middle = aHigh * bLow + ((aLow * bLow) >> 16u);
  let other = aLow * bHigh + (middle & 0xffffu);
  return vec2u(a * b, aHigh * bHigh + (middle >> 16u) + (other >> 16u));
}

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
    let point = ((vec3u(points[i]) >> vec3u(0u, 10u, 20u)) & vec3u(1023u)) << vec3u(parameters.fraction);
    let part = product(cost(point, centres[classes[i] + 1u].xyz), weights[i]);
    sum.x += part.x;
    sum.y += part.y + select(0u, 1u, sum.x < part.x);
  }
  let carry = select(0u, 1u, atomicAdd(&low, sum.x) > 0xffffffffu - sum.x);
  if (sum.y + carry > 0u) { atomicAdd(&high, sum.y + carry); }
  // The workgroup's sum is complete.
  workgroupBarrier();
  if (t == 0u) {
    let own = atomicLoad(&low);
    let over = select(0u, 1u, atomicAdd(&total[0], own) > 0xffffffffu - own);
    atomicAdd(&total[1], atomicLoad(&high) + over);
  }
}
