// Looks up the class names of pixels by their colours' keys: four pixels, one word, per thread.

struct Parameters {
  pixels: u32,       // in the band
  first: u32,        // index of the band's first byte in the binding
  skip: u32,         // 1: pixels of alpha 0 get class 255
  to: u32,           // index of the band's first word of classes
}

@group(0) @binding(0) var<uniform> parameters: Parameters;
@group(0) @binding(1) var<storage, read> pixels: array<u32>;
@group(0) @binding(2) var<storage, read> table: array<u32>;
@group(0) @binding(3) var<storage, read_write> classes: array<u32>;

// include lib/colour-keys.wgsl
// include lib/pixels.wgsl

override CHANNELS: u32 = 3u;

@compute @workgroup_size(256)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) t: u32,
) {
  let begin = ((group.y * groups.x + group.x) * 256u + t) * 4u;
  if (begin >= parameters.pixels) { return; }
  var word = 0u;
  for (var i = 0u; i < min(4u, parameters.pixels - begin); i++) {
    let at = parameters.first + (begin + i) * CHANNELS;
    var class_ = 255u;
    if (CHANNELS != 4u || parameters.skip == 0u || byteAt(at + 3u) != 0u) {
      var key = spread(byteAt(at)) << 2u;
      // The key of a grey pixel holds only the level, as its red bits.
      if (CHANNELS > 1u) { key |= (spread(byteAt(at + 1u)) << 1u) | spread(byteAt(at + 2u)); }
      class_ = table[key];
    }
    word |= class_ << (i * 8u);
  }
  classes[parameters.to + begin / 4u] = word;
}
