// Replaces the root of each top by its label: one more than the number of objects that begin before it.

struct Parameters {
  total: u32,        // words of a plane
}

@group(0) @binding(0) var<uniform> parameters: Parameters;
@group(0) @binding(1) var<storage, read> tops: array<u32>;
@group(0) @binding(2) var<storage, read> marks: array<u32>;
@group(0) @binding(3) var<storage, read> ranks: array<u32>;
@group(0) @binding(4) var<storage, read> blocks: array<u32>;
// Roots in, labels out. A thread reads and writes only its own tops.
@group(0) @binding(5) var<storage, read_write> parents: array<u32>;

// include lib/ranks.wgsl

@compute @workgroup_size(256)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) local: u32,
) {
  let word = (group.y * groups.x + group.x) * 256u + local;
  if (word >= parameters.total) { return; }
  for (var rest = tops[word]; rest != 0u; rest &= rest - 1u) {
    let node = word * 32u + countTrailingZeros(rest);
    let root = parents[node];
    parents[node] = rankOf(root >> 5u) + countOneBits(marks[root >> 5u] & ((2u << (root & 31u)) - 1u));
  }
}
