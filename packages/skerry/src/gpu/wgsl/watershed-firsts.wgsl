// Finds the first pixel of each part, as the complement of its index. Only a pixel without a pixel of its part just before
// it along any axis can be the first.

struct Parameters {
  width: u32,
  height: u32,       // rows of a slice
  depth: u32,
  total: u32,        // pixels
  capacity: u32,     // basins that there is room for
}

@group(0) @binding(0) var<uniform> parameters: Parameters;
@group(0) @binding(1) var<storage, read> basins: array<u32>;
@group(0) @binding(2) var<storage, read> parents: array<u32>;
@group(0) @binding(3) var<storage, read_write> firsts: array<atomic<u32>>;

// include lib/around.wgsl

fn isOf(at: vec3i, part: u32) -> bool {
  if (!isInside(at)) { return false; }
  let basin = basins[placeOf(at)];
  return basin != 0u && basin <= parameters.capacity && parents[basin - 1u] == part;
}

@compute @workgroup_size(256)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) local: u32,
) {
  let place = (group.y * groups.x + group.x) * 256u + local;
  if (place >= parameters.total) { return; }
  let basin = basins[place];
  if (basin == 0u || basin > parameters.capacity) { return; }
  let part = parents[basin - 1u];
  let at = positionOf(place);
  if (isOf(at - vec3i(1, 0, 0), part) || isOf(at - vec3i(0, 1, 0), part) || isOf(at - vec3i(0, 0, 1), part)) { return; }
  atomicMax(&firsts[part], ~place);
}
