// Lists the saddles at which basins meet. The saddle of a pair of neighbours in different basins is the lower of their
// heights. A pair is left out if a pair of the same basins comes first that shares a pixel with it, or lies one step along an
// axis beside it. The pair with the higher saddle comes first, or of equal ones the pair with the earlier pixels. So each
// border keeps little more than its highest saddle, and duplicates do no harm. A workgroup takes a block of 256 pixels, and
// reads two more on each side.

// include lib/watershed-counters.wgsl

struct Parameters {
  width: u32,
  height: u32,       // rows of a slice
  depth: u32,
  columns: u32,      // blocks of a row
  lines: u32,        // rows of blocks of a slice
  capacity: u32,     // saddles that there is room for
}

@group(0) @binding(0) var<uniform> parameters: Parameters;
@group(0) @binding(1) var<storage, read> heights: array<u32>;
@group(0) @binding(2) var<storage, read> basins: array<u32>;
// Three u32 per saddle: lower basin, higher basin, both from 0 on, height.
@group(0) @binding(3) var<storage, read_write> saddles: array<u32>;
@group(0) @binding(4) var<storage, read_write> counters: array<atomic<u32>>;

// include lib/around.wgsl

// Pixels of a block: 32 x 8 in an image, 8 x 8 x 4 in a volume.
override BLOCK_X: u32 = 32u;
override BLOCK_Y: u32 = 8u;
override BLOCK_Z: u32 = 1u;

// The block with two pixels around it: at most 12 x 12 x 8. Basins are 0 beyond the border.
var<workgroup> high: array<u32, 1152>;
var<workgroup> basin: array<u32, 1152>;

// Saddles of the workgroup, and where they begin in the list.
var<workgroup> listed: atomic<u32>;
var<workgroup> begin: u32;

// Two neighbours, by their indices in the block, and the lower of their heights.
struct Pair {
  saddle: u32,
  first: u32,
  second: u32,
}

// Indices in a block are in raster order.
fn pairOf(a: u32, b: u32) -> Pair {
  return Pair(min(high[a], high[b]), min(a, b), max(a, b));
}

fn precedes(a: Pair, b: Pair) -> bool {
  if (a.saddle != b.saddle) { return a.saddle > b.saddle; }
  return a.first < b.first || (a.first == b.first && a.second < b.second);
}

fn stepOf(x: i32, y: i32, z: i32) -> i32 {
  return (z * i32(BLOCK_Y + 4u) + y) * i32(BLOCK_X + 4u) + x;
}

// Whether another pair of the basins of two pixels comes first.
fn isLater(a: u32, b: u32) -> bool {
  let own = basin[a];
  let second = basin[b];
  let pair = pairOf(a, b);
  for (var z = -REACH_Z; z <= REACH_Z; z++) {
    for (var y = -1; y <= 1; y++) {
      for (var x = -1; x <= 1; x++) {
        let near = u32(i32(a) + stepOf(x, y, z));
        let far = u32(i32(b) + stepOf(x, y, z));
        if (joins(x, y, z)) {
          if (basin[near] == second && precedes(pairOf(a, near), pair)) { return true; }
          if (basin[far] == own && precedes(pairOf(far, b), pair)) { return true; }
        }
        if (abs(x) + abs(y) + abs(z) != 1) { continue; }
        if (basin[near] == own && basin[far] == second && precedes(pairOf(near, far), pair)) { return true; }
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
  let number = group.y * groups.x + group.x;
  let line = number / parameters.columns;
  let side = vec3u(BLOCK_X, BLOCK_Y, BLOCK_Z);
  let corner = vec3i(vec3u(number % parameters.columns, line % parameters.lines, line / parameters.lines) * side);
  let around = vec3i(2, 2, 2 * REACH_Z);
  let wide = side + 2u * vec3u(around);
  for (var i = local; i < wide.x * wide.y * wide.z; i += 256u) {
    let at = corner - around + vec3i(vec3u(i % wide.x, i / wide.x % wide.y, i / (wide.x * wide.y)));
    var found = 0u;
    if (isInside(at)) {
      let place = placeOf(at);
      found = basins[place];
      high[i] = heights[place];
    }
    basin[i] = found;
  }
  // Every thread reads pixels that other threads stored.
  workgroupBarrier();
  let inBlock = vec3u(local % side.x, local / side.x % side.y, local / (side.x * side.y)) + vec3u(around);
  let place = (inBlock.z * wide.y + inBlock.y) * wide.x + inBlock.x;
  let own = basin[place];
  // A bit per neighbour, in the order of the loops.
  var chosen = 0u;
  if (own != 0u) {
    var bit = 1u;
    // Each pair is found once, by the earlier of its pixels.
    for (var z = 0; z <= REACH_Z; z++) {
      for (var y = -1; y <= 1; y++) {
        for (var x = -1; x <= 1; x++) {
          if (!joins(x, y, z) || (z == 0 && (y < 0 || (y == 0 && x < 0)))) { continue; }
          let beside = u32(i32(place) + stepOf(x, y, z));
          let second = basin[beside];
          if (second != 0u && second != own && !isLater(place, beside)) { chosen |= bit; }
          bit <<= 1u;
        }
      }
    }
  }
  var mine = 0u;
  if (chosen != 0u) { mine = atomicAdd(&listed, countOneBits(chosen)); }
  // One atomic on device memory per workgroup.
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
        // With too many saddles the host repeats the call with more room.
        if ((chosen & bit) != 0u && mine < parameters.capacity) {
          let beside = u32(i32(place) + stepOf(x, y, z));
          let second = basin[beside];
          saddles[mine * 3u] = min(own, second) - 1u;
          saddles[mine * 3u + 1u] = max(own, second) - 1u;
          saddles[mine * 3u + 2u] = min(high[place], high[beside]);
        }
        mine += select(0u, 1u, (chosen & bit) != 0u);
        bit <<= 1u;
      }
    }
  }
}
