// Writes each pixel's largest difference of a channel from a seed's colour: four pixels, one word, per thread.

struct Parameters {
  pixels: u32,       // in the band
  first: u32,        // index of the band's first byte in the binding
  colour: u32,       // the seed's channels, the first lowest
  to: u32,           // index of the band's first word of differences
}

@group(0) @binding(0) var<uniform> parameters: Parameters;
@group(0) @binding(1) var<storage, read> pixels: array<u32>;
@group(0) @binding(2) var<storage, read_write> differences: array<u32>;

// include lib/pixels.wgsl

override CHANNELS: u32 = 1u;
override LEAST: bool = false;  // keeps the smaller one of the new and the stored difference

@compute @workgroup_size(256)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) t: u32,
) {
  let begin = ((group.y * groups.x + group.x) * 256u + t) * 4u;
  if (begin >= parameters.pixels) { return; }
  let at = parameters.to + begin / 4u;
  // Bytes past the image stay 0: nothing reads them.
  let there = select(0u, differences[at], LEAST);
  var word = 0u;
  for (var i = 0u; i < min(4u, parameters.pixels - begin); i++) {
    let source = parameters.first + (begin + i) * CHANNELS;
    var most = 0u;
    for (var c = 0u; c < CHANNELS; c++) {
      let value = byteAt(source + c);
      let wanted = (parameters.colour >> (c * 8u)) & 255u;
      most = max(most, max(value, wanted) - min(value, wanted));
    }
    if (LEAST) { most = min(most, (there >> (i * 8u)) & 255u); }
    word |= most << (i * 8u);
  }
  differences[at] = word;
}
