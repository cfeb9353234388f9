// The lowest cost of each block of 32 positions of a pair of columns. distance-search.wgsl passes over blocks whose lowest cost, with
// the steps to their nearest end, exceeds what it has found.

struct Parameters {
  columns: u32,      // pairs of columns of a plane
  planes: u32,
  plane: u32,        // pairs from one plane to the next
  stride: u32,       // pairs from one position to the next
  sites: u32,        // positions
  blocks: u32,       // blocks of a column
  weight: u32,       // the size of a step, or its bits as f32
  stepX: u32,        // the size of a step along a row, or its bits as f32
}

@group(0) @binding(0) var<uniform> parameters: Parameters;
@group(0) @binding(1) var<storage, read> costs: array<u32>;
// Per plane, block and pair of columns.
@group(0) @binding(2) var<storage, read_write> lows: array<u32>;

// include lib/distance-cost.wgsl

// The lower of the costs of a site in both columns.
fn lowAt(pair: u32) -> u32 {
  if (INPUT == 1u) {
    let at = first4(pair);
    return min(costs[at], costs[at + 32u]);
  }
  let two = costs[pair];
  // Above the steps lies the side of the site. No steps at all are the most.
  let first = select(two & 0x7fffu, 0xffffu, (two & 0xffffu) == 0xffffu);
  let second = select((two >> 16u) & 0x7fffu, 0xffffu, (two >> 16u) == 0xffffu);
  return min(first, second);
}

@compute @workgroup_size(256)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) local: u32,
) {
  let index = (group.y * groups.x + group.x) * 256u + local;
  let column = index % parameters.columns;
  let block = index / parameters.columns % parameters.blocks;
  let plane = index / parameters.columns / parameters.blocks;
  if (plane >= parameters.planes) { return; }
  let base = plane * parameters.plane + column;
  let begin = block * 32u;
  let last = parameters.sites - 1u;
  var low = 0xffffffffu;
  // Reads do not wait for each other. Past the end the last site comes again.
  for (var i = 0u; i < 32u; i += 8u) {
    let at = base + min(begin + i, last) * parameters.stride;
    let a = lowAt(at);
    let b = lowAt(base + min(begin + i + 1u, last) * parameters.stride);
    let c = lowAt(base + min(begin + i + 2u, last) * parameters.stride);
    let d = lowAt(base + min(begin + i + 3u, last) * parameters.stride);
    let e = lowAt(base + min(begin + i + 4u, last) * parameters.stride);
    let f = lowAt(base + min(begin + i + 5u, last) * parameters.stride);
    let g = lowAt(base + min(begin + i + 6u, last) * parameters.stride);
    let h = lowAt(base + min(begin + i + 7u, last) * parameters.stride);
    low = min(low, min(min(min(a, b), min(c, d)), min(min(e, f), min(g, h))));
  }
  if (INPUT == 0u) { low = unpacked(low); }
  lows[index] = low;
}
