// Computes the lower median of one axis of one class per workgroup, and clears the histogram. The median is the smallest
// level with at least half of the pixels at or below it.

struct Parameters {
  k: u32,
  levels: u32,       // levels of a coordinate: 4 or 16 per thread
}

@group(0) @binding(0) var<uniform> parameters: Parameters;
// The first is the state: 0 in x while iterations go on.
@group(0) @binding(1) var<storage, read> centres: array<vec4u>;
@group(0) @binding(2) var<storage, read_write> histograms: array<u32>;
// Eight words per class: weight, and the medians at the lower words of the sums of kmeans-sum.wgsl.
@group(0) @binding(3) var<storage, read_write> sums: array<u32>;

// include lib/scan.wgsl

const THREADS = 64u;
alias Scanned = u32;

var<workgroup> ended: u32;

@compute @workgroup_size(64)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) t: u32,
) {
  let index = group.y * groups.x + group.x;
  if (t == 0u) { ended = select(centres[0].x, 1u, index >= 3u * parameters.k); }
  if (workgroupUniformLoad(&ended) != 0u) { return; }
  let share = parameters.levels / 64u;
  let first = index * parameters.levels + t * share;
  var sum = 0u;
  for (var i = first; i < first + share; i++) { sum += histograms[i]; }
  scanned[t] = sum;
  scan(t);
  // The last thread's sum is stored.
  workgroupBarrier();
  let total = scanned[63];
  // Half of the pixels, rounded up without overflow of 32 bits.
  let half = total / 2u + (total & 1u);
  let class_ = index % parameters.k;
  var passed = scanned[t] - sum;
  for (var i = 0u; i < share; i++) {
    let count = histograms[first + i];
    if (passed < half && passed + count >= half) { sums[class_ * 8u + 1u + (index / parameters.k) * 2u] = t * share + i; }
    passed += count;
    histograms[first + i] = 0u;
  }
  if (t == 0u && index < parameters.k) { sums[class_ * 8u] = total; }
}
