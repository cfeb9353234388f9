// Begins a union of pixels that are linked to neighbours. Within a word of 32 the parent of a pixel is the first pixel
// of its chain of links to the left. One pixel per thread.

struct Parameters {
  words: u32,        // per row
  total: u32,        // pixels, including those past the rows' ends
}

@group(0) @binding(0) var<uniform> parameters: Parameters;
// Whether a pixel is linked to its left neighbour. Row r of the image is row r + 1 of these bits.
@group(0) @binding(1) var<storage, read> left: array<u32>;
@group(0) @binding(2) var<storage, read_write> parents: array<u32>;

@compute @workgroup_size(256)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) local: u32,
) {
  let at = (group.y * groups.x + group.x) * 256u + local;
  if (at >= parameters.total) { return; }
  let bit = at & 31u;
  // The nearest pixel at or before this one that is not linked to the left: links 0b0110, bit 2 -> 0.
  let breaks = ~left[(at >> 5u) + parameters.words] & (0xffffffffu >> (31u - bit));
  parents[at] = at - bit + (31u - countLeadingZeros(breaks | 1u));
}
