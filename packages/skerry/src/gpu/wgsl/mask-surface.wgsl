// Finds the pixels of one or two planes that have background beside them along an axis, one word per thread.

struct Parameters {
  width: u32,
  words: u32,        // per row
  total: u32,        // words of the strip
  row: u32,          // the strip's first row, counted through all slices
  first: u32,        // index of the strip's first word in the bits
  height: u32,       // rows of a slice
  depth: u32,
  border: u32,       // 1: background lies beyond the border; 0: foreground does
}

@group(0) @binding(0) var<uniform> parameters: Parameters;
@group(0) @binding(1) var<storage, read> bits: array<u32>;
// The same plane again if there is only one.
@group(0) @binding(2) var<storage, read> bits2: array<u32>;
@group(0) @binding(3) var<storage, read_write> surface: array<u32>;

fn either(at: u32) -> u32 {
  return bits[at] | bits2[at];
}

@compute @workgroup_size(256)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) local: u32,
) {
  let index = (group.y * groups.x + group.x) * 256u + local;
  if (index >= parameters.total) { return; }
  let row = parameters.row + index / parameters.words;
  let column = index % parameters.words;
  let y = row % parameters.height;
  let z = row / parameters.height;
  let at = index + parameters.first;
  let c = either(at);
  let outside = select(0xffffffffu, 0u, parameters.border == 1u);
  var before = outside & 1u;
  var after = outside & 1u;
  if (column > 0u) { before = either(at - 1u) >> 31u; }
  if (column + 1u < parameters.words) { after = either(at + 1u) & 1u; }
  var right = (c >> 1u) | (after << 31u);
  // The last pixel's neighbour lies within the word unless the row ends with it.
  let tail = parameters.width & 31u;
  if (column + 1u == parameters.words && tail != 0u) { right |= (outside & 1u) << (tail - 1u); }
  var all = ((c << 1u) | before) & right;
  all &= select(outside, either(at - parameters.words), y > 0u);
  all &= select(outside, either(at + parameters.words), y + 1u < parameters.height);
  if (parameters.depth > 1u) {
    let slice = parameters.words * parameters.height;
    if (z > 0u) { all &= either(at - slice); } else { all &= outside; }
    if (z + 1u < parameters.depth) { all &= either(at + slice); } else { all &= outside; }
  }
  surface[index] = c & ~all;
}
