// Tests which pixels are foreground, and which are linked to a neighbour that comes before them in raster order: both are foreground,
// and differ by at most the tolerance in every channel. A thread tests eight pixels; four threads make a word of each plane.
//
// Planes follow each other: foreground, left, then for each earlier row (components-neighbours.ts has the same table) links to the pixel
// of the same column, and if the row is widened to the pixels on its left and right.

struct Parameters {
  width: u32,
  words: u32,        // per row
  height: u32,       // rows of a slice
  rows: u32,         // of all slices
  total: u32,        // words of a plane
  first: u32,        // index of the first value in the binding
  tolerance: u32,
  grounds: u32,      // 1 if there is a background colour, plus 2 if there is a second one
  ground0: u32,      // the first one, per channel, as value() orders it
  ground1: u32,
  ground2: u32,
  ground3: u32,
  except: u32,       // the second one, the same in every channel
}

@group(0) @binding(0) var<uniform> parameters: Parameters;
@group(0) @binding(1) var<storage, read> pixels: array<u32>;
@group(0) @binding(2) var<storage, read_write> links: array<u32>;

// include lib/pixels.wgsl

// 0 u8, 1 u16, 2 i16.
override TYPE: u32 = 0u;
override CHANNELS: u32 = 1u;
override CONNECTIVITY: u32 = 4u;
// Equal values only.
override EXACT: bool = true;
// Rows of bytes begin at whole words.
override ALIGNED: bool = false;

const BYTES4 = vec4u(1u, 2u, 4u, 8u);

// Eight bits per plane of each thread's pixels.
var<workgroup> bytes: array<vec4u, 256>;

fn isUsed(k: u32) -> bool {
  if (k == 0u) { return true; }
  if (k == 1u) { return CONNECTIVITY != 4u && CONNECTIVITY != 8u; }
  return CONNECTIVITY >= 18u;
}

fn isWidened(k: u32) -> bool {
  if (k < 2u) { return CONNECTIVITY == 8u || CONNECTIVITY >= 18u; }
  return CONNECTIVITY == 26u;
}

// Rows from the earlier row k to the row itself.
fn rowsBack(k: u32) -> u32 {
  if (k == 0u) { return 1u; }
  return select(select(parameters.height - 1u, parameters.height + 1u, k == 2u), parameters.height, k == 1u);
}

fn isThere(k: u32, y: u32, z: u32) -> bool {
  if (k == 0u) { return y > 0u; }
  return z > 0u && (k != 2u || y > 0u) && (k != 3u || y + 1u < parameters.height);
}

fn value(at: u32) -> u32 {
  if (TYPE == 0u) { return byteAt(at); }
  return select(shortAt(at), shortAt(at) ^ 0x8000u, TYPE == 2u);
}

fn pixel(at: u32) -> vec4u {
  var v = vec4u(value(at), 0u, 0u, 0u);
  if (CHANNELS > 1u) {
    v.y = value(at + 1u);
    v.z = value(at + 2u);
  }
  if (CHANNELS > 3u) { v.w = value(at + 3u); }
  return v;
}

// Four bytes from any place on. Bytes past the binding's last word are of no use, but must not be read.
fn four(at: u32) -> u32 {
  let last = arrayLength(&pixels) - 1u;
  let low = pixels[min(at >> 2u, last)];
  let shift = (at & 3u) * 8u;
  if (shift == 0u) { return low; }
  return (low >> shift) | (pixels[min((at >> 2u) + 1u, last)] << (32u - shift));
}

// One bit per byte in which two pairs of words are equal. Adding 127 to seven bits sets the eighth unless they are 0:
//
//     x ^ y    00        05        80
//     + 7f     7f        84        7f      then or x ^ y: bit 7 is clear only in equal bytes
fn equalBytes(x: vec2u, y: vec2u) -> u32 {
  let d = x ^ y;
  let equal = ~(((d & vec2u(0x7f7f7f7fu)) + vec2u(0x7f7f7f7fu)) | d) & vec2u(0x80808080u);
  // Bits 7, 15, 23 and 31 to bits 0 to 3; the products of other pairs of bits fall elsewhere.
  let four = ((equal >> vec2u(7u)) * 0x10204080u) >> vec2u(28u);
  return four.x | (four.y << 4u);
}

