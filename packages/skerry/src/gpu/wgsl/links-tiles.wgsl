// Unites the stretches of tiles, each tile on its own: 4 words by 16 rows, one word per thread. The parent of a stretch becomes
// its top: the tile's first stretch that it is linked to. Later kernels look at tops alone.

struct Parameters {
  words: u32,        // per row
  rows: u32,
  total: u32,        // words of a plane
  tileColumns: u32,
  tiles: u32,
}

@group(0) @binding(0) var<uniform> parameters: Parameters;
@group(0) @binding(1) var<storage, read> links: array<u32>;
// 32 per word, of which those of its stretches are used.
@group(0) @binding(2) var<storage, read_write> nodes: array<u32>;
// Per tile: 0, 0, its foreground pixels, its runs.
@group(0) @binding(3) var<storage, read_write> tileTable: array<vec4u>;
// Per word, bit k if its stretch k is a top.
@group(0) @binding(4) var<storage, read_write> tops: array<u32>;

// Whether links to the row before lead to three columns.
override WIDE: bool = false;

const COLUMNS = 4u;
const ROWS = 16u;

// Parents by the place in the tile: thread * 32 + k.
var<workgroup> parents: array<atomic<u32>, 2048>;
var<workgroup> firsts: array<u32, 64>;
var<workgroup> pixels: atomic<u32>;
var<workgroup> runs: atomic<u32>;

// include lib/links.wgsl
// include lib/find.wgsl
// include lib/union.wgsl

fn comesAfter(a: u32, b: u32) -> bool {
  return a > b;
}

fn at(thread: u32, bit: u32) -> u32 {
  return stretchOf(thread, firsts[thread], bit);
}

@compute @workgroup_size(64)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) t: u32,
) {
  let tile = group.y * groups.x + group.x;
  if (tile >= parameters.tiles) { return; }
  let column = tile % parameters.tileColumns * COLUMNS + (t & 3u);
  let row = tile / parameters.tileColumns * ROWS + (t >> 2u);
  let inside = column < parameters.words && row < parameters.rows;
  let index = row * parameters.words + column;
  var own = 0u;
  var left = 0u;
  if (inside) {
    own = links[index];
    left = links[parameters.total + index];
  }
  let starts = firstsOf(own, left);
  firsts[t] = starts;
  let stretches = countOneBits(starts);
  for (var k = 0u; k < stretches; k++) { atomicStore(&parents[t * 32u + k], t * 32u + k); }
  // All stretches are their own parents before any union.
  workgroupBarrier();

  if ((left & 1u) == 1u && (t & 3u) != 0u) { unite(t * 32u, at(t - 1u, 31u)); }
  if (inside && t >= COLUMNS) {
    let rows = rowsAt(index, left, parameters.words, 2u);
    for (var rest = straightLinks(rows); rest != 0u; rest &= rest - 1u) {
      let bit = countTrailingZeros(rest);
      unite(at(t, bit), at(t - COLUMNS, bit));
    }
    if (WIDE) {
      // Links that leave the tile are united by links-seams.wgsl.
      let leftmost = select(0u, 1u, (t & 3u) == 0u);
      let rightmost = select(0u, 0x80000000u, (t & 3u) == 3u);
      for (var rest = leftwardLinks(links[3u * parameters.total + index], rows) & ~leftmost; rest != 0u; rest &= rest - 1u) {
        let bit = countTrailingZeros(rest);
        if (bit == 0u) { unite(at(t, 0u), at(t - COLUMNS - 1u, 31u)); } else { unite(at(t, bit), at(t - COLUMNS, bit - 1u)); }
      }
      for (var rest = rightwardLinks(links[4u * parameters.total + index], rows) & ~rightmost; rest != 0u; rest &= rest - 1u) {
        let bit = countTrailingZeros(rest);
        if (bit == 31u) { unite(at(t, 31u), at(t - COLUMNS + 1u, 0u)); } else { unite(at(t, bit), at(t - COLUMNS, bit + 1u)); }
      }
    }
  }
  if (inside) {
    atomicAdd(&pixels, countOneBits(own));
    atomicAdd(&runs, countOneBits(own & ~left));
  }
  // All unions are made and counts added.
  workgroupBarrier();

  var topmost = 0u;
  for (var k = 0u; k < stretches; k++) {
    let root = find(t * 32u + k);
    if (root == t * 32u + k) { topmost |= 1u << k; }
    let owner = root >> 5u;
    let to = index - (t >> 2u) * parameters.words + (owner >> 2u) * parameters.words + (owner & 3u) - (t & 3u);
    nodes[index * 32u + k] = to * 32u + (root & 31u);
  }
  if (inside) { tops[index] = topmost; }
  if (t == 0u) { tileTable[tile] = vec4u(0u, 0u, atomicLoad(&pixels), atomicLoad(&runs)); }
}
