// Lists the saddles at which basins meet: of two neighbours in different basins the lower height. Of the pairs that share a
// pixel, or lie one step beside each other, and are of the same two basins only the first is listed: that with the highest
// saddle, or of equal ones with the earliest pixels. Of a border there so stays little more than its highest saddle; what
// stays twice does no harm.

// include lib/watershed.wgsl

struct Parameters {
  width: u32,
  height: u32,       // rows of a slice
  depth: u32,
  total: u32,        // pixels
  capacity: u32,     // saddles that there is room for
}

@group(0) @binding(0) var<uniform> parameters: Parameters;
@group(0) @binding(1) var<storage, read> heights: array<u32>;
@group(0) @binding(2) var<storage, read> basins: array<u32>;
// Three u32 per saddle: lower basin, higher basin, both from 0 on, height.
@group(0) @binding(3) var<storage, read_write> saddles: array<u32>;
@group(0) @binding(4) var<storage, read_write> counters: array<atomic<u32>>;

// include lib/around.wgsl

// Saddles of the workgroup, and where they begin in the list.
var<workgroup> listed: atomic<u32>;
var<workgroup> begin: u32;

// Two neighbours, and the lower of their heights.
struct Pair {
  saddle: u32,
  first: u32,
  second: u32,
}

fn pairOf(a: u32, b: u32) -> Pair {
  return Pair(min(heights[a], heights[b]), min(a, b), max(a, b));
}

fn precedes(a: Pair, b: Pair) -> bool {
  if (a.saddle != b.saddle) { return a.saddle > b.saddle; }
  return a.first < b.first || (a.first == b.first && a.second < b.second);
}

// Whether another pair of the basins of two pixels comes first.
fn isLater(at: vec3i, other: vec3i, a: u32, b: u32, own: u32, second: u32) -> bool {
  let pair = pairOf(a, b);
  for (var z = -REACH_Z; z <= REACH_Z; z++) {
    for (var y = -1; y <= 1; y++) {
      for (var x = -1; x <= 1; x++) {
        let step = vec3i(x, y, z);
        let isNear = isInside(at + step);
        let isFar = isInside(other + step);
        let near = stepFrom(a, x, y, z);
        let far = stepFrom(b, x, y, z);
        if (joins(x, y, z)) {
          if (isNear && basins[near] == second && precedes(pairOf(a, near), pair)) { return true; }
          if (isFar && basins[far] == own && precedes(pairOf(far, b), pair)) { return true; }
        }
        if (abs(x) + abs(y) + abs(z) != 1 || !isNear || !isFar) { continue; }
        if (basins[near] == own && basins[far] == second && precedes(pairOf(near, far), pair)) { return true; }
      }
    }
  }
  return false;
}

@compute @workgroup_size(256)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) local: u32,
) {
  let place = (group.y * groups.x + group.x) * 256u + local;
  var own = 0u;
  if (place < parameters.total) { own = basins[place]; }
  let at = positionOf(place);
  // A bit per neighbour, in the order of the loops.
  var chosen = 0u;
  if (own != 0u) {
    var bit = 1u;
    // Each pair is found once, by the earlier of its pixels.
    for (var z = 0; z <= REACH_Z; z++) {
      for (var y = -1; y <= 1; y++) {
        for (var x = -1; x <= 1; x++) {
          if (!joins(x, y, z) || (z == 0 && (y < 0 || (y == 0 && x < 0)))) { continue; }
          let other = at + vec3i(x, y, z);
          if (isInside(other)) {
            let beside = stepFrom(place, x, y, z);
            let second = basins[beside];
            if (second != 0u && second != own && !isLater(at, other, place, beside, own, second)) { chosen |= bit; }
          }
          bit <<= 1u;
        }
      }
    }
  }
  var mine = 0u;
  if (chosen != 0u) { mine = atomicAdd(&listed, countOneBits(chosen)); }
  // One atomic of the whole grid per workgroup.
  workgroupBarrier();
  if (local == 0u) {
    let count = atomicLoad(&listed);
    begin = 0u;
    if (count > 0u) { begin = atomicAdd(&counters[SADDLES], count); }
  }
  workgroupBarrier();
  if (chosen == 0u) { return; }
  mine += begin;
  var bit = 1u;
  for (var z = 0; z <= REACH_Z; z++) {
    for (var y = -1; y <= 1; y++) {
      for (var x = -1; x <= 1; x++) {
        if (!joins(x, y, z) || (z == 0 && (y < 0 || (y == 0 && x < 0)))) { continue; }
        // With too many the host repeats the call with more room.
        if ((chosen & bit) != 0u && mine < parameters.capacity) {
          let beside = stepFrom(place, x, y, z);
          let second = basins[beside];
          saddles[mine * 3u] = min(own, second) - 1u;
          saddles[mine * 3u + 1u] = max(own, second) - 1u;
          saddles[mine * 3u + 2u] = min(heights[place], heights[beside]);
        }
        mine += select(0u, 1u, (chosen & bit) != 0u);
        bit <<= 1u;
      }
    }
  }
}
