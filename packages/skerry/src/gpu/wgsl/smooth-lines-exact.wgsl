// Weighted means across lines, rows of a slice or slices, by weights of 24 bits, of signed values of 16 bits, two in a word. A thread
// smooths a word.

struct Parameters {
  words: u32,        // of the plane
  stride: u32,       // words of a row
  step: u32,         // words from a line to the next one
  lines: u32,
  below: u32,        // rows that a line has: 1, or the rows of a slice
  radius: u32,
  high: u32,         // the middle weight
  low: u32,
}

@group(0) @binding(0) var<uniform> parameters: Parameters;
@group(0) @binding(1) var<storage, read> plane: array<u32>;
@group(0) @binding(2) var<storage, read> weights: array<vec2i>;
@group(0) @binding(3) var<storage, read_write> result: array<u32>;

// include lib/mirrored.wgsl
// include lib/exact.wgsl

@compute @workgroup_size(256)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) t: u32,
) {
  let word = (group.y * groups.x + group.x) * 256u + t;
  if (word >= parameters.words) { return; }
  let line = (word / parameters.stride / parameters.below) % parameters.lines;
  let middle = halvesOf(plane[word]);
  var sums = Sums(middle * i32(parameters.high), middle * i32(parameters.low));
  let first = word - line * parameters.step;
  let lines = i32(parameters.lines);
  for (var step = 1u; step <= parameters.radius; step++) {
    let before = first + u32(mirrored(i32(line) - i32(step), lines)) * parameters.step;
    let behind = first + u32(mirrored(i32(line + step), lines)) * parameters.step;
    sums = withPair(sums, halvesOf(plane[before]), halvesOf(plane[behind]), step);
  }
  result[word] = meansOf(sums);
}
