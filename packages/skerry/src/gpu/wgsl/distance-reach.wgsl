// Writes the pixels with a site in reach as bits, or with INVERT the others. A workgroup processes 256 neighbouring pixels
// of a row.

struct Parameters {
  width: u32,
  words: u32,        // per row
  stretches: u32,    // workgroups per row
  rows: u32,
}

@group(0) @binding(0) var<uniform> parameters: Parameters;
// Squared distances, all ones beyond reach.
@group(0) @binding(1) var<storage, read> distances: array<u32>;
@group(0) @binding(2) var<storage, read_write> bits: array<u32>;

override INVERT: bool = false;

var<workgroup> found: array<atomic<u32>, 8>;

@compute @workgroup_size(256)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) local: u32,
) {
  let stretch = group.y * groups.x + group.x;
  let row = stretch / parameters.stretches;
  let x = stretch % parameters.stretches * 256u + local;
  if (row < parameters.rows && x < parameters.width) {
    let reached = distances[row * parameters.width + x] != 0xffffffffu;
    if (reached != INVERT) { atomicOr(&found[local / 32u], 1u << (local % 32u)); }
  }
  // All bits of a word are set before the word is written.
  workgroupBarrier();
  let column = stretch % parameters.stretches * 8u + local;
  if (local < 8u && row < parameters.rows && column < parameters.words) {
    // Row r of the planes is row r + 1 of the bits.
    bits[(row + 1u) * parameters.words + column] = atomicLoad(&found[local]);
  }
}
