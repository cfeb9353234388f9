// Writes the labels of four pixels that follow each other, which may lie in two rows or more.

struct Parameters {
  width: u32,
  words: u32,        // per row
  total: u32,        // words of a plane
  pixels: u32,
}

@group(0) @binding(0) var<uniform> parameters: Parameters;
@group(0) @binding(1) var<storage, read> links: array<u32>;
// The labels of tops, and the tops of other stretches.
@group(0) @binding(2) var<storage, read> names: array<u32>;
@group(0) @binding(3) var<storage, read> tops: array<u32>;
@group(0) @binding(4) var<storage, read_write> labels: array<vec4u>;

// include lib/links.wgsl

@compute @workgroup_size(256)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) local: u32,
) {
  let first = ((group.y * groups.x + group.x) * 256u + local) * 4u;
  if (first >= parameters.pixels) { return; }
  var four = vec4u();
  var held = 0xffffffffu;
  var own = 0u;
  var firsts = 0u;
  var top = 0u;
  var row = first / parameters.width;
  var x = first - row * parameters.width;
  for (var i = 0u; i < 4u && first + i < parameters.pixels; i++) {
    let word = row * parameters.words + (x >> 5u);
    if (word != held) {
      held = word;
      own = links[word];
      firsts = firstsOf(own, links[parameters.total + word]);
      top = tops[word];
    }
    let bit = x & 31u;
    if (((own >> bit) & 1u) == 1u) {
      // Pixels of one stretch have one label.
      if (i > 0u && bit > 0u && ((firsts >> bit) & 1u) == 0u) {
        four[i] = four[i - 1u];
      } else {
        let node = stretchOf(word, firsts, bit);
        four[i] = names[node];
        if (((top >> (node & 31u)) & 1u) == 0u) { four[i] = names[four[i]]; }
      }
    }
    x++;
    if (x == parameters.width) {
      x = 0u;
      row++;
    }
  }
  labels[first >> 2u] = four;
}
