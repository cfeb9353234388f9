// Pixels of u8 compared with the windows of 2 radius + 1 pixels a side around them, mirrored at the borders: minus their mean, or bits
// by a local threshold. A workgroup slides 1024 columns down a stretch of rows, a thread four of them. Each keeps the sums of its
// columns: two of 16 bits lie in a word, so that the row that enters is added and the one that leaves taken away in both at once.
// Since each sum ends within 16 bits, what one lends the other in between is given back: 0x00010002 + 0x00030004 - 0x00010001 is
// 0x00030005. For each row the threads share their sums, and add up those of their windows: a window of 25 columns is six sums of four
// columns and one of one.

struct Parameters {
  width: u32,
  height: u32,
  segments: u32,     // of columns, in a row
  first: u32,        // index of the first value in the binding
  radius: u32,       // at most 128, with squares 90
  lead: u32,         // columns before and behind those of a segment that has windows: a multiple of 16
  top: u32,          // first row
  rows: u32,
  stretch: u32,      // rows of a workgroup
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
@group(0) @binding(2) var<storage, read_write> result: array<u32>;
// Number of pixels that are left open; from word 4 on four words each: place, sum, sum of squares, value.
@group(0) @binding(3) var<storage, read_write> undecided: array<atomic<u32>>;

// include lib/pixels.wgsl
// include lib/mirrored.wgsl

// 0 minus the mean, 1 bits by the mean, 2 bits by Sauvola's threshold.
override MODE: u32 = 0u;

// Column 4 t + k lies at 256 k + t, so that threads side by side read words side by side.
var<workgroup> columns: array<u32, 1024>;
var<workgroup> fours: array<u32, 256>;
var<workgroup> powers: array<u32, 1024>;
var<workgroup> powerFours: array<u32, 256>;
var<workgroup> bits: array<atomic<u32>, 32>;

// The place of a column that lies `k` behind the first of those of thread `t`.
fn placeOf(t: u32, k: i32) -> u32 {
  return u32(k & 3) * 256u + u32(i32(t) + (k >> 2u));
}

// Four pixels from x on, mirrored beyond the borders.
fn fourOf(row: i32, x: i32) -> u32 {
  let width = i32(parameters.width);
  let begin = parameters.first + u32(mirrored(row, i32(parameters.height))) * parameters.width;
  if (x < 0 || x + 4 > width) {
    var four = 0u;
    for (var k = 0; k < 4; k++) { four |= byteAt(begin + u32(mirrored(x + k, width))) << (8u * u32(k)); }
    return four;
  }
  let at = begin + u32(x);
  let shift = (at & 3u) * 8u;
  let low = pixels[at >> 2u] >> shift;
  // A shift by 32 would be none.
  if (shift == 0u) { return low; }
  return low | (pixels[(at >> 2u) + 1u] << (32u - shift));
}

fn squaresOf(four: u32) -> vec4u {
  let values = vec4u(four & 0xffu, (four >> 8u) & 0xffu, (four >> 16u) & 0xffu, four >> 24u);
  return values * values;
}

// a / b rounded down: the product with the inverse is at most one off.
fn divided(a: u32, b: u32) -> u32 {
  let near = u32(f32(a) * bitcast<f32>(parameters.inverse));
  let rest = i32(a - near * b);
  return near + u32(rest >= i32(b)) - u32(rest < 0);
}

// Whether a pixel is above Sauvola's threshold. Pixels near it are added to the list, and are not set.
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
  let begin = (block / parameters.segments) * parameters.stretch;
  if (begin >= parameters.rows) { return; }
  let lead = parameters.lead;
  let segment = (block % parameters.segments) * (1024u - 2u * lead);
  let radius = i32(parameters.radius);
  let x = i32(segment + 4u * t) - i32(lead);
  let y0 = i32(parameters.top + begin);
  var even = 0u;
  var odd = 0u;
  var squares = vec4u(0u);
  for (var k = -radius; k <= radius; k++) {
    let four = fourOf(y0 + k, x);
    even += four & 0x00ff00ffu;
    odd += (four >> 8u) & 0x00ff00ffu;
    if (MODE == 2u) { squares += squaresOf(four); }
  }
  let side = 2u * parameters.radius + 1u;
  let n = side * side;
  let hasWindows = 4u * t >= lead && 4u * t < 1024u - lead && x < i32(parameters.width);
  // A radius of 4 m + r: the first window has the columns of 2 m threads, r columns before and r + 1 behind them.
  let m = parameters.radius >> 2u;
  let r = parameters.radius & 3u;
  // Places of the columns that enter the next three windows, and of those that leave.
  let near = vec3u(placeOf(t, radius + 1), placeOf(t, radius + 2), placeOf(t, radius + 3));
  let far = vec3u(placeOf(t, -radius), placeOf(t, 1 - radius), placeOf(t, 2 - radius));
  let rows = min(parameters.stretch, parameters.rows - begin);
  var own = fourOf(y0, x);
  var enters = fourOf(y0 + radius + 1, x);
  var leaves = fourOf(y0 - radius, x);
  for (var i = 0u; i < rows; i++) {
    let four = vec4u(even & 0xffffu, odd & 0xffffu, even >> 16u, odd >> 16u);
    for (var k = 0u; k < 4u; k++) { columns[k * 256u + t] = four[k]; }
    fours[t] = four.x + four.y + four.z + four.w;
    if (MODE == 2u) {
      for (var k = 0u; k < 4u; k++) { powers[k * 256u + t] = squares[k]; }
      powerFours[t] = squares.x + squares.y + squares.z + squares.w;
    }
    // Pixels of the next row are on their way while this one is compared.
    let y = y0 + i32(i) + 1;
    let nextOwn = fourOf(y, x);
    let nextEnters = fourOf(y + radius + 1, x);
    let nextLeaves = fourOf(y - radius, x);
    // Threads sum columns of others.
    workgroupBarrier();
    let row = parameters.top + begin + i;
    if (hasWindows) {
      var sum = 0u;
      var square = 0u;
      for (var q = t - m; q < t + m; q++) {
        sum += fours[q];
        if (MODE == 2u) { square += powerFours[q]; }
      }
      for (var k = 0u; k <= r; k++) {
        sum += columns[k * 256u + t + m];
        if (MODE == 2u) { square += powers[k * 256u + t + m]; }
      }
      for (var k = 4u - r; k < 4u; k++) {
        sum += columns[k * 256u + t - m - 1u];
        if (MODE == 2u) { square += powers[k * 256u + t - m - 1u]; }
      }
      var word = 0u;
      for (var k = 0u; k < 4u; k++) {
        if (x + i32(k) >= i32(parameters.width)) { break; }
        let v = (own >> (8u * k)) & 0xffu;
        if (MODE == 0u) {
          // v - floor(sum / n + 1/2) + 128
          let flat = i32(v + 128u) - i32(divided(2u * sum + n, 2u * n));
          word |= u32(clamp(flat, 0, 255)) << (8u * k);
        } else {
          var more = false;
          if (MODE == 1u) { more = i32(n * v) - i32(sum) > i32(parameters.least); }
          else { more = isAbove(n, v, sum, square, row * parameters.width + u32(x) + k); }
          word |= (u32(more) ^ (parameters.flip & 1u)) << k;
        }
        if (k == 3u) { break; }
        sum += columns[near[k]] - columns[far[k]];
        if (MODE == 2u) { square += powers[near[k]] - powers[far[k]]; }
      }
      let at = 4u * t - lead;
      if (MODE == 0u) { result[row * parameters.words + (u32(x) >> 2u)] = word; }
      else { atomicOr(&bits[at >> 5u], word << (at & 31u)); }
    }
    even += (enters & 0x00ff00ffu) - (leaves & 0x00ff00ffu);
    odd += ((enters >> 8u) & 0x00ff00ffu) - ((leaves >> 8u) & 0x00ff00ffu);
    if (MODE == 2u) { squares += squaresOf(enters) - squaresOf(leaves); }
    own = nextOwn;
    enters = nextEnters;
    leaves = nextLeaves;
    // A word has the bits of eight threads; and sums are overwritten only once all threads have read them.
    workgroupBarrier();
    if (MODE != 0u && t < 32u && t * 32u < 1024u - 2u * lead) {
      let word = atomicExchange(&bits[t], 0u);
      let place = (segment >> 5u) + t;
      // The row above a strip is that of its neighbour.
      if (place < parameters.words) { result[(row + 1u) * parameters.words + place] = word; }
    }
  }
}
