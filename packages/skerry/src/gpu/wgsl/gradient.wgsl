// Magnitudes of gradients: the whole root of the sum of the squares of derivatives, over a power of 2, as f32. A thread takes a pixel.
// Derivatives have up to 21 bits, and their sums 43: the root of an f32 is near, and whole numbers of 64 bits put it right.
// Example: derivatives 3 and 4 have the sum 25; derivatives 1 and 1 the root 1, because 2 lies below 1.5 * 1.5.

struct Parameters {
  total: u32,        // pixels
  width: u32,
  lines: u32,        // rows of a slice
  slices: u32,
  stride: u32,       // values from a row to the next one
  first: u32,        // index of the first value in the binding
  shift: u32,        // of the power of 2
}

@group(0) @binding(0) var<uniform> parameters: Parameters;
@group(0) @binding(1) var<storage, read> pixels: array<u32>;
@group(0) @binding(2) var<storage, read_write> result: array<f32>;

// 0 u8, 1 u16, 2 i16
override TYPE: u32 = 0u;
// Sobel's operators instead of differences.
override SOBEL: bool = true;

// include lib/pixels.wgsl
// include lib/mirrored.wgsl
// include lib/sum64.wgsl

fn valueAt(x: i32, y: i32, z: i32) -> i32 {
  let row = mirrored(z, i32(parameters.slices)) * i32(parameters.lines) + mirrored(y, i32(parameters.lines));
  let at = parameters.first + u32(row) * parameters.stride + u32(mirrored(x, i32(parameters.width)));
  if (TYPE == 0u) { return i32(byteAt(at)); }
  if (TYPE == 1u) { return i32(shortAt(at)); }
  return signed16(shortAt(at));
}

// The differences along x, y and z, of which Sobel adds up those of the neighbours.
fn derivatives(x: i32, y: i32, z: i32) -> vec3i {
  let isVolume = parameters.slices > 1u;
  if (!SOBEL) {
    var d = vec3i(
      valueAt(x + 1, y, z) - valueAt(x - 1, y, z),
      valueAt(x, y + 1, z) - valueAt(x, y - 1, z),
      0,
    );
    if (isVolume) { d.z = valueAt(x, y, z + 1) - valueAt(x, y, z - 1); }
    return d;
  }
  var d = vec3i(0);
  let reach = select(0, 1, isVolume);
  for (var k = -reach; k <= reach; k++) {
    // An image has no slices to weigh.
    let weightZ = select(1, 2 - abs(k), isVolume);
    for (var j = -1; j <= 1; j++) {
      let weightY = 2 - abs(j);
      let before = valueAt(x - 1, y + j, z + k);
      let here = valueAt(x, y + j, z + k);
      let behind = valueAt(x + 1, y + j, z + k);
      let sum = before + 2 * here + behind;
      d += vec3i((behind - before) * weightY * weightZ, sum * j * weightZ, sum * k * weightY);
    }
  }
  return d;
}

// Whether a > b.
fn exceeds(a: vec2u, b: vec2u) -> bool {
  return a.y > b.y || (a.y == b.y && a.x > b.x);
}

// The whole number next to the root.
fn rootOf(sum: vec2u) -> u32 {
  var root = u32(sqrt(f32(sum.y) * 4294967296.0 + f32(sum.x)));
  // A root of floats is a little off; bounded, because a loop on a device has to end.
  for (var i = 0u; i < 8u && exceeds(multiply(root, root), sum); i++) { root -= 1u; }
  for (var i = 0u; i < 8u && !exceeds(multiply(root + 1u, root + 1u), sum); i++) { root += 1u; }
  // Beyond root * root + root lies the square of root + 1/2.
  return root + select(0u, 1u, exceeds(sum, plus64(multiply(root, root), vec2u(root, 0u))));
}

@compute @workgroup_size(256)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) t: u32,
) {
  let at = (group.y * groups.x + group.x) * 256u + t;
  if (at >= parameters.total) { return; }
  let row = at / parameters.width;
  let z = row / parameters.lines;
  let d = derivatives(i32(at - row * parameters.width), i32(row - z * parameters.lines), i32(z));
  let sizes = vec3u(abs(d));
  let sum = plus64(plus64(multiply(sizes.x, sizes.x), multiply(sizes.y, sizes.y)), multiply(sizes.z, sizes.z));
  // A power of 2 by its exponent.
  result[at] = f32(rootOf(sum)) * bitcast<f32>((127u - parameters.shift) << 23u);
}
