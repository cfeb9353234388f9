// Unites the stretches of neighbouring slices, one word of a row per thread with up to three rows of the slice before:
//
//     d b e   slice z - 1, rows y - 1, y, y + 1
//     u c     slice z
//
// A link to d is skipped where c is linked to b and b to d, or c to u and u to d; a link to e where c is linked to b and e to b.

struct Parameters {
  words: u32,        // per row
  height: u32,       // rows of a slice
  total: u32,        // words of a plane
  threads: u32,      // words of all slices but the first
}

@group(0) @binding(0) var<uniform> parameters: Parameters;
@group(0) @binding(1) var<storage, read> links: array<u32>;
@group(0) @binding(2) var<storage, read_write> parents: array<atomic<u32>>;

// 6, 18 or 26.
override CONNECTIVITY: u32 = 6u;

// include lib/links.wgsl
// include lib/find.wgsl
// include lib/union.wgsl

fn comesAfter(a: u32, b: u32) -> bool {
  return a > b;
}

// The first planes of links to the rows b and d, and how many there are for d and for e.
override BEHIND: u32 = 3u;
override OBLIQUE: u32 = 4u;
override OBLIQUE_PLANES: u32 = 1u;

fn plane(p: u32, word: u32) -> u32 {
  return links[p * parameters.total + word];
}

fn join(word: u32, firsts: u32, bit: u32, other: u32, otherBit: u32) {
  let a = stretchOf(word, firsts, bit);
  let b = stretchOf(other, firstsAt(other), otherBit);
  // In most pairs both are in one object already, and have the same parent.
  if (atomicLoad(&parents[a]) != atomicLoad(&parents[b])) { unite(a, b); }
}

// Unites a word with the row that begins `back` words before, along links of the planes from `p` on.
fn joinRow(word: u32, firsts: u32, left: u32, back: u32, p: u32, widened: bool, implied: u32) {
  let other = word - back;
  let rows = rowsAt(word, left, back, p);
  for (var rest = straightLinks(rows) & ~implied; rest != 0u; rest &= rest - 1u) {
    let bit = countTrailingZeros(rest);
    join(word, firsts, bit, other, bit);
  }
  if (!widened) { return; }
  for (var rest = leftwardLinks(plane(p + 1u, word), rows); rest != 0u; rest &= rest - 1u) {
    let bit = countTrailingZeros(rest);
    if (bit == 0u) { join(word, firsts, 0u, other - 1u, 31u); } else { join(word, firsts, bit, other, bit - 1u); }
  }
  for (var rest = rightwardLinks(plane(p + 2u, word), rows); rest != 0u; rest &= rest - 1u) {
    let bit = countTrailingZeros(rest);
    if (bit == 31u) { join(word, firsts, 31u, other + 1u, 0u); } else { join(word, firsts, bit, other, bit + 1u); }
  }
}

@compute @workgroup_size(256)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) local: u32,
) {
  let thread = (group.y * groups.x + group.x) * 256u + local;
  if (thread >= parameters.threads) { return; }
  let slice = parameters.height * parameters.words;
  let word = thread + slice;
  let own = links[word];
  if (own == 0u) { return; }
  let left = plane(1u, word);
  let firsts = firstsOf(own, left);
  let y = word / parameters.words % parameters.height;
  joinRow(word, firsts, left, slice, BEHIND, CONNECTIVITY >= 18u, 0u);
  if (CONNECTIVITY < 18u) { return; }
  let behind = plane(BEHIND, word);
  if (y > 0u) {
    let byU = plane(2u, word) & plane(BEHIND, word - parameters.words);
    joinRow(word, firsts, left, slice + parameters.words, OBLIQUE, CONNECTIVITY == 26u, byU | (behind & plane(2u, word - slice)));
  }
  if (y + 1u < parameters.height) {
    let back = slice - parameters.words;
    joinRow(word, firsts, left, back, OBLIQUE + OBLIQUE_PLANES, CONNECTIVITY == 26u, behind & plane(2u, word - back));
  }
}
