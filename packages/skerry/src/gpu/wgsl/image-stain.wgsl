// The amount of a stain in each pixel: three entries of a table, of 64 bits, whose sum is exact. See StainPlan for the entries. A
// workgroup takes 4096 pixels, a thread up to 16 of them; entries of u8 are kept at hand.

struct Parameters {
  pixels: u32,
  first: u32,        // index of the first value in the binding
}

@group(0) @binding(0) var<uniform> parameters: Parameters;
@group(0) @binding(1) var<storage, read> pixels: array<u32>;
@group(0) @binding(2) var<storage, read> entries: array<vec2u>;
@group(0) @binding(3) var<storage, read_write> amounts: array<u32>;

// include lib/pixels.wgsl
// include lib/values.wgsl

override CHANNELS: u32 = 3u;

// The sum of two numbers of 64 bits: the lower halves carry if their sum is below one of them.
fn added(a: vec2u, b: vec2u) -> vec2u {
  let lower = a.x + b.x;
  return vec2u(lower, a.y + b.y + u32(lower < a.x));
}

// The bits of the f32 nearest to a number times 2^-40, of two the even one; 0 for numbers below 0. The number is shifted until its
// first bit is the highest of the upper half; of that 24 bits stay. Example of 8 bits of which 4 stay: 00101101 becomes 10110100, and
// 1011 with the rest 0100, less than half.
fn scaled(sum: vec2u) -> u32 {
  if ((sum.y >> 31u) != 0u || (sum.x | sum.y) == 0u) { return 0u; }
  let upper = sum.y != 0u;
  let place = select(firstLeadingBit(sum.x), 32u + firstLeadingBit(sum.y), upper);
  let shift = 63u - place;
  var high = sum.y;
  var low = sum.x;
  if (shift >= 32u) {
    high = low << (shift - 32u);
    low = 0u;
  } else if (shift > 0u) {
    // A shift by 32 would be none.
    high = (high << shift) | (low >> (32u - shift));
    low = low << shift;
  }
  let kept = high >> 8u;
  let rest = high & 0xffu;
  let up = rest > 128u || (rest == 128u && (low != 0u || (kept & 1u) != 0u));
  // The first bit of what is kept adds 1 to the exponent, place - 40 + 127.
  return ((place + 86u) << 23u) + kept + u32(up);
}

var<workgroup> near: array<vec2u, 768>;

fn entryOf(at: u32) -> vec2u {
  if (BYTES == 1u) { return near[at]; }
  return entries[at];
}

@compute @workgroup_size(256)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) t: u32,
) {
  if (BYTES == 1u) {
    for (var i = t; i < 768u; i += 256u) { near[i] = entries[i]; }
    // Threads take entries that others loaded.
    workgroupBarrier();
  }
  let begin = (group.y * groups.x + group.x) * 4096u;
  let table = 1u << (8u * BYTES);
  for (var i = t; i < 4096u; i += 256u) {
    let pixel = begin + i;
    if (pixel >= parameters.pixels) { return; }
    let at = parameters.first + pixel * CHANNELS;
    let sum = added(entryOf(valueAt(at)), entryOf(table + valueAt(at + 1u)));
    amounts[pixel] = scaled(added(sum, entryOf(2u * table + valueAt(at + 2u))));
  }
}
