// Writes the number of each pixel's basin, from 1 on: follows the pixels that it leads to, up to the first number.

struct Parameters {
  total: u32,        // pixels
}

@group(0) @binding(0) var<uniform> parameters: Parameters;
// Per pixel: the index of a pixel, or the number of a basin with the highest bit set, or all ones for background.
@group(0) @binding(1) var<storage, read> leads: array<u32>;
@group(0) @binding(2) var<storage, read_write> basins: array<u32>;

const NONE = 0xffffffffu;
const NAMED = 0x80000000u;

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
  while ((at & NAMED) == 0u) { at = leads[at]; }
  basins[place] = (at & ~NAMED) + 1u;
}
