// Begins k-means++: no colour has a centre yet, and the first is drawn in proportion to the pixels of each. Sums up the pixels of each
// block of 2048 colours.

struct Parameters {
  colours: u32,
}

@group(0) @binding(0) var<uniform> parameters: Parameters;
@group(0) @binding(1) var<storage, read> weights: array<u32>;
// The largest cost is that of a colour without a centre.
@group(0) @binding(2) var<storage, read_write> costs: array<u32>;
@group(0) @binding(3) var<storage, read_write> sums: array<vec2u>;

// include lib/block-sum.wgsl
// include lib/sum64.wgsl

@compute @workgroup_size(256)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) t: u32,
) {
  let block = group.y * groups.x + group.x;
  var sum = vec2u();
  for (var i = block * BLOCK + t; i < min((block + 1u) * BLOCK, parameters.colours); i += 256u) {
    costs[i] = 0xffffffffu;
    sum = plus64(sum, vec2u(weights[i], 0u));
  }
  addToBlock(sum);
  // The sums of all threads.
  workgroupBarrier();
  if (t == 0u && block * BLOCK < parameters.colours) { sums[block] = blockSum(); }
}
