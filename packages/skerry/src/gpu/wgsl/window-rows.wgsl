// Pixels of u8 compared with their windows, from the sums of columns of window-columns.wgsl: minus their mean, or bits by a local
// threshold. A workgroup takes 1024 pixels of a row, a thread four. Sums of four columns shorten the first sum of a thread: a window
// of 25 columns is six of them and one column.

struct Parameters {
  width: u32,
  quads: u32,        // of four columns, in a row
  segments: u32,     // of 1024 pixels, in a row
  first: u32,        // index of the first value in the binding
  radius: u32,       // at most 128
  top: u32,          // first row
  rows: u32,
  words: u32,        // of a row of the result
  least: u32,        // i32: the mean's bits are set where n v - sum is more
  flip: u32,         // 15 for bits at and below the threshold
  weight: u32,       // f32: Sauvola's k
  scale: u32,        // f32: 1 / (n r)
  inverse: u32,      // f32: 1 / n, to flatten 1 / (2 n)
  margin: u32,       // f32: n v this near to the threshold is decided in f64
  most: u32,         // pixels that the list holds
}

@group(0) @binding(0) var<uniform> parameters: Parameters;
@group(0) @binding(1) var<storage, read> pixels: array<u32>;
@group(0) @binding(2) var<storage, read> sums: array<vec2u>;
@group(0) @binding(3) var<storage, read> squares: array<vec4u>;
@group(0) @binding(4) var<storage, read_write> result: array<u32>;
// Number of pixels that are left open; from word 4 on four words each: place, sum, sum of squares, value.
@group(0) @binding(5) var<storage, read_write> undecided: array<atomic<u32>>;

// include lib/pixels.wgsl
// include lib/mirrored.wgsl

// 0 minus the mean, 1 bits by the mean, 2 bits by Sauvola's threshold.
override MODE: u32 = 0u;

// Column 4 i + k lies at 320 k + i, so that threads side by side read words side by side.
var<workgroup> columns: array<u32, 1280>;
var<workgroup> fours: array<u32, 320>;
var<workgroup> powers: array<u32, 1280>;
var<workgroup> powerFours: array<u32, 320>;
var<workgroup> nibbles: array<u32, 256>;

fn columnAt(row: u32, x: i32) -> u32 {
  let column = u32(mirrored(x, i32(parameters.width)));
  let pair = sums[row * parameters.quads + (column >> 2u)][(column >> 1u) & 1u];
  return (pair >> ((column & 1u) * 16u)) & 0xffffu;
}

fn powerAt(row: u32, x: i32) -> u32 {
  let column = u32(mirrored(x, i32(parameters.width)));
  return squares[row * parameters.quads + (column >> 2u)][column & 3u];
}

fn placeOf(column: u32) -> u32 {
  return (column & 3u) * 320u + (column >> 2u);
}

// Sums of the columns from `a` to `b`: four at a time between the first and the last of them that begin at a multiple of four.
fn sumOf(a: u32, b: u32) -> u32 {
  var sum = 0u;
  let begins = (a + 3u) >> 2u;
  let ends = (b + 1u) >> 2u;
  for (var i = a; i < begins * 4u; i++) { sum += columns[placeOf(i)]; }
  for (var i = begins; i < ends; i++) { sum += fours[i]; }
  for (var i = ends * 4u; i <= b; i++) { sum += columns[placeOf(i)]; }
  return sum;
}

fn powersOf(a: u32, b: u32) -> u32 {
  var sum = 0u;
  let begins = (a + 3u) >> 2u;
  let ends = (b + 1u) >> 2u;
  for (var i = a; i < begins * 4u; i++) { sum += powers[placeOf(i)]; }
  for (var i = begins; i < ends; i++) { sum += powerFours[i]; }
  for (var i = ends * 4u; i <= b; i++) { sum += powers[placeOf(i)]; }
  return sum;
}

// a / b rounded down: the product with the inverse is at most one off.
fn divided(a: u32, b: u32) -> u32 {
  let near = u32(f32(a) * bitcast<f32>(parameters.inverse));
  let rest = i32(a - near * b);
  return near + u32(rest >= i32(b)) - u32(rest < 0);
}

