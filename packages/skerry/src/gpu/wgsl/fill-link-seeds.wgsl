// Marks the roots of the seeds: one seed per thread.

struct Parameters {
  seeds: u32,
}

@group(0) @binding(0) var<uniform> parameters: Parameters;
// Indices of pixels.
@group(0) @binding(1) var<storage, read> seeds: array<u32>;
@group(0) @binding(2) var<storage, read> parents: array<u32>;
@group(0) @binding(3) var<storage, read_write> marks: array<atomic<u32>>;

// include lib/root.wgsl

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= parameters.seeds) { return; }
  let at = rootOf(seeds[id.x]);
  atomicOr(&marks[at >> 5u], 1u << (at & 31u));
}
