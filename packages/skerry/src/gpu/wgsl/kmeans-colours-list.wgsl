// Lists the colours in the order of their keys, with their pixel counts and their points in RGB: coordinates of up to
// 10 bits, packed. A thread has eight words of marks, for the first of which components-rank.wgsl computed the rank.

struct Parameters {
  words: u32,        // of marks, a multiple of 8
}

@group(0) @binding(0) var<uniform> parameters: Parameters;
@group(0) @binding(1) var<storage, read> counts: array<u32>;
@group(0) @binding(2) var<storage, read> marks: array<u32>;
@group(0) @binding(3) var<storage, read> ranks: array<u32>;
@group(0) @binding(4) var<storage, read> blocks: array<u32>;
@group(0) @binding(5) var<storage, read_write> keys: array<u32>;
@group(0) @binding(6) var<storage, read_write> weights: array<u32>;
@group(0) @binding(7) var<storage, read_write> points: array<u32>;

// include lib/colour-keys.wgsl
// include lib/points.wgsl

@compute @workgroup_size(256)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) t: u32,
) {
  let part = (group.y * groups.x + group.x) * 256u + t;
  if (part * 8u >= parameters.words) { return; }
  var to = blocks[(part >> 8u) * 3u] + ranks[part];
  for (var word = part * 8u; word < part * 8u + 8u; word++) {
    for (var bits = marks[word]; bits != 0u; bits &= bits - 1u) {
      let key = word * 32u + countTrailingZeros(bits);
      keys[to] = key;
      weights[to] = counts[key];
      points[to] = packed(everyThird(key >> 2u), everyThird(key >> 1u), everyThird(key));
      to++;
    }
  }
}