// Whether a pixel is above Sauvola's threshold. Pixels near it are added to the list, and are not.
fn isAbove(n: u32, v: u32, sum: u32, square: u32, place: u32) -> bool {
  // Windows of zeros have the threshold 0.
  if (sum == 0u) { return false; }
  // A mean alone is compared exactly.
  if (parameters.weight == 0u) { return n * v > sum; }
  // The variance does not depend on what all values are measured from. From the mean on, little is lost in rounding: sums of squares
  // about it, whose parts may pass 32 bits, fit again.
  let total = f32(sum);
  let mean = u32(total * bitcast<f32>(parameters.inverse) + 0.5);
  let about = f32(square - 2u * mean * sum + mean * mean * n);
  let rest = f32(i32(sum - mean * n));
  let spread = sqrt(max(f32(n) * about - rest * rest, 0.0));
  let local = total + total * bitcast<f32>(parameters.weight) * (spread * bitcast<f32>(parameters.scale) - 1.0);
  let above = f32(n * v) - local;
  if (abs(above) > bitcast<f32>(parameters.margin)) { return above > 0.0; }
  let slot = atomicAdd(&undecided[0], 1u);
  if (slot < parameters.most) {
    let at = 4u + slot * 4u;
    atomicStore(&undecided[at], place);
    atomicStore(&undecided[at + 1u], sum);
    atomicStore(&undecided[at + 2u], square);
    atomicStore(&undecided[at + 3u], v);
  }
  return parameters.flip != 0u;
}

@compute @workgroup_size(256)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) t: u32,
) {
  let block = group.y * groups.x + group.x;
  let row = block / parameters.segments;
  if (row >= parameters.rows) { return; }
  let begin = (block % parameters.segments) * 1024u;
  // A multiple of four in front, so that sums of four columns lie as the columns do.
  let lead = (parameters.radius + 3u) & ~3u;
  let count = 256u + lead / 2u;
  for (var i = t; i < count; i += 256u) {
    let x = i32(begin + i * 4u) - i32(lead);
    var four: vec4u;
    if (x >= 0 && u32(x) + 4u <= parameters.width) {
      let pairs = sums[row * parameters.quads + (u32(x) >> 2u)];
      four = vec4u(pairs.x & 0xffffu, pairs.x >> 16u, pairs.y & 0xffffu, pairs.y >> 16u);
    } else {
      four = vec4u(columnAt(row, x), columnAt(row, x + 1), columnAt(row, x + 2), columnAt(row, x + 3));
    }
    for (var k = 0u; k < 4u; k++) { columns[k * 320u + i] = four[k]; }
    fours[i] = four.x + four.y + four.z + four.w;
    if (MODE == 2u) {
      if (x >= 0 && u32(x) + 4u <= parameters.width) {
        four = squares[row * parameters.quads + (u32(x) >> 2u)];
      } else {
        four = vec4u(powerAt(row, x), powerAt(row, x + 1), powerAt(row, x + 2), powerAt(row, x + 3));
      }
      for (var k = 0u; k < 4u; k++) { powers[k * 320u + i] = four[k]; }
      powerFours[i] = four.x + four.y + four.z + four.w;
    }
  }
  // Threads sum columns that others loaded.
  workgroupBarrier();
  let side = 2u * parameters.radius + 1u;
  let n = side * side;
  let x = begin + 4u * t;
  let a = lead + 4u * t - parameters.radius;
  let source = parameters.first + (parameters.top + row) * parameters.width + x;
  var sum = sumOf(a, a + side - 1u);
  var square = 0u;
  if (MODE == 2u) { square = powersOf(a, a + side - 1u); }
  var word = 0u;
  for (var k = 0u; k < 4u && x + k < parameters.width; k++) {
    let v = byteAt(source + k);
    if (MODE == 0u) {
      // v - floor(sum / n + 1/2) + 128
      let flat = i32(v + 128u) - i32(divided(2u * sum + n, 2u * n));
      word |= u32(clamp(flat, 0, 255)) << (8u * k);
    } else {
      var more = false;
      if (MODE == 1u) { more = i32(n * v) - i32(sum) > i32(parameters.least); }
      else { more = isAbove(n, v, sum, square, (parameters.top + row) * parameters.width + x + k); }
      word |= u32(more) << k;
    }
    if (k == 3u) { break; }
    sum += columns[placeOf(a + k + side)] - columns[placeOf(a + k)];
    if (MODE == 2u) { square += powers[placeOf(a + k + side)] - powers[placeOf(a + k)]; }
  }
  if (MODE == 0u) {
    if (x < parameters.width) { result[(parameters.top + row) * parameters.words + (x >> 2u)] = word; }
    return;
  }
  let used = select(0u, (1u << min(4u, parameters.width - x)) - 1u, x < parameters.width);
  nibbles[t] = (word ^ parameters.flip) & used;
  // A word of bits is that of eight threads.
  workgroupBarrier();
  let place = (begin >> 5u) + t;
  if (t >= 32u || place >= parameters.words) { return; }
  var bits = 0u;
  for (var k = 0u; k < 8u; k++) { bits |= nibbles[t * 8u + k] << (4u * k); }
  // The row above a strip is that of its neighbour.
  result[(parameters.top + row + 1u) * parameters.words + place] = bits;
}
