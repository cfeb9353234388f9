// Marks the first pixels of parts.

// include lib/watershed-counters.wgsl

struct Parameters {
  width: u32,
  words: u32,        // words of marks per row
  basins: u32,       // basins that there is room for
}

@group(0) @binding(0) var<uniform> parameters: Parameters;
@group(0) @binding(1) var<storage, read> counters: array<u32>;
// Complements of pixel indices; 0 for basins that are part of another.
@group(0) @binding(2) var<storage, read> firsts: array<u32>;
@group(0) @binding(3) var<storage, read_write> marks: array<atomic<u32>>;

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  for (var i = id.x; i < min(counters[BASINS], parameters.basins); i += groups.x * 256u) {
    if (firsts[i] == 0u) { continue; }
    let place = ~firsts[i];
    let x = place % parameters.width;
    atomicOr(&marks[place / parameters.width * parameters.words + (x >> 5u)], 1u << (x & 31u));
  }
}
