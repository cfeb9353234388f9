// Writes the label of each pixel, one pixel per thread.

struct Parameters {
  width: u32,
  words: u32,        // per row
  total: u32,        // words of a plane
  threads: u32,      // pixels
}

@group(0) @binding(0) var<uniform> parameters: Parameters;
@group(0) @binding(1) var<storage, read> links: array<u32>;
// The label of each stretch, at its first pixel.
@group(0) @binding(2) var<storage, read> names: array<u32>;
@group(0) @binding(3) var<storage, read_write> labels: array<u32>;

// include lib/links.wgsl

@compute @workgroup_size(256)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) local: u32,
) {
  let pixel = (group.y * groups.x + group.x) * 256u + local;
  if (pixel >= parameters.threads) { return; }
  let x = pixel % parameters.width;
  let word = pixel / parameters.width * parameters.words + (x >> 5u);
  let own = links[word];
  var label = 0u;
  if (((own >> (x & 31u)) & 1u) == 1u) {
    label = names[stretchOf(word, firstsOf(own, links[parameters.total + word]), x & 31u)];
  }
  labels[pixel] = label;
}
