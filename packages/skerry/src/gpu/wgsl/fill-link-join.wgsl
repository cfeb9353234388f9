// Unites pixels that are linked across words and rows, with one word per thread. If several links join the same two
// stretches of pixels, only one is used.

struct Parameters {
  words: u32,        // per row
  total: u32,        // words of the image
  eight: u32,
}

@group(0) @binding(0) var<uniform> parameters: Parameters;
// Links to the neighbour on the left, above, above on the left and above on the right.
@group(0) @binding(1) var<storage, read> left: array<u32>;
@group(0) @binding(2) var<storage, read> up: array<u32>;
@group(0) @binding(3) var<storage, read> upLeft: array<u32>;
@group(0) @binding(4) var<storage, read> upRight: array<u32>;
@group(0) @binding(5) var<storage, read_write> parents: array<atomic<u32>>;

// include lib/find.wgsl
// include lib/union.wgsl

fn comesAfter(a: u32, b: u32) -> bool {
  return a > b;
}

@compute @workgroup_size(256)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) local: u32,
) {
  let index = (group.y * groups.x + group.x) * 256u + local;
  if (index >= parameters.total) { return; }
  // Row r of the image is row r + 1 of the bits, so `index` is the word above.
  let at = index + parameters.words;
  let l = left[at];
  let over = left[index];
  let u = up[at];
  let pixel = index * 32u;
  let rowPixels = parameters.words * 32u;
  if ((l & 1u) == 1u) { unite(pixel, pixel - 1u); }
  // A link up is implied if the left neighbour has one, and both ends are linked to their left neighbours.
  for (var rest = u & ~((u << 1u) & l & over); rest != 0u; rest &= rest - 1u) {
    let p = pixel + countTrailingZeros(rest);
    unite(p, p - rowPixels);
  }
  if (parameters.eight == 0u) { return; }
  // A diagonal link is implied if one of the two pixels beside it is linked to both of its ends.
  for (var rest = upLeft[at] & ~(l & (u << 1u)) & ~(u & over); rest != 0u; rest &= rest - 1u) {
    let p = pixel + countTrailingZeros(rest);
    unite(p, p - rowPixels - 1u);
  }
  for (var rest = upRight[at] & ~((l >> 1u) & (u >> 1u)) & ~(u & (over >> 1u)); rest != 0u; rest &= rest - 1u) {
    let p = pixel + countTrailingZeros(rest);
    unite(p, p - rowPixels + 1u);
  }
}
