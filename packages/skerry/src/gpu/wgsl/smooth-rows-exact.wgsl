// Weighted means along rows by weights of 24 bits, mirrored at the borders, as signed values of 16 bits, two in a word: u8 times 256
// and u16 are less by 32768. A thread smooths two values that lie side by side.

struct Parameters {
  values: u32,       // of a row
  channels: u32,
  width: u32,        // pixels of a row
  words: u32,        // of the plane
  stride: u32,       // words of a row of the plane
  radius: u32,
  first: u32,        // index of the first value in the binding
  high: u32,         // the middle weight
  low: u32,
}

@group(0) @binding(0) var<uniform> parameters: Parameters;
@group(0) @binding(1) var<storage, read> pixels: array<u32>;
@group(0) @binding(2) var<storage, read> weights: array<vec2i>;
@group(0) @binding(3) var<storage, read_write> plane: array<u32>;

// 0 u8, 1 u16, 2 i16
override TYPE: u32 = 0u;

// include lib/pixels.wgsl
// include lib/mirrored.wgsl
// include lib/exact.wgsl

fn valueAt(at: u32) -> i32 {
  if (TYPE == 0u) { return i32(byteAt(at) << 8u) - 32768; }
  if (TYPE == 1u) { return i32(shortAt(at)) - 32768; }
  return signed16(shortAt(at));
}

// Two values side by side, of which the first has a place from the row's begin.
fn twoAt(source: u32, at: i32) -> vec2i {
  let last = i32(parameters.values) - 1;
  if (at >= 0 && at < last) { return vec2i(valueAt(source + u32(at)), valueAt(source + u32(at + 1))); }
  let channels = i32(parameters.channels);
  var two = vec2i(0);
  for (var i = 0; i < 2; i++) {
    let value = at + i;
    // Rounds down: value -1 of 3 channels is pixel -1.
    let pixel = select(value, value - channels + 1, value < 0) / channels;
    let place = mirrored(pixel, i32(parameters.width)) * channels + value - pixel * channels;
    two[i] = valueAt(source + u32(place));
  }
  return two;
}

@compute @workgroup_size(256)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) t: u32,
) {
  let word = (group.y * groups.x + group.x) * 256u + t;
  if (word >= parameters.words) { return; }
  let row = word / parameters.stride;
  let at = i32((word - row * parameters.stride) * 2u);
  let source = parameters.first + row * parameters.values;
  let middle = twoAt(source, at);
  var sums = Sums(middle * i32(parameters.high), middle * i32(parameters.low));
  for (var step = 1u; step <= parameters.radius; step++) {
    let reach = i32(step * parameters.channels);
    sums = withPair(sums, twoAt(source, at - reach), twoAt(source, at + reach), step);
  }
  plane[word] = meansOf(sums);
}
