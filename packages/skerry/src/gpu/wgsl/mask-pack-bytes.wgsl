// Packs u8 pixels of one channel to bits, sixteen per thread, so that neighbouring threads read neighbouring vectors. Rows
// must be whole words of bits and begin at whole vectors.

struct Parameters {
  width: u32,
  words: u32,        // per row
  rows: u32,
  first: u32,        // index of the band's first byte in the binding, a multiple of 16
  row: u32,          // the band's first row in the bits
  lo: u32,           // inclusive interval
  hi: u32,
  invert: u32,       // 0, or all ones
  lo2: u32,
  hi2: u32,
  invert2: u32,
}

@group(0) @binding(0) var<uniform> parameters: Parameters;
@group(0) @binding(1) var<storage, read> pixels: array<vec4u>;
@group(0) @binding(2) var<storage, read_write> bits: array<u32>;
// The second polarity; unused if there is only one.
@group(0) @binding(3) var<storage, read_write> bits2: array<u32>;

// include lib/nibble.wgsl

override CLASSES: u32 = 1u;

var<workgroup> halves: array<vec2u, 256>;

fn half(v: vec4u, lo: vec4u, span: vec4u) -> u32 {
  return nibble(v.x, lo, span) | (nibble(v.y, lo, span) << 4u)
    | (nibble(v.z, lo, span) << 8u) | (nibble(v.w, lo, span) << 12u);
}

@compute @workgroup_size(256)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) t: u32,
) {
  let block = group.y * groups.x + group.x;
  let total = parameters.rows * parameters.words;
  let vector = block * 256u + t;
  if (vector < total * 2u) {
    let v = pixels[parameters.first / 16u + vector];
    halves[t].x = half(v, vec4u(parameters.lo), vec4u(parameters.hi - parameters.lo));
    if (CLASSES == 2u) { halves[t].y = half(v, vec4u(parameters.lo2), vec4u(parameters.hi2 - parameters.lo2)); }
  }
  // Two threads' halves make a word.
  workgroupBarrier();
  let word = block * 128u + t;
  if (t < 128u && word < total) {
    let both = halves[2u * t] | (halves[2u * t + 1u] << vec2u(16u));
    let at = parameters.row * parameters.words + word;
    bits[at] = both.x ^ parameters.invert;
    if (CLASSES == 2u) { bits2[at] = both.y ^ parameters.invert2; }
  }
}
