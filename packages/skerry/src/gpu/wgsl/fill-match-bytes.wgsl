// Tests which u8 pixels lie in an interval per channel, sixteen pixels per thread. Rows must be whole words of bits and
// begin at whole vectors. A workgroup first reads its 2048 pixels together, so that neighbouring threads read neighbouring
// vectors.

struct Parameters {
  width: u32,
  words: u32,        // per row
  rows: u32,
  first: u32,        // index of the band's first byte in the binding, a multiple of 16
  row: u32,          // the band's first row in the bits
  fenced: u32,       // 1 if there is a fence
  lo0: u32,          // inclusive intervals of the channels
  lo1: u32,
  lo2: u32,
  lo3: u32,
  hi0: u32,
  hi1: u32,
  hi2: u32,
  hi3: u32,
}

@group(0) @binding(0) var<uniform> parameters: Parameters;
@group(0) @binding(1) var<storage, read> pixels: array<vec4u>;
// Bits in the same layout as the result. Pixels that are not set do not match. Read only if `fenced` is 1.
@group(0) @binding(2) var<storage, read> fence: array<u32>;
@group(0) @binding(3) var<storage, read_write> bits: array<u32>;

// include lib/colour-keys.wgsl
// include lib/nibble.wgsl

override CHANNELS: u32 = 1u;

// Per thread, sixteen pixels of up to four bytes, and their bits.
var<workgroup> vectors: array<vec4u, 512>;
var<workgroup> halves: array<u32, 128>;

// Tests the twelve bytes from word i on: four pixels of three channels. The order of channels repeats after three words.
fn twelve(i: u32, lo: array<vec4u, 3>, span: array<vec4u, 3>) -> u32 {
  return nibble(vectors[i >> 2u][i & 3u], lo[0], span[0])
    | (nibble(vectors[(i + 1u) >> 2u][(i + 1u) & 3u], lo[1], span[1]) << 4u)
    | (nibble(vectors[(i + 2u) >> 2u][(i + 2u) & 3u], lo[2], span[2]) << 8u);
}

// One bit per three of 24 bits, set if all three are: 0b111_011_111 -> 0b101.
fn thirds(v: u32) -> u32 {
  return everyThird(v & (v >> 1u) & (v >> 2u));
}

@compute @workgroup_size(128)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) t: u32,
) {
  let block = group.y * groups.x + group.x;
  let total = parameters.rows * parameters.words;
  // The vectors of the band: a word of bits stands for 32 pixels, which have two vectors of 16 bytes per channel.
  let end = total * 2u * CHANNELS;
  for (var k = 0u; k < CHANNELS; k++) {
    let at = block * 128u * CHANNELS + k * 128u + t;
    if (at < end) { vectors[k * 128u + t] = pixels[parameters.first / 16u + at]; }
  }
  // All vectors are stored before any thread reads its own.
  workgroupBarrier();
  let lo = vec4u(parameters.lo0, parameters.lo1, parameters.lo2, parameters.lo3);
  let span = vec4u(parameters.hi0, parameters.hi1, parameters.hi2, parameters.hi3) - lo;
  var half = 0u;
  if (CHANNELS == 3u) {
    let los = array(lo.xyzx, lo.yzxy, lo.zxyz);
    let spans = array(span.xyzx, span.yzxy, span.zxyz);
    let word = t * 12u;
    half = thirds(twelve(word, los, spans) | (twelve(word + 3u, los, spans) << 12u))
      | (thirds(twelve(word + 6u, los, spans) | (twelve(word + 9u, los, spans) << 12u)) << 8u);
  } else if (CHANNELS == 4u) {
    for (var k = 0u; k < 16u; k++) {
      let whole = nibble(vectors[t * 4u + (k >> 2u)][k & 3u], lo, span) == 15u;
      half |= select(0u, 1u << k, whole);
    }
  } else {
    for (var k = 0u; k < 4u; k++) { half |= nibble(vectors[t][k], vec4u(lo.x), vec4u(span.x)) << (k * 4u); }
  }
  halves[t] = half;
  // Two threads' halves make a word.
  workgroupBarrier();
  let word = block * 64u + t;
  if (t < 64u && word < total) {
    let at = parameters.row * parameters.words + word;
    var both = halves[2u * t] | (halves[2u * t + 1u] << 16u);
    if (parameters.fenced == 1u) { both &= fence[at]; }
    bits[at] = both;
  }
}
