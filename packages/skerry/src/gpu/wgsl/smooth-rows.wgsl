// Weighted means of u8 along rows, mirrored at the borders, as values times 64 of 16 bits, two in a word. A workgroup smooths 1024
// values of a row.

struct Parameters {
  values: u32,       // of a row
  channels: u32,
  width: u32,        // pixels of a row
  rows: u32,
  segments: u32,     // of 1024 values, in a row
  stride: u32,       // words of a row of the plane
  radius: u32,       // a multiple of 4: outer weights may be 0
  first: u32,        // index of the first value in the binding
  middle: u32,       // the middle weight
}

@group(0) @binding(0) var<uniform> parameters: Parameters;
@group(0) @binding(1) var<storage, read> pixels: array<u32>;
@group(0) @binding(2) var<storage, read> weights: array<vec4u>;
@group(0) @binding(3) var<storage, read_write> plane: array<u32>;

// include lib/pixels.wgsl
// include lib/mirrored.wgsl
// include lib/weighted.wgsl

// Pairs of 1024 values, and of up to 32 pixels of 4 channels to either side: those that begin at even places, and those at odd ones.
var<workgroup> even: array<u32, 640>;
var<workgroup> odd: array<u32, 640>;

// A value times 64, of a place from the row's begin.
fn valueAt(source: u32, at: i32, inside: bool) -> u32 {
  if (inside) { return byteAt(source + u32(at)) << 6u; }
  let channels = i32(parameters.channels);
  // Rounds down: value -1 of 3 channels is pixel -1.
  let pixel = select(at, at - channels + 1, at < 0) / channels;
  let value = mirrored(pixel, i32(parameters.width)) * channels + at - pixel * channels;
  return byteAt(source + u32(value)) << 6u;
}

@compute @workgroup_size(256)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) t: u32,
) {
  let block = group.y * groups.x + group.x;
  let row = block / parameters.segments;
  if (row >= parameters.rows) { return; }
  let begin = (block % parameters.segments) * 1024u;
  let reach = parameters.radius * parameters.channels;
  // An even number of values in front, so that output pairs begin at even places.
  let lead = (reach + 1u) & ~1u;
  let pairs = 512u + lead;
  let source = parameters.first + row * parameters.values;
  let inside = begin >= lead && begin + 1024u + lead <= parameters.values;
  for (var i = t; i < pairs; i += 256u) {
    let at = i32(begin + 2u * i) - i32(lead);
    even[i] = valueAt(source, at, inside) | (valueAt(source, at + 1, inside) << 16u);
  }
  // Pairs at odd places consist of two that other threads loaded.
  workgroupBarrier();
  for (var i = t; i + 1u < pairs; i += 256u) { odd[i] = (even[i] >> 16u) | (even[i + 1u] << 16u); }
  // All threads read pairs that others made.
  workgroupBarrier();
  for (var half = 0u; half < 2u; half++) {
    let at = half * 512u + 2u * t;
    if (begin + at >= parameters.stride * 2u) { continue; }
    let middle = (lead + at) >> 1u;
    var sum = weighted(even[middle], parameters.middle);
    let channels = parameters.channels;
    // Two values of at most 16320 in half a word: their sums do not reach the other half.
    if ((channels & 1u) == 0u) {
      let step = channels >> 1u;
      var before = middle;
      var behind = middle;
      for (var q = 0u; q < (parameters.radius >> 2u); q++) {
        let four = weights[q];
        sum += weighted(even[before - step] + even[behind + step], four.x);
        sum += weighted(even[before - 2u * step] + even[behind + 2u * step], four.y);
        sum += weighted(even[before - 3u * step] + even[behind + 3u * step], four.z);
        before -= 4u * step;
        behind += 4u * step;
        sum += weighted(even[before] + even[behind], four.w);
      }
    } else {
      // Odd multiples of an odd number of channels lead to pairs at odd places: 3 values before pair m is pair m - 2 of these.
      let one = (channels - 1u) >> 1u;
      let three = (3u * channels - 1u) >> 1u;
      var before = middle;
      var behind = middle;
      for (var q = 0u; q < (parameters.radius >> 2u); q++) {
        let four = weights[q];
        sum += weighted(odd[before - one - 1u] + odd[behind + one], four.x);
        sum += weighted(even[before - channels] + even[behind + channels], four.y);
        sum += weighted(odd[before - three - 1u] + odd[behind + three], four.z);
        before -= 2u * channels;
        behind += 2u * channels;
        sum += weighted(even[before] + even[behind], four.w);
      }
    }
    plane[row * parameters.stride + ((begin + at) >> 1u)] = sum;
  }
}
