// Finds the root of each node and marks the first pixels of the roots. All unions are complete, so parents are read
// without atomics, and roots go to another buffer.

// include lib/counters.wgsl

struct Parameters {
  capacity: u32,     // nodes that there is room for
}

@group(0) @binding(0) var<uniform> parameters: Parameters;
@group(0) @binding(1) var<storage, read> counters: array<u32>;
@group(0) @binding(2) var<storage, read> parents: array<u32>;
@group(0) @binding(3) var<storage, read> firsts: array<u32>;
@group(0) @binding(4) var<storage, read_write> roots: array<u32>;
@group(0) @binding(5) var<storage, read_write> marks: array<atomic<u32>>;

// include lib/root.wgsl

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let nodes = counters[NODES];
  // With too many nodes some were never written. The host reads their number and repeats the call.
  if (nodes > parameters.capacity) { return; }
  for (var i = id.x; i < nodes; i += groups.x * 256u) {
    let root = rootOf(i);
    roots[i] = root;
    if (root == i) {
      let pixel = firsts[i];
      atomicOr(&marks[pixel >> 5u], 1u << (pixel & 31u));
    }
  }
}
