// Distances along rows, in pixels, two to a word: the distance of each pixel to the nearest set bit of its row, and on
// which side that bit is. A workgroup reads 64 words of bits. Each thread of the first half looks for the nearest set
// bits before and behind one word. Then each thread processes eight pixels of two words, forwards and backwards.

struct Parameters {
  words: u32,        // per row
  padded: u32,       // the same, rounded up to an even number
  total: u32,        // padded words of the image
  first: u32,        // index of the first word in the bits
  reach: u32,        // largest distance that counts, in pixels; less than NONE
}

@group(0) @binding(0) var<uniform> parameters: Parameters;
@group(0) @binding(1) var<storage, read> bits: array<u32>;
// Per pair of pixels, 32 apart: 15 bits of distance and, above them, whether the site is on the right; all ones for none.
@group(0) @binding(2) var<storage, read_write> steps: array<vec4u>;

const NONE = 0x7fffu;

// Whether the side of a site is stored.
override SIDES: bool = false;

// Each word, the distance from its first pixel to the last set bit before, and from its last pixel to the next set bit.
var<workgroup> inside: array<vec3u, 64>;

@compute @workgroup_size(128)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) local: u32,
) {
  let begin = (group.y * groups.x + group.x) * 64u;
  if (local < 64u && begin + local < parameters.total) {
    let index = begin + local;
    let column = min(index % parameters.padded, parameters.words - 1u);
    let at = parameters.first + index / parameters.padded * parameters.words + column;
    var left = NONE;
    for (var i = 1u; i <= column && (i - 1u) * 32u < parameters.reach; i++) {
      let word = bits[at - i];
      if (word != 0u) {
        left = i * 32u - firstLeadingBit(word);
        break;
      }
    }
    var right = NONE;
    for (var i = 1u; column + i < parameters.words && (i - 1u) * 32u < parameters.reach; i++) {
      let word = bits[at + i];
      if (word != 0u) {
        right = (i - 1u) * 32u + countTrailingZeros(word) + 1u;
        break;
      }
    }
    inside[local] = vec3u(bits[at], left, right);
  }
  // The results of the first half are read by other threads.
  workgroupBarrier();
  if (begin + local / 4u * 2u >= parameters.total) { return; }
  let x = (local % 4u) * 8u;
  let low = eight(inside[local / 4u * 2u], x);
  let high = eight(inside[local / 4u * 2u + 1u], x);
  // The lower halves of eight words hold steps of the first word, the upper halves those of the second.
  let at = begin * 4u + local * 2u;
  steps[at] = vec4u(low.x & 0xffffu, low.x >> 16u, low.y & 0xffffu, low.y >> 16u)
    | vec4u(high.x << 16u, high.x & 0xffff0000u, high.y << 16u, high.y & 0xffff0000u);
  steps[at + 1u] = vec4u(low.z & 0xffffu, low.z >> 16u, low.w & 0xffffu, low.w >> 16u)
    | vec4u(high.z << 16u, high.z & 0xffff0000u, high.w << 16u, high.w & 0xffff0000u);
}

// The steps of eight pixels of a word from x on, two to a word.
fn eight(found: vec3u, x: u32) -> vec4u {
  // The site before these eight pixels: in the word's bits below them, or further left.
  let low = found.x & ((1u << x) - 1u);
  let high = select(found.x >> (x + 8u), 0u, x == 24u);
  var left = select(found.y + x - 1u, x - 1u - firstLeadingBit(low), low != 0u);
  var right = select(found.z + 23u - x, countTrailingZeros(high), high != 0u);
  var lefts: array<u32, 8>;
  for (var i = 0u; i < 8u; i++) {
    left = select(left + 1u, 0u, ((found.x >> (x + i)) & 1u) != 0u);
    lefts[i] = left;
  }
  var packed = vec4u(0u);
  for (var i = 0u; i < 8u; i++) {
    let j = 7u - i;
    right = select(right + 1u, 0u, ((found.x >> (x + j)) & 1u) != 0u);
    // If two sites are equally near, the left one counts.
    let d = min(lefts[j], right);
    let side = select(0u, 0x8000u, SIDES && right < lefts[j]);
    let value = select(d | side, 0xffffu, d > parameters.reach);
    packed[j / 2u] |= value << (16u * (j % 2u));
  }
  return packed;
}
