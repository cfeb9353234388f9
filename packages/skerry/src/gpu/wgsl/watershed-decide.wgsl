// Decides saddles that are the best one of the lower of their two basins. If that basin's peak is less than h above the
// saddle, or no higher than it, the basin becomes part of the other one. Otherwise it stays apart for good, because its other
// saddles are no higher. A basin whose best saddle leads to a lower basin waits until that one is decided. So basins merge
// as if saddles were taken one by one from the highest down, in any order of threads.

// include lib/watershed-counters.wgsl

struct Parameters {
  capacity: u32,     // saddles that there is room for
  basins: u32,       // basins that there is room for
  h: u32,            // in the unit of the square roots of heights
}

@group(0) @binding(0) var<uniform> parameters: Parameters;
@group(0) @binding(1) var<storage, read> counters: array<u32>;
@group(0) @binding(2) var<storage, read> saddles: array<u32>;
@group(0) @binding(3) var<storage, read> peaks: array<u32>;
@group(0) @binding(4) var<storage, read> parents: array<u32>;
// See watershed-highest-saddles.wgsl.
@group(0) @binding(5) var<storage, read_write> best: array<u32>;
// The basin that each basin becomes part of, from 1 on; 0 for none.
@group(0) @binding(6) var<storage, read_write> goals: array<u32>;

// include lib/sum64.wgsl

const NONE = 0xffffffffu;

// Whether sqrt(peak) >= sqrt(saddle) + h, in whole numbers: with d = peak - saddle - h * h that is d >= 0 and
// d * d >= 4 * h * h * saddle.
fn isHigher(peak: u32, saddle: u32) -> bool {
  let h = parameters.h;
  if (peak <= saddle) { return false; }
  if (peak - saddle < h * h) { return false; }
  let d = peak - saddle - h * h;
  let left = multiply(d, d);
  let right = multiply(4u * h * h, saddle);
  return left.y > right.y || (left.y == right.y && left.x >= right.x);
}

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let count = counters[SADDLES];
  if (count > parameters.capacity || counters[BASINS] > parameters.basins) { return; }
  for (var i = id.x; i < count; i += groups.x * 256u) {
    let low = saddles[i * 3u];
    if (low == NONE) { continue; }
    let high = saddles[i * 3u + 1u];
    let saddle = saddles[i * 3u + 2u];
    let a = parents[low];
    let b = parents[high];
    let isFirst = peaks[a] > peaks[b] || (peaks[a] == peaks[b] && a < b);
    let lower = select(a, b, isFirst);
    let at = lower * 4u;
    if (best[at] != saddle || best[at + 1u] != ~low || best[at + 2u] != ~high) { continue; }
    // Equal saddles of one border write the same value.
    if (isHigher(peaks[lower], saddle)) {
      best[at + 3u] = 1u;
    } else {
      goals[lower] = select(b, a, isFirst) + 1u;
    }
  }
}
