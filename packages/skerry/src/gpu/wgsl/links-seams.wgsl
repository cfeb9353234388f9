// Unites the stretches of neighbouring tiles of links-tiles.wgsl: along each tile's upper edge word by word, and along its left edge
// row by row. Then every parent comes before its child in raster order, and a root is the first pixel of its object.

struct Parameters {
  words: u32,        // per row
  rows: u32,
  total: u32,        // words of a plane
  horizontal: u32,   // words along upper edges, one thread each
  threads: u32,      // those and the rows along left edges
}

@group(0) @binding(0) var<uniform> parameters: Parameters;
@group(0) @binding(1) var<storage, read> links: array<u32>;
@group(0) @binding(2) var<storage, read_write> parents: array<atomic<u32>>;

// Whether links to the row before lead to three columns.
override WIDE: bool = false;

const COLUMNS = 4u;
const ROWS = 16u;

// include lib/links.wgsl
// include lib/find.wgsl
// include lib/union.wgsl

fn comesAfter(a: u32, b: u32) -> bool {
  return a > b;
}

fn join(word: u32, bit: u32, other: u32, otherBit: u32) {
  unite(stretchOf(word, firstsAt(word), bit), stretchOf(other, firstsAt(other), otherBit));
}

@compute @workgroup_size(256)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) local: u32,
) {
  let thread = (group.y * groups.x + group.x) * 256u + local;
  if (thread >= parameters.threads) { return; }
  if (thread < parameters.horizontal) {
    joinAbove((thread / parameters.words + 1u) * ROWS * parameters.words + thread % parameters.words);
  } else {
    let rest = thread - parameters.horizontal;
    joinLeft(rest % parameters.rows, (rest / parameters.rows + 1u) * COLUMNS);
  }
}

fn joinAbove(word: u32) {
  let above = word - parameters.words;
  let total = parameters.total;
  let rows = rowsAt(word, links[total + word], parameters.words, 2u);
  for (var rest = straightLinks(rows); rest != 0u; rest &= rest - 1u) {
    let bit = countTrailingZeros(rest);
    join(word, bit, above, bit);
  }
  if (!WIDE) { return; }
  for (var rest = leftwardLinks(links[3u * total + word], rows); rest != 0u; rest &= rest - 1u) {
    let bit = countTrailingZeros(rest);
    if (bit == 0u) { join(word, 0u, above - 1u, 31u); } else { join(word, bit, above, bit - 1u); }
  }
  for (var rest = rightwardLinks(links[4u * total + word], rows); rest != 0u; rest &= rest - 1u) {
    let bit = countTrailingZeros(rest);
    if (bit == 31u) { join(word, 31u, above + 1u, 0u); } else { join(word, bit, above, bit + 1u); }
  }
}

fn joinLeft(row: u32, column: u32) {
  let word = row * parameters.words + column;
  if ((links[parameters.total + word] & 1u) == 1u) { join(word, 0u, word - 1u, 31u); }
  // Links of a tile's first row are united along its upper edge.
  if (!WIDE || row % ROWS == 0u) { return; }
  if ((links[3u * parameters.total + word] & 1u) == 1u) { join(word, 0u, word - parameters.words - 1u, 31u); }
  if ((links[4u * parameters.total + word - 1u] >> 31u) == 1u) { join(word - 1u, 31u, word - parameters.words, 0u); }
}
