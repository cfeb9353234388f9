// Gives each node its label: one more than the number of components that begin before its own.

// include lib/counters.wgsl

struct Parameters {
  capacity: u32,     // nodes that there is room for
}

@group(0) @binding(0) var<uniform> parameters: Parameters;
@group(0) @binding(1) var<storage, read> counters: array<u32>;
@group(0) @binding(2) var<storage, read> marks: array<u32>;
@group(0) @binding(3) var<storage, read> ranks: array<u32>;
@group(0) @binding(4) var<storage, read> blocks: array<u32>;
@group(0) @binding(5) var<storage, read> firsts: array<u32>;
// Roots in, labels out.
@group(0) @binding(6) var<storage, read_write> map: array<u32>;

// include lib/ranks.wgsl

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let nodes = counters[NODES];
  // With too many nodes some were never written. The host reads their number and repeats the call.
  if (nodes > parameters.capacity) { return; }
  for (var i = id.x; i < nodes; i += groups.x * 256u) {
    let pixel = firsts[map[i]];
    let word = pixel >> 5u;
    // Bits up to and with the pixel's own: 2 << 31 is 0, and 0 - 1 all ones.
    map[i] = rankOf(word) + countOneBits(marks[word] & ((2u << (pixel & 31u)) - 1u));
  }
}
