// Reduces three or four channels to one: Rec. 601 luma, or with ANY a value that is zero only if every colour channel is.
// Alpha, the fourth channel, is ignored. Each thread writes one word of results.

struct Parameters {
  pixels: u32,
  first: u32,        // index of the first value in the binding
  zero: u32,         // 0, but unknown to the compiler
}

@group(0) @binding(0) var<uniform> parameters: Parameters;
@group(0) @binding(1) var<storage, read> pixels: array<u32>;
@group(0) @binding(2) var<storage, read_write> luma: array<u32>;

// include lib/pixels.wgsl

// 0 u8, 1 u16, 2 i16, 3 f32.
override TYPE: u32 = 0u;
override CHANNELS: u32 = 3u;
override ANY: bool = false;

fn raw(at: u32) -> u32 {
  if (TYPE == 0u) { return byteAt(at); }
  if (TYPE == 3u) { return pixels[at]; }
  return shortAt(at);
}

fn signed(v: u32) -> i32 {
  return select(i32(v), signed16(v), TYPE == 2u);
}

// A rounded f32 that the compiler cannot fuse with the next operation: its bits are combined with a zero that the
// compiler cannot predict.
fn rounded(v: f32) -> f32 {
  return bitcast<f32>(bitcast<u32>(v) ^ parameters.zero);
}

fn reduced(pixel: u32) -> u32 {
  let at = parameters.first + pixel * CHANNELS;
  let r = raw(at);
  let g = raw(at + 1u);
  let b = raw(at + 2u);
  if (TYPE != 3u) {
    if (ANY) { return r | g | b; }
    return u32((77 * signed(r) + 150 * signed(g) + 29 * signed(b) + 128) >> 8u);
  }
  let magnitude = vec3u(r, g, b) & vec3u(0x7fffffffu);
  let sign = vec3u(r, g, b) >> vec3u(31u);
  let infinite = magnitude == vec3u(0x7f800000u);
  if (any(magnitude > vec3u(0x7f800000u)) || (any(infinite & (sign == vec3u(0u))) && any(infinite & (sign == vec3u(1u))) && !ANY)) {
    return 0x7fc00000u;
  }
  if (ANY) { return select(0u, 0x3f800000u, any(magnitude != vec3u(0u))); }
  if (any(infinite)) { return select(0x7f800000u, 0xff800000u, any(infinite & (sign == vec3u(1u)))); }
  // Each step rounds to f32, in this order, as on the CPU.
  let red = rounded(77.0 * bitcast<f32>(r));
  let green = rounded(150.0 * bitcast<f32>(g));
  let blue = rounded(29.0 * bitcast<f32>(b));
  return bitcast<u32>(rounded(rounded(red + green) + blue) * 0.00390625);
}

@compute @workgroup_size(256)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) local: u32,
) {
  let thread = (group.y * groups.x + group.x) * 256u + local;
  let per = select(select(2u, 4u, TYPE == 0u), 1u, TYPE == 3u);
  let first = thread * per;
  if (first >= parameters.pixels) { return; }
  let width = 32u / per;
  var word = 0u;
  for (var i = 0u; i < min(per, parameters.pixels - first); i++) {
    var v = reduced(first + i);
    if (TYPE != 3u) { v &= (1u << width) - 1u; }
    word |= v << (i * width);
  }
  luma[thread] = word;
}
