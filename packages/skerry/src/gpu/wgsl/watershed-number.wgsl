// Numbers parts by their first pixels. Writes the label of each basin, and per part the label of its object.

// include lib/watershed-counters.wgsl

struct Parameters {
  width: u32,
  words: u32,        // words of marks per row
  basins: u32,       // basins that there is room for
}

@group(0) @binding(0) var<uniform> parameters: Parameters;
@group(0) @binding(1) var<storage, read> marks: array<u32>;
@group(0) @binding(2) var<storage, read> ranks: array<u32>;
@group(0) @binding(3) var<storage, read> blocks: array<u32>;
// See watershed-mark.wgsl.
@group(0) @binding(4) var<storage, read> firsts: array<u32>;
// Per pixel the label of its object.
@group(0) @binding(5) var<storage, read> objects: array<u32>;
@group(0) @binding(6) var<storage, read> parents: array<u32>;
// Label of each basin's part.
@group(0) @binding(7) var<storage, read_write> names: array<u32>;
// A copy of the counters, then the label of the object of each part.
@group(0) @binding(8) var<storage, read_write> origins: array<u32>;

// include lib/ranks.wgsl

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  for (var i = id.x; i < min(origins[BASINS], parameters.basins); i += groups.x * 256u) {
    let place = ~firsts[parents[i]];
    let x = place % parameters.width;
    let word = place / parameters.width * parameters.words + (x >> 5u);
    let before = rankOf(word) + countOneBits(marks[word] & ((1u << (x & 31u)) - 1u));
    names[i] = before + 1u;
    if (parents[i] == i) { origins[COUNTERS + before] = objects[place]; }
  }
}
