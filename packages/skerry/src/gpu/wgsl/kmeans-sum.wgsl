// Adds up weights and coordinates of each class. A thread has eight neighbouring colours, most of which are of one
// class. Consecutive colours of a class are summed in registers, then in workgroup memory, and last in device memory.
//
// Sums of coordinates are 64-bit in two words. A thread whose addition makes the lower word wrap adds 1 to the upper
// word; it does not matter when.

struct Parameters {
  k: u32,
  colours: u32,
}

@group(0) @binding(0) var<uniform> parameters: Parameters;
// The first is the state: 0 in x while iterations go on.
@group(0) @binding(1) var<storage, read> centres: array<vec4u>;
@group(0) @binding(2) var<storage, read> points: array<u32>;
@group(0) @binding(3) var<storage, read> weights: array<u32>;
@group(0) @binding(4) var<storage, read> classes: array<u32>;
// Eight words per class: weight, and lower and upper words of x, y and z. The last word is not used.
@group(0) @binding(5) var<storage, read_write> sums: array<atomic<u32>>;

// include lib/points.wgsl
// include lib/sum64.wgsl

var<workgroup> ended: u32;
var<workgroup> local: array<atomic<u32>, 2048>;

// Adds 64 bits to the workgroup's sum.
fn addLocal(at: u32, value: vec2u) {
  let high = upperOf(atomicAdd(&local[at], value.x), value);
  if (high > 0u) { atomicAdd(&local[at + 1u], high); }
}

// Adds the sums of the registers: `weight`, and the coordinates times the lower and the upper halves of weights.
fn flush(class_: u32, weight: u32, lower: vec3u, upper: vec3u) {
  atomicAdd(&local[class_ * 8u], weight);
  for (var axis = 0u; axis < 3u; axis++) {
    let shifted = vec2u(upper[axis] << 16u, upper[axis] >> 16u);
    addLocal(class_ * 8u + 1u + axis * 2u, plus64(shifted, vec2u(lower[axis], 0u)));
  }
}

@compute @workgroup_size(256)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) t: u32,
) {
  let begin = ((group.y * groups.x + group.x) * 256u + t) * 8u;
  if (t == 0u) { ended = centres[0].x; }
  if (workgroupUniformLoad(&ended) != 0u) { return; }
  let end = min(begin + 8u, parameters.colours);
  var class_ = 0u;
  var weight = 0u;
  // A coordinate has 10 bits and half a weight 16: eight products fit 29.
  var lower = vec3u();
  var upper = vec3u();
  for (var i = begin; i < end; i++) {
    let own = classes[i];
    if (own != class_ && weight > 0u) {
      flush(class_, weight, lower, upper);
      weight = 0u;
      lower = vec3u();
      upper = vec3u();
    }
    class_ = own;
    let point = coordinates(points[i]);
    weight += weights[i];
    lower += point * (weights[i] & 0xffffu);
    upper += point * (weights[i] >> 16u);
  }
  if (weight > 0u) { flush(class_, weight, lower, upper); }
  // The workgroup's sums are complete.
  workgroupBarrier();
  for (var j = t; j < parameters.k; j += 256u) {
    let at = j * 8u;
    let added = atomicLoad(&local[at]);
    if (added == 0u) { continue; }
    atomicAdd(&sums[at], added);
    for (var word = at + 1u; word < at + 7u; word += 2u) {
      let sum = vec2u(atomicLoad(&local[word]), atomicLoad(&local[word + 1u]));
      let high = upperOf(atomicAdd(&sums[word], sum.x), sum);
      if (high > 0u) { atomicAdd(&sums[word + 1u], high); }
    }
  }
}
