// Links each stretch to its root, and marks the roots: the first pixels of the objects. All unions are complete. Other threads may follow
// these parents meanwhile; a root is as good for them.

struct Parameters {
  total: u32,        // words of a plane
}

@group(0) @binding(0) var<uniform> parameters: Parameters;
@group(0) @binding(1) var<storage, read> links: array<u32>;
@group(0) @binding(2) var<storage, read_write> parents: array<u32>;
@group(0) @binding(3) var<storage, read_write> marks: array<u32>;

// include lib/links.wgsl
// include lib/root.wgsl

@compute @workgroup_size(256)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) local: u32,
) {
  let word = (group.y * groups.x + group.x) * 256u + local;
  if (word >= parameters.total) { return; }
  var roots = 0u;
  for (var rest = firstsAt(word); rest != 0u; rest &= rest - 1u) {
    let bit = countTrailingZeros(rest);
    let place = word * 32u + bit;
    let root = rootOf(place);
    if (root == place) { roots |= 1u << bit; } else { parents[place] = root; }
  }
  marks[word] = roots;
}
