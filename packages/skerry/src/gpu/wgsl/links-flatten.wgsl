// Links each top of a tile to its root, and marks the roots, which hold the first pixels of the objects: bit k for stretch k of a word. All
// unions are complete. Other threads may follow these parents meanwhile; a root is as good for them.

struct Parameters {
  total: u32,        // words of a plane
}

@group(0) @binding(0) var<uniform> parameters: Parameters;
@group(0) @binding(1) var<storage, read> tops: array<u32>;
@group(0) @binding(2) var<storage, read_write> parents: array<u32>;
@group(0) @binding(3) var<storage, read_write> marks: array<u32>;

// include lib/root.wgsl

@compute @workgroup_size(256)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) local: u32,
) {
  let word = (group.y * groups.x + group.x) * 256u + local;
  if (word >= parameters.total) { return; }
  var roots = tops[word];
  for (var rest = roots; rest != 0u; rest &= rest - 1u) {
    let node = word * 32u + countTrailingZeros(rest);
    let root = rootOf(node);
    if (root != node) {
      roots ^= rest & (0u - rest);
      parents[node] = root;
    }
  }
  marks[word] = roots;
}