fn nearFour(x: u32, y: u32) -> u32 {
  let d = abs(vec4i(unpack4xU8(x)) - vec4i(unpack4xU8(y)));
  return dot(select(vec4u(), BYTES4, d <= vec4i(i32(parameters.tolerance))), vec4u(1u));
}

fn nearBytes(x: vec2u, y: vec2u) -> u32 {
  if (EXACT) { return equalBytes(x, y); }
  return nearFour(x.x, y.x) | (nearFour(x.y, y.y) << 4u);
}

fn isNear(a: vec4u, b: vec4u) -> bool {
  return all(abs(vec4i(a) - vec4i(b)) <= vec4i(i32(min(parameters.tolerance, 65535u))));
}

fn ground() -> vec4u {
  return vec4u(parameters.ground0, parameters.ground1, parameters.ground2, parameters.ground3);
}

// The second background: missing channels are 0 in every pixel.
fn exception() -> vec4u {
  return select(vec4u(), vec4u(parameters.except), vec4u(0u, 1u, 2u, 3u) < vec4u(CHANNELS));
}

fn isGround(v: vec4u) -> bool {
  return ((parameters.grounds & 1u) != 0u && all(v == ground())) || ((parameters.grounds & 2u) != 0u && all(v == exception()));
}

fn groundBytes(v: vec2u) -> u32 {
  var found = 0u;
  if ((parameters.grounds & 1u) != 0u) { found = equalBytes(v, vec2u(parameters.ground0 * 0x01010101u)); }
  if ((parameters.grounds & 2u) != 0u) { found |= equalBytes(v, vec2u(parameters.except * 0x01010101u)); }
  return found;
}

// The foreground among up to eight pixels from pixel `at` on, of which bytes are given.
fn foregroundOf(at: u32, count: u32, own: vec2u) -> u32 {
  if (TYPE == 0u && CHANNELS == 1u) { return ~groundBytes(own); }
  var found = 0u;
  for (var i = 0u; i < count; i++) {
    if (!isGround(pixel(parameters.first + (at + i) * CHANNELS))) { found |= 1u << i; }
  }
  return found;
}

// Eight bytes from any place on, the byte before and the byte after. There is none before the first pixel of all, and none is linked to
// what is read in its place.
struct Octet {
  before: u32,
  own: vec2u,
  after: u32,
}

fn octetAt(at: u32) -> Octet {
  if (ALIGNED) {
    let word = at >> 2u;
    let last = arrayLength(&pixels) - 1u;
    let second = min(word + 1u, last);
    let before = pixels[select(word - 1u, 0u, word == 0u)] >> 24u;
    return Octet(before, vec2u(pixels[word], pixels[second]), pixels[min(word + 2u, last)] << 24u);
  }
  return Octet(byteAt(select(at - 1u, 0u, at == 0u)), vec2u(four(at), four(at + 4u)), four(at + 8u) << 24u);
}

// The bytes one place further left, and one further right.
fn leftOf(o: Octet) -> vec2u {
  return vec2u((o.own.x << 8u) | o.before, (o.own.y << 8u) | (o.own.x >> 24u));
}

fn rightOf(o: Octet) -> vec2u {
  return vec2u((o.own.x >> 8u) | (o.own.y << 24u), (o.own.y >> 8u) | o.after);
}

fn bytesMatch(v: vec2u, w: vec2u, there: u32) -> u32 {
  var near = nearBytes(v, w) & there;
  if (!EXACT) { near &= ~groundBytes(w); }
  return near;
}

