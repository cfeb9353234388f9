// Counts the marked bits before every eighth word of a block of 2048 words, and in the whole block. A block also adds up
// its share of the tiles' pixels and runs.
//
// After components-rank-total.wgsl, a bit's rank is `blocks[3 * (bit / 65536)] + ranks[bit / 256]` plus the marked bits
// before it in up to 8 words.

struct Parameters {
  words: u32,        // of the whole plane
  tiles: u32,
  tilesPerBlock: u32,
  planes: u32,       // number of tile tables to add up, 0 to 2
}

@group(0) @binding(0) var<uniform> parameters: Parameters;
@group(0) @binding(1) var<storage, read> marks: array<u32>;
@group(0) @binding(2) var<storage, read> tileTable: array<vec4u>;
@group(0) @binding(3) var<storage, read> tileTable2: array<vec4u>;
@group(0) @binding(4) var<storage, read_write> ranks: array<u32>;
// Three u32 per block: marked bits, pixels, runs.
@group(0) @binding(5) var<storage, read_write> blocks: array<u32>;

// include lib/scan.wgsl

const THREADS = 256u;
alias Scanned = u32;

var<workgroup> pixels: atomic<u32>;
var<workgroup> runs: atomic<u32>;

@compute @workgroup_size(256)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) t: u32,
) {
  let block = group.y * groups.x + group.x;
  let first = block * 2048u + t * 8u;
  var sum = 0u;
  for (var i = first; i < min(first + 8u, parameters.words); i++) { sum += countOneBits(marks[i]); }
  for (var i = t; i < parameters.tilesPerBlock; i += 256u) {
    let tile = block * parameters.tilesPerBlock + i;
    if (tile < parameters.tiles) {
      if (parameters.planes > 0u) { addTile(tileTable[tile]); }
      if (parameters.planes > 1u) { addTile(tileTable2[tile]); }
    }
  }
  scanned[t] = sum;
  scan(t);
  if (first < parameters.words) { ranks[first / 8u] = scanned[t] - sum; }
  // The barriers in scan() complete the atomics above.
  if (t == 255u) {
    blocks[block * 3u] = scanned[t];
    blocks[block * 3u + 1u] = atomicLoad(&pixels);
    blocks[block * 3u + 2u] = atomicLoad(&runs);
  }
}

fn addTile(entry: vec4u) {
  atomicAdd(&pixels, entry.z);
  atomicAdd(&runs, entry.w);
}
