// Marks the components that contain seeds, one seed per thread.

// include lib/counters.wgsl

struct Parameters {
  words: u32,        // per row
  tileColumns: u32,
  seeds: u32,
  capacity: u32,     // nodes that there is room for
}

@group(0) @binding(0) var<uniform> parameters: Parameters;
// Column and row of each seed; rows count through all slices.
@group(0) @binding(1) var<storage, read> seeds: array<vec2u>;
@group(0) @binding(2) var<storage, read> bits: array<u32>;
@group(0) @binding(3) var<storage, read> segments: array<u32>;
@group(0) @binding(4) var<storage, read> tileTable: array<vec4u>;
// The root of each node.
@group(0) @binding(5) var<storage, read> map: array<u32>;
@group(0) @binding(6) var<storage, read> counters: array<u32>;
// One bit per root.
@group(0) @binding(7) var<storage, read_write> keep: array<atomic<u32>>;

// include lib/cells.wgsl

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3u) {
  // With too many nodes some were never written. The host reads their number and repeats the call.
  if (id.x >= parameters.seeds || counters[NODES] > parameters.capacity) { return; }
  let seed = seeds[id.x];
  let column = seed.x / 32u;
  let bit = seed.x % 32u;
  let own = wordAt(column, seed.y);
  if (((own >> bit) & 1u) == 0u) { return; }
  let k = segmentOf(startsOf(cellOf(own, column, seed.y)), bit);
  let root = map[node(column, seed.y, k)];
  atomicOr(&keep[root >> 5u], 1u << (root & 31u));
}
