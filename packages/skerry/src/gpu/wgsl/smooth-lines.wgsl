// Weighted means across lines, rows of a slice or slices, of values times 64 of 16 bits, two in a word. A thread smooths four values
// that lie side by side. With PACK the result is u8, for rows of whole words; else it is a plane of the same kind.

struct Parameters {
  words: u32,        // of the plane, an even number
  stride: u32,       // words of a row, an even number
  values: u32,       // of a row
  step: u32,         // words from a line to the next one
  lines: u32,
  below: u32,        // rows that a line has: 1, or the rows of a slice
  radius: u32,
}

@group(0) @binding(0) var<uniform> parameters: Parameters;
@group(0) @binding(1) var<storage, read> plane: array<u32>;
@group(0) @binding(2) var<storage, read> weights: array<u32>;
@group(0) @binding(3) var<storage, read_write> result: array<u32>;

// include lib/mirrored.wgsl

override PACK: bool = true;

@compute @workgroup_size(256)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) t: u32,
) {
  let word = ((group.y * groups.x + group.x) * 256u + t) * 2u;
  if (word >= parameters.words) { return; }
  let row = word / parameters.stride;
  let line = i32((row / parameters.below) % parameters.lines);
  let first = word - u32(line) * parameters.step;
  var sum = vec4u(0u);
  for (var k = 0; k <= i32(parameters.radius); k++) {
    let a = first + u32(mirrored(line - k, i32(parameters.lines))) * parameters.step;
    let b = first + u32(mirrored(line + k, i32(parameters.lines))) * parameters.step;
    var both = vec2u(plane[a], plane[a + 1u]);
    // Two values of at most 16330 in half a word: their sums do not reach the other half.
    if (k > 0) { both += vec2u(plane[b], plane[b + 1u]); }
    let four = vec4u(both.x & 0xffffu, both.x >> 16u, both.y & 0xffffu, both.y >> 16u);
    sum += (four * weights[k] + 16384u) >> vec4u(15u);
  }
  if (!PACK) {
    result[word] = sum.x | (sum.y << 16u);
    result[word + 1u] = sum.z | (sum.w << 16u);
    return;
  }
  let column = (word - row * parameters.stride) * 2u;
  let bytes = min(vec4u(255u), (sum + 32u) >> vec4u(6u));
  result[(row * parameters.values + column) >> 2u] = bytes.x | (bytes.y << 8u) | (bytes.z << 16u) | (bytes.w << 24u);
}
