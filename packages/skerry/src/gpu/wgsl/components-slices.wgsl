// Counts, for each slice of a stack, the components before it, its foreground pixels and its runs: one workgroup per slice. The
// plane of a second polarity adds its pixels and runs.

struct Parameters {
  words: u32,        // per row
  slice: u32,        // words of a slice
  depth: u32,
}

@group(0) @binding(0) var<uniform> parameters: Parameters;
@group(0) @binding(1) var<storage, read> bits: array<u32>;
@group(0) @binding(2) var<storage, read> marks: array<u32>;
@group(0) @binding(3) var<storage, read> ranks: array<u32>;
@group(0) @binding(4) var<storage, read> blocks: array<u32>;
// Three u32 per slice: components before it, pixels, runs.
@group(0) @binding(5) var<storage, read_write> slices: array<u32>;

override SECOND: bool = false;

// include lib/run-starts.wgsl
// include lib/ranks.wgsl

var<workgroup> pixels: atomic<u32>;
var<workgroup> runs: atomic<u32>;

@compute @workgroup_size(256)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) t: u32,
) {
  let z = group.y * groups.x + group.x;
  if (z >= parameters.depth) { return; }
  let first = z * parameters.slice;
  var area = 0u;
  var starts = 0u;
  for (var i = t; i < parameters.slice; i += 256u) {
    // Row r of the strip is row r + 1 of its bits.
    let at = first + i + parameters.words;
    let word = bits[at];
    area += countOneBits(word);
    starts += countOneBits(runStarts(word, at, i % parameters.words));
  }
  atomicAdd(&pixels, area);
  atomicAdd(&runs, starts);
  // All threads have added their counts.
  workgroupBarrier();
  if (t != 0u) { return; }
  let to = z * 3u;
  if (SECOND) {
    slices[to + 1u] += atomicLoad(&pixels);
    slices[to + 2u] += atomicLoad(&runs);
  } else {
    slices[to] = rankOf(first);
    slices[to + 1u] = atomicLoad(&pixels);
    slices[to + 2u] = atomicLoad(&runs);
  }
}
