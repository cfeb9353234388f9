// Packs pixels of one channel to bits, one word of 32 pixels per thread, for any type and width.

struct Parameters {
  width: u32,
  words: u32,        // per row
  rows: u32,
  first: u32,        // index of the band's first value in the binding
  row: u32,          // the band's first row in the bits
  lo: u32,           // inclusive interval, as value() orders it
  hi: u32,
  invert: u32,       // 0, or all ones
  lo2: u32,
  hi2: u32,
  invert2: u32,
  excepting: u32,    // 1: pixels of the value `except` are background
  except: u32,
}

@group(0) @binding(0) var<uniform> parameters: Parameters;
@group(0) @binding(1) var<storage, read> pixels: array<u32>;
@group(0) @binding(2) var<storage, read_write> bits: array<u32>;
// The second polarity; unused if there is only one.
@group(0) @binding(3) var<storage, read_write> bits2: array<u32>;

// include lib/float-keys.wgsl
// include lib/pixels.wgsl

// 0 u8, 1 u16, 2 i16, 3 f32.
override TYPE: u32 = 0u;
override CLASSES: u32 = 1u;

// The value as a u32 of the same order: i16 plus 32768, and floats as keys.
fn value(at: u32) -> u32 {
  if (TYPE == 0u) { return byteAt(at); }
  if (TYPE == 3u) { return key(pixels[at]); }
  let v = shortAt(at);
  return select(v, v ^ 0x8000u, TYPE == 2u);
}

@compute @workgroup_size(256)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) local: u32,
) {
  let thread = (group.y * groups.x + group.x) * 256u + local;
  let row = thread / parameters.words;
  if (row >= parameters.rows) { return; }
  let column = thread % parameters.words;
  let first = parameters.first + row * parameters.width + column * 32u;
  let count = min(32u, parameters.width - column * 32u);
  var word = 0u;
  var word2 = 0u;
  var nan = 0u;
  for (var i = 0u; i < count; i++) {
    let v = value(first + i);
    // Keys of NaN lie beyond those of the infinities.
    if (TYPE == 3u && (v > POSITIVE_INFINITY || v < NEGATIVE_INFINITY)) { nan |= 1u << i; }
    if (parameters.excepting == 1u && v == parameters.except) { nan |= 1u << i; }
    if (v - parameters.lo <= parameters.hi - parameters.lo) { word |= 1u << i; }
    if (CLASSES == 2u && v - parameters.lo2 <= parameters.hi2 - parameters.lo2) { word2 |= 1u << i; }
  }
  // Bits past the row stay 0.
  let tail = 0xffffffffu >> (32u - count);
  let at = (parameters.row + row) * parameters.words + column;
  bits[at] = (word ^ parameters.invert) & ~nan & tail;
  if (CLASSES == 2u) { bits2[at] = (word2 ^ parameters.invert2) & ~nan & tail; }
}
