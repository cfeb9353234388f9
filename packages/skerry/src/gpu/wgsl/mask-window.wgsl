// Copies a window of one plane, or of the union of two, one word per thread. Pixels beyond the planes are background, or
// with EXTEND the nearest pixel of the border.

struct Parameters {
  width: u32,        // pixels of a row of the window
  words: u32,        // words of a row of the window
  total: u32,        // words of the window
  height: u32,       // rows of a slice of the window
  left: u32,         // words that the window begins before the planes; this and the next two are i32
  up: u32,           // rows of a slice
  front: u32,        // slices
  sourceWidth: u32,
  sourceWords: u32,
  sourceHeight: u32,
  sourceDepth: u32,
}

@group(0) @binding(0) var<uniform> parameters: Parameters;
// Row r of the planes is row r + 1 of these bits.
@group(0) @binding(1) var<storage, read> bits: array<u32>;
// The same plane again if there is only one.
@group(0) @binding(2) var<storage, read> bits2: array<u32>;
@group(0) @binding(3) var<storage, read_write> result: array<u32>;

override EXTEND: bool = false;

fn either(at: u32) -> u32 {
  return bits[at] | bits2[at];
}

// All ones where the lowest bit is set, else 0.
fn every(bit: u32) -> u32 {
  return 0u - (bit & 1u);
}

fn wordOf(index: u32) -> u32 {
  let line = index / parameters.words;
  let column = i32(index % parameters.words) - bitcast<i32>(parameters.left);
  var y = i32(line % parameters.height) - bitcast<i32>(parameters.up);
  var z = i32(line / parameters.height) - bitcast<i32>(parameters.front);
  let lastY = i32(parameters.sourceHeight) - 1;
  let lastZ = i32(parameters.sourceDepth) - 1;
  let words = i32(parameters.sourceWords);
  if (!EXTEND && (y < 0 || y > lastY || z < 0 || z > lastZ || column < 0 || column >= words)) { return 0u; }
  y = clamp(y, 0, lastY);
  z = clamp(z, 0, lastZ);
  let row = (u32(z) * parameters.sourceHeight + u32(y) + 1u) * parameters.sourceWords;
  if (column < 0) { return every(either(row)); }
  let last = parameters.sourceWidth - 1u;
  let tail = parameters.sourceWidth & 31u;
  if (column >= words) { return every(either(row + (last >> 5u)) >> (last & 31u)); }
  let word = either(row + u32(column));
  if (!EXTEND || column + 1 < words || tail == 0u) { return word; }
  return word | (every(word >> (last & 31u)) & ~((1u << tail) - 1u));
}

@compute @workgroup_size(256)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) local: u32,
) {
  let index = (group.y * groups.x + group.x) * 256u + local;
  if (index >= parameters.total) { return; }
  var word = wordOf(index);
  let tail = parameters.width & 31u;
  if (index % parameters.words + 1u == parameters.words && tail != 0u) { word &= (1u << tail) - 1u; }
  // Row r of the window is row r + 1 of the result.
  result[index + parameters.words] = word;
}
