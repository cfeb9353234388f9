// Weighted means across lines, rows of a slice or slices, of values times 64 of 16 bits, two in a word. A thread smooths four values
// that lie side by side. With PACK the result is u8, for rows of whole words; else it is a plane of the same kind.

struct Parameters {
  words: u32,        // of the plane, an even number
  stride: u32,       // words of a row, an even number
  values: u32,       // of a row
  step: u32,         // words from a line to the next one
  lines: u32,
  below: u32,        // rows that a line has: 1, or the rows of a slice
  radius: u32,       // a multiple of 4: outer weights may be 0
  middle: u32,       // the middle weight
}

@group(0) @binding(0) var<uniform> parameters: Parameters;
@group(0) @binding(1) var<storage, read> plane: array<vec2u>;
@group(0) @binding(2) var<storage, read> weights: array<vec4u>;
@group(0) @binding(3) var<storage, read_write> result: array<u32>;

// include lib/mirrored.wgsl
// include lib/weighted.wgsl

override PACK: bool = true;

fn fourOf(pair: vec2u, weight: u32) -> vec2u {
  return vec2u(weighted(pair.x, weight), weighted(pair.y, weight));
}

@compute @workgroup_size(256)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) t: u32,
) {
  let pair = (group.y * groups.x + group.x) * 256u + t;
  let word = pair * 2u;
  if (word >= parameters.words) { return; }
  let row = word / parameters.stride;
  let line = (row / parameters.below) % parameters.lines;
  // Steps are even numbers of words.
  let step = parameters.step >> 1u;
  var sum = fourOf(plane[pair], parameters.middle);
  // Two values of at most 16330 in half a word: their sums do not reach the other half.
  if (line >= parameters.radius && line + parameters.radius < parameters.lines) {
    var before = pair;
    var behind = pair;
    for (var q = 0u; q < (parameters.radius >> 2u); q++) {
      let four = weights[q];
      let first = plane[before - step] + plane[behind + step];
      let second = plane[before - 2u * step] + plane[behind + 2u * step];
      let third = plane[before - 3u * step] + plane[behind + 3u * step];
      before -= 4u * step;
      behind += 4u * step;
      let fourth = plane[before] + plane[behind];
      sum += fourOf(first, four.x) + fourOf(second, four.y) + fourOf(third, four.z) + fourOf(fourth, four.w);
    }
  } else {
    let first = pair - line * step;
    let lines = i32(parameters.lines);
    for (var k = 1; k <= i32(parameters.radius); k++) {
      let before = first + u32(mirrored(i32(line) - k, lines)) * step;
      let behind = first + u32(mirrored(i32(line) + k, lines)) * step;
      sum += fourOf(plane[before] + plane[behind], weights[(k - 1) >> 2u][(k - 1) & 3]);
    }
  }
  if (!PACK) {
    result[word] = sum.x;
    result[word + 1u] = sum.y;
    return;
  }
  let column = (word - row * parameters.stride) * 2u;
  let four = vec4u(sum.x & 0xffffu, sum.x >> 16u, sum.y & 0xffffu, sum.y >> 16u);
  let bytes = min(vec4u(255u), (four + 32u) >> vec4u(6u));
  result[(row * parameters.values + column) >> 2u] = bytes.x | (bytes.y << 8u) | (bytes.z << 16u) | (bytes.w << 24u);
}
