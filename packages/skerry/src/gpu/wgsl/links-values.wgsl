// Copies the values of the objects' first pixels, in the order of the objects. Objects beyond the room are left out.

struct Parameters {
  width: u32,
  words: u32,        // per row
  total: u32,        // words of a plane
  first: u32,        // index of the image's first value in the binding
  room: u32,         // objects that there is room for
}

@group(0) @binding(0) var<uniform> parameters: Parameters;
@group(0) @binding(1) var<storage, read> pixels: array<u32>;
@group(0) @binding(2) var<storage, read> marks: array<u32>;
@group(0) @binding(3) var<storage, read> ranks: array<u32>;
@group(0) @binding(4) var<storage, read> blocks: array<u32>;
@group(0) @binding(5) var<storage, read> links: array<u32>;
// The counters, then CHANNELS u32 per object.
@group(0) @binding(6) var<storage, read_write> values: array<u32>;

// include lib/links.wgsl
// include lib/pixels.wgsl
// include lib/values.wgsl
// include lib/ranks.wgsl

override CHANNELS: u32 = 1u;

const COUNTERS = 8u;

@compute @workgroup_size(256)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) local: u32,
) {
  let word = (group.y * groups.x + group.x) * 256u + local;
  if (word >= parameters.total || marks[word] == 0u) { return; }
  var object = rankOf(word);
  let row = word / parameters.words;
  let x = (word % parameters.words) * 32u;
  // The mark of stretch k is bit k.
  var mark = marks[word];
  for (var rest = firstsAt(word); mark != 0u && object < parameters.room; rest &= rest - 1u) {
    if ((mark & 1u) == 1u) {
      let at = parameters.first + (row * parameters.width + x + countTrailingZeros(rest)) * CHANNELS;
      for (var c = 0u; c < CHANNELS; c++) { values[COUNTERS + object * CHANNELS + c] = valueAt(at + c); }
      object++;
    }
    mark >>= 1u;
  }
}
