// Lists the saddles at which basins meet: of two neighbours in different basins the lower height. Where the same two basins
// meet one step beside at a higher saddle, or at an equal one that is earlier, the lower one is left out, so that few stay
// of each border. What stays twice does no harm.

// include lib/watershed.wgsl

struct Parameters {
  width: u32,
  height: u32,       // rows of a slice
  depth: u32,
  connectivity: u32,
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

// Whether the same basins meet one step beside two pixels, at a saddle that takes precedence.
fn isBelow(at: vec3i, other: vec3i, first: u32, second: u32, saddle: u32) -> bool {
  for (var axis = 0u; axis < 3u; axis++) {
    for (var way = -1; way <= 1; way += 2) {
      var step = vec3i(0);
      step[axis] = way;
      if (!isInside(at + step) || !isInside(other + step)) { continue; }
      let a = placeOf(at + step);
      let b = placeOf(other + step);
      if (basins[a] != first || basins[b] != second) { continue; }
      let beside = min(heights[a], heights[b]);
      if (beside > saddle || (beside == saddle && way < 0)) { return true; }
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
  if (place >= parameters.total) { return; }
  let own = basins[place];
  if (own == 0u) { return; }
  let at = positionOf(place);
  let front = select(0, 1, parameters.depth > 1u);
  // Each pair is found once, by the earlier of its pixels.
  for (var z = 0; z <= front; z++) {
    for (var y = select(0, -1, z > 0); y <= 1; y++) {
      for (var x = select(1, -1, z > 0 || y > 0); x <= 1; x++) {
        let other = at + vec3i(x, y, z);
        if (!joins(vec3i(x, y, z)) || !isInside(other)) { continue; }
        let beside = placeOf(other);
        let second = basins[beside];
        if (second == 0u || second == own) { continue; }
        let saddle = min(heights[place], heights[beside]);
        if (isBelow(at, other, own, second, saddle)) { continue; }
        let i = atomicAdd(&counters[SADDLES], 1u);
        // With too many the host repeats the call with more room.
        if (i < parameters.capacity) {
          saddles[i * 3u] = min(own, second) - 1u;
          saddles[i * 3u + 1u] = max(own, second) - 1u;
          saddles[i * 3u + 2u] = saddle;
        }
      }
    }
  }
}
