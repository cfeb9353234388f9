// Moves the centres, in one workgroup with one thread per centre. Means are divided bit by bit and rounded half up. Medians
// are computed before. Then the state is set: iterations end if no centre moved beyond the limit, and pause for the CPU if
// classes are empty.

struct Parameters {
  k: u32,
  fraction: u32,     // bits of a centre's coordinate below those of a colour's
  limit: u32,        // iterations end if no move costs more than this
}

@group(0) @binding(0) var<uniform> parameters: Parameters;
// The state: x is 0 while iterations go on, 1 once they are over, and 2 if classes are empty; y is the number of
// iterations; z is 1 if no centre moved beyond the limit. Then 256 centres, with 1 in w if the class is empty, and 256
// previous centres.
@group(0) @binding(1) var<storage, read_write> centres: array<vec4u>;
// Eight words per class: weight, and lower and upper words of the sums of x, y and z. Cleared here.
@group(0) @binding(2) var<storage, read_write> sums: array<u32>;

// include lib/centre-cost.wgsl

// The lower words of the sums hold medians.
override MEDIAN: bool = false;

var<workgroup> ended: u32;
var<workgroup> moved: atomic<u32>;
var<workgroup> empty: atomic<u32>;

// (high, low) / divisor in fixed point, where the whole part has at most 10 bits: long division.
fn divided(high: u32, low: u32, divisor: u32) -> u32 {
  var restHigh = high;
  var restLow = low;
  var quotient = 0u;
  for (var bit = 10u; bit > 0u; bit--) {
    let b = bit - 1u;
    // divisor << b in two words; a shift by 32 would be one by 0.
    let dLow = divisor << b;
    let dHigh = select(divisor >> (32u - b), 0u, b == 0u);
    if (restHigh > dHigh || (restHigh == dHigh && restLow >= dLow)) {
      restHigh -= dHigh + select(0u, 1u, restLow < dLow);
      restLow -= dLow;
      quotient |= 1u << b;
    }
  }
  // The rest is less than the divisor. Next are the bits of the fraction, and one more for rounding.
  for (var i = 0u; i < parameters.fraction + 1u; i++) {
    let over = restLow >> 31u;
    restLow <<= 1u;
    quotient <<= 1u;
    if (over == 1u || restLow >= divisor) {
      restLow -= divisor;
      quotient |= 1u;
    }
  }
  return (quotient + 1u) >> 1u;
}

@compute @workgroup_size(256)
fn main(@builtin(local_invocation_index) t: u32) {
  if (t == 0u) { ended = centres[0].x; }
  if (workgroupUniformLoad(&ended) != 0u) { return; }
  if (t < parameters.k) {
    let old = centres[t + 1u].xyz;
    centres[t + 257u] = vec4u(old, 0u);
    let at = t * 8u;
    let weight = sums[at];
    var centre = old;
    if (weight > 0u) {
      for (var axis = 0u; axis < 3u; axis++) {
        let low = sums[at + 1u + axis * 2u];
        if (MEDIAN) { centre[axis] = low << parameters.fraction; }
        else { centre[axis] = divided(sums[at + 2u + axis * 2u], low, weight); }
      }
    } else {
      atomicAdd(&empty, 1u);
    }
    if (cost(old, centre) > parameters.limit) { atomicAdd(&moved, 1u); }
    centres[t + 1u] = vec4u(centre, select(0u, 1u, weight == 0u));
    for (var word = at; word < at + 8u; word++) { sums[word] = 0u; }
  }
  // All centres have moved.
  workgroupBarrier();
  if (t == 0u) {
    let still = select(0u, 1u, atomicLoad(&moved) == 0u);
    centres[0] = vec4u(select(still, 2u, atomicLoad(&empty) > 0u), centres[0].y + 1u, still, 0u);
  }
}
