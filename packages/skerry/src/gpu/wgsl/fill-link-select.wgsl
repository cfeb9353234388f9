// Writes the pixels whose root is marked as bits, one word per thread.

struct Parameters {
  words: u32,        // per row
  total: u32,        // words of the image
}

@group(0) @binding(0) var<uniform> parameters: Parameters;
@group(0) @binding(1) var<storage, read> left: array<u32>;
@group(0) @binding(2) var<storage, read_write> parents: array<atomic<u32>>;
@group(0) @binding(3) var<storage, read> marks: array<u32>;
@group(0) @binding(4) var<storage, read_write> bits: array<u32>;

// include lib/find.wgsl

@compute @workgroup_size(256)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) local: u32,
) {
  let index = (group.y * groups.x + group.x) * 256u + local;
  if (index >= parameters.total) { return; }
  let at = index + parameters.words;
  var result = 0u;
  // Stretches begin at bit 0, and at pixels that are not linked to the left.
  for (var rest = ~left[at] | 1u; rest != 0u; rest &= rest - 1u) {
    let first = countTrailingZeros(rest);
    let others = rest & (rest - 1u);
    // find() shortens paths for other threads. Roots no longer change.
    let root = find(index * 32u + first);
    if (((marks[root >> 5u] >> (root & 31u)) & 1u) == 1u) {
      // Bits from `first` up to the next stretch: the first bit of that stretch minus the first bit of this one.
      result |= (others & (0u - others)) - (1u << first);
    }
  }
  bits[at] = result;
}
