// Sums of 64 bits over the 2048 colours of a block, by a workgroup. A kernel that includes this includes sum64.wgsl.

const BLOCK = 2048u;

var<workgroup> low: atomic<u32>;
var<workgroup> high: atomic<u32>;

fn addToBlock(sum: vec2u) {
  let upper = upperOf(atomicAdd(&low, sum.x), sum);
  if (upper > 0u) { atomicAdd(&high, upper); }
}

// The sum of all threads, after a barrier.
fn blockSum() -> vec2u {
  return vec2u(atomicLoad(&low), atomicLoad(&high));
}
