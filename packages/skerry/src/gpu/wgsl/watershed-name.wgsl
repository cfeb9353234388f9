// Gives each pixel the number of its basin, from 1 on: one more than the number of peaks before its own in raster order. The
// pixel that is a peak lists its place and height.

struct Parameters {
  width: u32,
  words: u32,        // words of marks per row
  total: u32,        // pixels
  capacity: u32,     // basins that there is room for
}

@group(0) @binding(0) var<uniform> parameters: Parameters;
@group(0) @binding(1) var<storage, read> heights: array<u32>;
@group(0) @binding(2) var<storage, read> leads: array<u32>;
@group(0) @binding(3) var<storage, read> marks: array<u32>;
@group(0) @binding(4) var<storage, read> ranks: array<u32>;
@group(0) @binding(5) var<storage, read> blocks: array<u32>;
@group(0) @binding(6) var<storage, read_write> basins: array<u32>;
// Per basin the height of its peak, and the basin that it is part of, which is itself to begin with.
@group(0) @binding(7) var<storage, read_write> peaks: array<u32>;
@group(0) @binding(8) var<storage, read_write> parents: array<u32>;

// include lib/ranks.wgsl

const NONE = 0xffffffffu;

@compute @workgroup_size(256)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) local: u32,
) {
  let place = (group.y * groups.x + group.x) * 256u + local;
  if (place >= parameters.total) { return; }
  var at = leads[place];
  if (at == NONE) {
    basins[place] = 0u;
    return;
  }
  for (var up = leads[at]; up != at; up = leads[at]) { at = up; }
  let x = at % parameters.width;
  let word = at / parameters.width * parameters.words + (x >> 5u);
  let basin = rankOf(word) + countOneBits(marks[word] & ((1u << (x & 31u)) - 1u));
  basins[place] = basin + 1u;
  if (at == place && basin < parameters.capacity) {
    peaks[basin] = heights[place];
    parents[basin] = basin;
  }
}
