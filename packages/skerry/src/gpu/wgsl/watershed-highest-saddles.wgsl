// Finds the best saddle of each basin that is not part of another. This is the highest saddle, of equal ones that with the
// smallest lower basin number, and of these that with the smallest higher basin number. It takes three steps. The first step
// also drops saddles whose basins have merged, or whose lower basin stays apart, and counts the others.

// include lib/watershed-counters.wgsl

struct Parameters {
  capacity: u32,     // saddles that there is room for
  basins: u32,       // basins that there is room for
}

@group(0) @binding(0) var<uniform> parameters: Parameters;
@group(0) @binding(1) var<storage, read_write> counters: array<atomic<u32>>;
// See watershed-saddles.wgsl; all ones in the first word where a saddle no longer counts.
@group(0) @binding(2) var<storage, read_write> saddles: array<u32>;
@group(0) @binding(3) var<storage, read> peaks: array<u32>;
@group(0) @binding(4) var<storage, read> parents: array<u32>;
// Four u32 per basin: the best saddle's height or 0, the complements of its two basins, and 1 if the basin stays apart.
@group(0) @binding(5) var<storage, read_write> best: array<atomic<u32>>;

override STEP: u32 = 0u;

const NONE = 0xffffffffu;

var<workgroup> live: atomic<u32>;

fn offer(root: u32, low: u32, high: u32, saddle: u32) {
  let at = root * 4u;
  if (STEP == 0u) {
    atomicMax(&best[at], saddle);
    return;
  }
  if (atomicLoad(&best[at]) != saddle) { return; }
  if (STEP == 1u) {
    atomicMax(&best[at + 1u], ~low);
  } else if (atomicLoad(&best[at + 1u]) == ~low) {
    atomicMax(&best[at + 2u], ~high);
  }
}

@compute @workgroup_size(256)
fn main(
  @builtin(global_invocation_id) id: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) local: u32,
) {
  let count = atomicLoad(&counters[SADDLES]);
  let fits = count <= parameters.capacity && atomicLoad(&counters[BASINS]) <= parameters.basins;
  var left = 0u;
  for (var i = id.x; fits && i < count; i += groups.x * 256u) {
    let low = saddles[i * 3u];
    if (low == NONE) { continue; }
    let high = saddles[i * 3u + 1u];
    let saddle = saddles[i * 3u + 2u];
    let a = parents[low];
    let b = parents[high];
    if (STEP == 0u) {
      // If peaks are equally high, the later one is the lower.
      let isFirst = peaks[a] > peaks[b] || (peaks[a] == peaks[b] && a < b);
      let lower = select(a, b, isFirst);
      if (a == b || atomicLoad(&best[lower * 4u + 3u]) == 1u) {
        saddles[i * 3u] = NONE;
        continue;
      }
      left++;
    }
    offer(a, low, high, saddle);
    offer(b, low, high, saddle);
  }
  if (STEP != 0u) { return; }
  if (left > 0u) { atomicAdd(&live, left); }
  // One atomic on device memory per workgroup.
  workgroupBarrier();
  if (local == 0u) { atomicAdd(&counters[LIVE], atomicLoad(&live)); }
}
