// Numbers the peaks in raster order, one word of marks per thread. Writes the number of a peak's basin, with the
// highest bit set, to the peak's entry of `leads`, and lists the peak's height.

struct Parameters {
  width: u32,
  words: u32,        // words of marks per row
  total: u32,        // words of marks
  capacity: u32,     // basins that there is room for
}

@group(0) @binding(0) var<uniform> parameters: Parameters;
@group(0) @binding(1) var<storage, read> heights: array<u32>;
@group(0) @binding(2) var<storage, read> marks: array<u32>;
@group(0) @binding(3) var<storage, read> ranks: array<u32>;
@group(0) @binding(4) var<storage, read> blocks: array<u32>;
@group(0) @binding(5) var<storage, read_write> leads: array<u32>;
// Per basin the height of its peak, and in `parents` the basin that it is part of: at first itself.
@group(0) @binding(6) var<storage, read_write> peaks: array<u32>;
@group(0) @binding(7) var<storage, read_write> parents: array<u32>;

// include lib/ranks.wgsl

const NAMED = 0x80000000u;

@compute @workgroup_size(256)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) local: u32,
) {
  let index = (group.y * groups.x + group.x) * 256u + local;
  if (index >= parameters.total) { return; }
  var word = marks[index];
  if (word == 0u) { return; }
  var basin = rankOf(index);
  let first = index / parameters.words * parameters.width + index % parameters.words * 32u;
  for (; word != 0u; word &= word - 1u) {
    let place = first + countTrailingZeros(word);
    leads[place] = NAMED | basin;
    if (basin < parameters.capacity) {
      peaks[basin] = heights[place];
      parents[basin] = basin;
    }
    basin++;
  }
}
