// Weighted means of signed values of 16 bits, two in a word, by weights of 24 bits: 256 h + l. Sums of h v and of l v are exact in
// 32 bits; before those of l fill them, their multiples of 256 go into those of h. A mean is rounded once: (256 H + L + 2^23) >> 24.
// A kernel that includes this declares `weights` as { h, l } for each step away.

struct Sums {
  high: vec2i,
  low: vec2i,
}

// The halves of a word as numbers with a sign.
fn halvesOf(both: u32) -> vec2i {
  return vec2i(i32(both << 16u), i32(both)) >> vec2u(16u);
}

// Adds two pairs of values, `step` before and behind the middle.
fn withPair(given: Sums, before: vec2i, behind: vec2i, step: u32) -> Sums {
  let weight = weights[step - 1u];
  let both = before + behind;
  var sums = Sums(given.high + both * weight.x, given.low + both * weight.y);
  // 63 steps of 2 * 32768 * 255 each, and the middle, stay below 2^31.
  if (step % 63u == 0u) {
    sums.high += sums.low >> vec2u(8u);
    sums.low &= vec2i(255);
  }
  return sums;
}

// The means as halves of a word.
fn meansOf(sums: Sums) -> u32 {
  let means = (sums.high + ((sums.low + vec2i(1 << 23u)) >> vec2u(8u))) >> vec2u(16u);
  let narrow = clamp(means, vec2i(-32768), vec2i(32767));
  return (u32(narrow.x) & 0xffffu) | (u32(narrow.y) << 16u);
}
