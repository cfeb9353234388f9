// Counts the pixels and the runs of a plane: eight words per thread, one addition per workgroup.

// include lib/counters.wgsl

struct Parameters {
  words: u32,        // per row
  total: u32,        // words of the strip
}

@group(0) @binding(0) var<uniform> parameters: Parameters;
@group(0) @binding(1) var<storage, read> bits: array<u32>;
// 2: pixels, 3: runs.
@group(0) @binding(2) var<storage, read_write> counters: array<atomic<u32>>;

// include lib/run-starts.wgsl

var<workgroup> pixels: atomic<u32>;
var<workgroup> runs: atomic<u32>;

@compute @workgroup_size(256)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) local: u32,
) {
  let block = (group.y * groups.x + group.x) * 2048u;
  var area = 0u;
  var starts = 0u;
  for (var i = 0u; i < 8u; i++) {
    let index = block + i * 256u + local;
    if (index >= parameters.total) { break; }
    // Row r of the strip is row r + 1 of its bits.
    let at = index + parameters.words;
    let word = bits[at];
    if (word == 0u) { continue; }
    area += countOneBits(word);
    starts += countOneBits(runStarts(word, at, index % parameters.words));
  }
  if (area > 0u) {
    atomicAdd(&pixels, area);
    atomicAdd(&runs, starts);
  }
  // All threads have added their counts.
  workgroupBarrier();
  if (local == 0u && atomicLoad(&pixels) > 0u) {
    atomicAdd(&counters[PIXELS], atomicLoad(&pixels));
    atomicAdd(&counters[RUNS], atomicLoad(&runs));
  }
}
