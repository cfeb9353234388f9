// Tests which pixels match a colour, or with FLOATING their neighbour in one direction. A thread tests a word of 32 pixels,
// of any type and number of channels.

struct Parameters {
  width: u32,
  words: u32,        // per row
  rows: u32,
  first: u32,        // index of the band's first value in the binding
  row: u32,          // the band's first row in the bits
  fenced: u32,       // 1 if there is a fence
  metric: u32,       // 0 linf, 1 l1, 2 l2
  right: u32,        // the neighbour of pixel (x, y) lies at (x + right - 1, y - up)
  up: u32,
  top: u32,          // 1 if no row lies above the band
  lo0: u32,          // inclusive intervals of the channels, as value() orders them; FLOATING uses only hi
  lo1: u32,
  lo2: u32,
  lo3: u32,
  hi0: u32,
  hi1: u32,
  hi2: u32,
  hi3: u32,
  colour0: u32,
  colour1: u32,
  colour2: u32,
  colour3: u32,
  limit: u32,        // the largest sum that matches: its lower word...
  limitHigh: u32,    // ...and its upper word
}

@group(0) @binding(0) var<uniform> parameters: Parameters;
@group(0) @binding(1) var<storage, read> pixels: array<u32>;
// Bits in the same layout as the result. Pixels and neighbours that are not set do not match. Read only if `fenced` is 1.
@group(0) @binding(2) var<storage, read> fence: array<u32>;
@group(0) @binding(3) var<storage, read_write> bits: array<u32>;

// include lib/float-keys.wgsl

// 0 u8, 1 u16, 2 i16, 3 f32.
override TYPE: u32 = 0u;
override CHANNELS: u32 = 1u;
override FLOATING: bool = false;

// The word that was read last, because a word can hold several values.
var<private> held: u32;
var<private> heldAt: u32 = 0xffffffffu;

fn word(at: u32) -> u32 {
  if (at != heldAt) {
    held = pixels[at];
    heldAt = at;
  }
  return held;
}

// The value as a u32 of the same order: i16 plus 32768, and floats as keys.
fn value(at: u32) -> u32 {
  if (TYPE == 0u) { return (word(at >> 2u) >> ((at & 3u) * 8u)) & 0xffu; }
  if (TYPE == 3u) { return key(pixels[at]); }
  let v = (word(at >> 1u) >> ((at & 1u) * 16u)) & 0xffffu;
  return select(v, v ^ 0x8000u, TYPE == 2u);
}

fn pixel(at: u32) -> vec4u {
  var v = vec4u();
  v.x = value(at);
  if (CHANNELS > 1u) {
    v.y = value(at + 1u);
    v.z = value(at + 2u);
  }
  if (CHANNELS > 3u) { v.w = value(at + 3u); }
  return v;
}

// Whether the sum of the differences, or of their squares, is within the limit. Four squares of 65535 need a
// second word.
fn near(v: vec4u, other: vec4u) -> bool {
  let d = vec4u(abs(vec4i(v) - vec4i(other)));
  if (parameters.metric == 1u) { return parameters.limitHigh > 0u || d.x + d.y + d.z + d.w <= parameters.limit; }
  let squares = d * d;
  var low = squares.x;
  var high = 0u;
  for (var c = 1u; c < CHANNELS; c++) {
    low += squares[c];
    high += select(0u, 1u, low < squares[c]);
  }
  return high < parameters.limitHigh || (high == parameters.limitHigh && low <= parameters.limit);
}

fn fenced(row: u32, x: u32) -> bool {
  return parameters.fenced == 1u && ((fence[(parameters.row + row) * parameters.words + (x >> 5u)] >> (x & 31u)) & 1u) == 0u;
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
  let first = parameters.first + (row * parameters.width + column * 32u) * CHANNELS;
  let count = min(32u, parameters.width - column * 32u);
  let lo = vec4u(parameters.lo0, parameters.lo1, parameters.lo2, parameters.lo3);
  let hi = vec4u(parameters.hi0, parameters.hi1, parameters.hi2, parameters.hi3);
  let colour = vec4u(parameters.colour0, parameters.colour1, parameters.colour2, parameters.colour3);
  var result = 0u;
  for (var i = 0u; i < count; i++) {
    let v = pixel(first + i * CHANNELS);
    var on: bool;
    if (FLOATING) {
      // A column below 0 wraps to a large number.
      let x = column * 32u + i + parameters.right - 1u;
      if (x >= parameters.width || (parameters.up == 1u && parameters.top == 1u && row == 0u)) { continue; }
      if (fenced(row, column * 32u + i) || fenced(row - parameters.up, x)) { continue; }
      let other = pixel(first + (i + parameters.right - 1u - parameters.up * parameters.width) * CHANNELS);
      let d = vec4u(abs(vec4i(v) - vec4i(other)));
      on = select(near(v, other), all(d <= hi), parameters.metric == 0u);
    } else {
      on = select(near(v, colour), all(v - lo <= hi - lo), parameters.metric == 0u);
    }
    if (on) { result |= 1u << i; }
  }
  let at = (parameters.row + row) * parameters.words + column;
  if (parameters.fenced == 1u && !FLOATING) { result &= fence[at]; }
  bits[at] = result;
}
