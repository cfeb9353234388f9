// Dilates bits by a ball of at most 32 pixels to each side, one word per thread; with INVERT it erodes them, by
// dilating the background. The rows of the ball are sorted by width, the widest first. A word and its two neighbours take
// the bits of the first row, grow by the difference of its width and the second row's, take the bits of that row, and so on:
//
//     radius 2 (widths 2, 1, 1, 0, 0)   row 0; grow by 1; rows -1, 1; grow by 1; rows -2, 2
//
// In this way each row grows by its own width, at the price of growing once by the largest.

struct Parameters {
  width: u32,
  words: u32,        // per row
  total: u32,        // words of the planes
  height: u32,       // rows of a slice
  depth: u32,
  rows: u32,         // rows of the ball
  last: u32,         // pixels to grow by after the last row
}

@group(0) @binding(0) var<uniform> parameters: Parameters;
// Row r of the planes is row r + 1 of these bits.
@group(0) @binding(1) var<storage, read> bits: array<u32>;
// Per row of the ball: y, z, pixels to grow by before it, unused.
@group(0) @binding(2) var<storage, read> ball: array<vec4i>;
@group(0) @binding(3) var<storage, read_write> result: array<u32>;

override INVERT: bool = false;
// Whether pixels beyond the border are grown, too.
override OUTSIDE: bool = false;

// The word before, the word itself and the word behind, of a row that begins at `row`.
fn around(row: u32, column: u32) -> vec3u {
  let beyond = select(0u, 0xffffffffu, OUTSIDE);
  var found = vec3u(beyond, bits[row + column], beyond);
  let isLast = column + 1u == parameters.words;
  if (column > 0u) { found.x = bits[row + column - 1u]; }
  if (!isLast) { found.z = bits[row + column + 1u]; }
  if (INVERT) {
    found.y = ~found.y;
    if (column > 0u) { found.x = ~found.x; }
    if (!isLast) { found.z = ~found.z; }
    // Past the last pixel lies only background with OUTSIDE, and none without.
    let tail = parameters.width & 31u;
    if (tail != 0u) {
      let mask = (1u << tail) - 1u;
      let edge = select(0u, 0xffffffffu, OUTSIDE) & ~mask;
      if (isLast) { found.y = (found.y & mask) | edge; }
      if (column + 2u == parameters.words) { found.z = (found.z & mask) | edge; }
    }
  }
  return found;
}

// Spreads each bit of three words over `reach` bits to each side. A bit that has spread over k bits to each side leaves no
// gap when it is shifted by up to 2 k + 1.
fn spread(given: vec3u, reach: u32) -> vec3u {
  var word = given;
  var done = 0u;
  while (done < reach) {
    // 1 to 31, so that both shifts are by less than 32.
    let s = min(2u * done + 1u, reach - done);
    let t = 32u - s;
    word |= vec3u(word.x << s, (word.y << s) | (word.x >> t), (word.z << s) | (word.y >> t)) |
      vec3u((word.x >> s) | (word.y << t), (word.y >> s) | (word.z << t), word.z >> s);
    done += s;
  }
  return word;
}

@compute @workgroup_size(256)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) local: u32,
) {
  let index = (group.y * groups.x + group.x) * 256u + local;
  if (index >= parameters.total) { return; }
  let line = index / parameters.words;
  let column = index % parameters.words;
  let y = i32(line % parameters.height);
  let z = i32(line / parameters.height);
  var word = vec3u(0u);
  for (var i = 0u; i < parameters.rows; i++) {
    let row = ball[i];
    word = spread(word, u32(row.z));
    let ry = y + row.x;
    let rz = z + row.y;
    if (ry >= 0 && ry < i32(parameters.height) && rz >= 0 && rz < i32(parameters.depth)) {
      word |= around((u32(rz) * parameters.height + u32(ry) + 1u) * parameters.words, column);
    } else if (OUTSIDE) {
      word = vec3u(0xffffffffu);
    }
  }
  var found = spread(word, parameters.last).y;
  if (INVERT) { found = ~found; }
  let tail = parameters.width & 31u;
  if (column + 1u == parameters.words && tail != 0u) { found &= (1u << tail) - 1u; }
  // Row r of the planes is row r + 1 of the result.
  result[index + parameters.words] = found;
}
