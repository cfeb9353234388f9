// Combines two planes word by word: their union (OR), or with NEITHER its complement (NOR).

struct Parameters {
  words: u32,        // per row
  total: u32,        // words
  tail: u32,         // bits of a row's last word that lie in the image; for NEITHER
}

@group(0) @binding(0) var<uniform> parameters: Parameters;
@group(0) @binding(1) var<storage, read> bits: array<u32>;
// The same plane again if there is only one.
@group(0) @binding(2) var<storage, read> bits2: array<u32>;
@group(0) @binding(3) var<storage, read_write> result: array<u32>;

// Computes NOR instead of OR.
override NEITHER: bool = false;

@compute @workgroup_size(256)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) local: u32,
) {
  let index = (group.y * groups.x + group.x) * 256u + local;
  if (index >= parameters.total) { return; }
  var word = bits[index] | bits2[index];
  if (NEITHER) {
    word = ~word;
    if (index % parameters.words == parameters.words - 1u) { word &= parameters.tail; }
  }
  result[index] = word;
}