// Which of the pixels from `at` on match those from `other` on. Only pixels of `there` have one, and are read.
fn matches(at: u32, other: u32, there: u32) -> u32 {
  var found = 0u;
  for (var rest = there; rest != 0u; rest &= rest - 1u) {
    let i = countTrailingZeros(rest);
    let w = pixel(parameters.first + (other + i) * CHANNELS);
    if (isNear(pixel(parameters.first + (at + i) * CHANNELS), w) && !isGround(w)) { found |= 1u << i; }
  }
  return found;
}

// Matches with the pixels of an earlier row: of the same column, and if it is widened of those on the left and right.
fn rowMatches(at: u32, own: vec2u, other: u32, there: u32, notFirst: u32, notLast: u32, widened: bool) -> vec3u {
  if (there == 0u) { return vec3u(); }
  if (TYPE == 0u && CHANNELS == 1u) {
    let octet = octetAt(parameters.first + other);
    var found = vec3u(bytesMatch(own, octet.own, there), 0u, 0u);
    if (widened) {
      found.y = bytesMatch(own, leftOf(octet), there & notFirst);
      found.z = bytesMatch(own, rightOf(octet), there & notLast);
    }
    return found;
  }
  var found = vec3u(matches(at, other, there), 0u, 0u);
  if (widened) {
    found.y = matches(at, other - 1u, there & notFirst);
    found.z = matches(at, other + 1u, there & notLast);
  }
  return found;
}

@compute @workgroup_size(256)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) t: u32,
) {
  let block = group.y * groups.x + group.x;
  let octet = block * 256u + t;
  let row = octet / (parameters.words * 4u);
  let x = (octet % (parameters.words * 4u)) * 8u;
  // Plane p has byte p % 4 of component p / 4.
  var found = vec4u();
  var planes = 2u;
  if (row < parameters.rows && x < parameters.width) {
    let count = min(8u, parameters.width - x);
    let at = row * parameters.width + x;
    let y = row % parameters.height;
    let z = row / parameters.height;
    let inside = (1u << count) - 1u;
    var own = Octet();
    if (TYPE == 0u && CHANNELS == 1u) { own = octetAt(parameters.first + at); }
    let foreground = foregroundOf(at, count, own.own) & inside;
    let notFirst = select(255u, 254u, x == 0u);
    let notLast = inside >> select(0u, 1u, x + count == parameters.width);
    let there = foreground & notFirst;
    var left: u32;
    if (TYPE == 0u && CHANNELS == 1u) {
      left = bytesMatch(own.own, leftOf(own), there);
    } else {
      left = matches(at, at - 1u, there);
    }
    found.x = foreground | (left << 8u);
    for (var k = 0u; k < 4u; k++) {
      if (!isUsed(k)) { continue; }
      let earlier = select(0u, foreground, isThere(k, y, z));
      let other = at - rowsBack(k) * parameters.width;
      let matched = rowMatches(at, own.own, other, earlier, notFirst, notLast, isWidened(k));
      found[planes >> 2u] |= matched.x << ((planes & 3u) * 8u);
      planes++;
      if (!isWidened(k)) { continue; }
      found[planes >> 2u] |= matched.y << ((planes & 3u) * 8u);
      planes++;
      found[planes >> 2u] |= matched.z << ((planes & 3u) * 8u);
      planes++;
    }
  }
  bytes[t] = found;
  // All pixels of the workgroup's 64 words are tested.
  workgroupBarrier();
  planes = 2u;
  for (var k = 0u; k < 4u; k++) {
    if (isUsed(k)) { planes += select(1u, 3u, isWidened(k)); }
  }
  for (var i = t; i < planes * 64u; i += 256u) {
    let plane = i >> 6u;
    let word = i & 63u;
    let at = block * 64u + word;
    if (at >= parameters.total) { continue; }
    var whole = 0u;
    for (var j = 0u; j < 4u; j++) {
      whole |= ((bytes[word * 4u + j][plane >> 2u] >> ((plane & 3u) * 8u)) & 255u) << (j * 8u);
    }
    links[plane * parameters.total + at] = whole;
  }
}
