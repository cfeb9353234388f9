// Distances along rows, in pixels: how far each pixel is from the nearest set bit of its row, two to a word, and on which
// side that is. A workgroup reads 128 words of bits: each thread of the first half looks for the nearest set bits before
// and behind one word, and all of them then write pairs of pixels.

struct Parameters {
  words: u32,        // per row
  total: u32,        // words of the image
  first: u32,        // where the first word lies in the bits
  reach: u32,        // pixels that are looked at each way
}

@group(0) @binding(0) var<uniform> parameters: Parameters;
@group(0) @binding(1) var<storage, read> bits: array<u32>;
// Per pair of pixels: 15 bits of distance and, above them, whether the site is on the right; all ones for none.
@group(0) @binding(2) var<storage, read_write> steps: array<u32>;

const NONE = 0x7fffu;

// Distances from a word's first pixel to the last set bit before it, and from its last pixel to the next one.
var<workgroup> before: array<u32, 128>;
var<workgroup> behind: array<u32, 128>;
var<workgroup> inside: array<u32, 128>;

// The distance of a pixel of a word, with its side.
fn stepsOf(word: u32, left: u32, right: u32, x: u32) -> u32 {
  // Bits up to x: for x = 31 all of them, a shift by 32 would be one by 0.
  let low = word & (0xffffffffu >> (31u - x));
  let high = word >> x;
  let l = select(left + x, x - firstLeadingBit(low), low != 0u);
  let r = select(right + 31u - x, countTrailingZeros(high), high != 0u);
  // Of two that are equally near the left one counts.
  let d = min(l, r);
  return select(d | select(0u, 0x8000u, r < l), 0xffffu, d >= NONE || d > parameters.reach);
}

@compute @workgroup_size(256)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) local: u32,
) {
  let begin = (group.y * groups.x + group.x) * 128u;
  if (local < 128u && begin + local < parameters.total) {
    let index = begin + local;
    let column = index % parameters.words;
    let at = parameters.first + index;
    inside[local] = bits[at];
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
    before[local] = left;
    behind[local] = right;
  }
  // What a thread of the first half found is read by sixteen others.
  workgroupBarrier();
  for (var i = local; i < 2048u; i += 256u) {
    let w = i / 16u;
    if (begin + w >= parameters.total) { break; }
    let x = (i % 16u) * 2u;
    let a = stepsOf(inside[w], before[w], behind[w], x);
    let b = stepsOf(inside[w], before[w], behind[w], x + 1u);
    steps[begin * 16u + i] = a | (b << 16u);
  }
}
