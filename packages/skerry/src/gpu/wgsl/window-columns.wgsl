// Sums of u8 down the columns of windows, of 2 radius + 1 rows, mirrored at the borders; with SQUARES also those of their squares. A
// thread slides four columns down a stretch of rows. Two sums of 16 bits lie in a word: the row that enters is added and the one that
// leaves taken away in both at once, and since each sum ends within 16 bits, what one lends the other in between is given back.
// Example: 0x00010002 + 0x00030004 - 0x00010001 = 0x00030005.

struct Parameters {
  width: u32,
  height: u32,
  quads: u32,        // of four columns, in a row
  first: u32,        // index of the first value in the binding
  radius: u32,       // at most 128, with SQUARES 90
  top: u32,          // first row
  rows: u32,
  stretch: u32,      // rows of a thread
}

@group(0) @binding(0) var<uniform> parameters: Parameters;
@group(0) @binding(1) var<storage, read> pixels: array<u32>;
@group(0) @binding(2) var<storage, read_write> sums: array<vec2u>;
@group(0) @binding(3) var<storage, read_write> squares: array<vec4u>;

// include lib/mirrored.wgsl

override SQUARES: bool = false;

// Four pixels of a row, which may begin within a word. Those beyond the row are not used.
fn fourOf(row: i32, quad: u32) -> u32 {
  let at = parameters.first + u32(mirrored(row, i32(parameters.height))) * parameters.width + quad * 4u;
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

@compute @workgroup_size(256)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) t: u32,
) {
  let thread = (group.y * groups.x + group.x) * 256u + t;
  let quad = thread % parameters.quads;
  let begin = (thread / parameters.quads) * parameters.stretch;
  if (begin >= parameters.rows) { return; }
  let radius = i32(parameters.radius);
  let y0 = i32(parameters.top + begin);
  var even = 0u;
  var odd = 0u;
  var powers = vec4u(0u);
  for (var k = -radius; k <= radius; k++) {
    let four = fourOf(y0 + k, quad);
    even += four & 0x00ff00ffu;
    odd += (four >> 8u) & 0x00ff00ffu;
    if (SQUARES) { powers += squaresOf(four); }
  }
  let rows = min(parameters.stretch, parameters.rows - begin);
  for (var i = 0u; i < rows; i++) {
    let at = (begin + i) * parameters.quads + quad;
    sums[at] = vec2u((even & 0xffffu) | (odd << 16u), (even >> 16u) | (odd & 0xffff0000u));
    if (SQUARES) { squares[at] = powers; }
    let enters = fourOf(y0 + i32(i) + radius + 1, quad);
    let leaves = fourOf(y0 + i32(i) - radius, quad);
    even += (enters & 0x00ff00ffu) - (leaves & 0x00ff00ffu);
    odd += ((enters >> 8u) & 0x00ff00ffu) - ((leaves >> 8u) & 0x00ff00ffu);
    if (SQUARES) { powers += squaresOf(enters) - squaresOf(leaves); }
  }
}
