// Turns counts of marked bits per block into counts before each block, and computes the totals of marked bits, pixels and
// runs. There is one workgroup, and each thread processes consecutive blocks.

// include lib/counters.wgsl

struct Parameters {
  blocks: u32,
}

@group(0) @binding(0) var<uniform> parameters: Parameters;
@group(0) @binding(1) var<storage, read_write> blocks: array<u32>;
// 1: marked bits, 2: pixels, 3: runs.
@group(0) @binding(2) var<storage, read_write> counters: array<u32>;

// include lib/scan.wgsl

const THREADS = 256u;
alias Scanned = vec3u;

@compute @workgroup_size(256)
fn main(@builtin(local_invocation_index) t: u32) {
  let share = (parameters.blocks + 255u) / 256u;
  let first = t * share;
  let end = min(first + share, parameters.blocks);
  var sum = vec3u();
  for (var i = first; i < end; i++) {
    sum += vec3u(blocks[i * 3u], blocks[i * 3u + 1u], blocks[i * 3u + 2u]);
  }
  scanned[t] = sum;
  scan(t);
  var before = scanned[t].x - sum.x;
  for (var i = first; i < end; i++) {
    let marked = blocks[i * 3u];
    blocks[i * 3u] = before;
    before += marked;
  }
  if (t == 255u) {
    counters[COMPONENTS] = scanned[t].x;
    counters[PIXELS] = scanned[t].y;
    counters[RUNS] = scanned[t].z;
  }
}
