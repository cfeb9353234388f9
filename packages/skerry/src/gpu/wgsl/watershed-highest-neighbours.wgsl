// Finds the pixel that each pixel leads to: its highest neighbour, if that is higher, or as high and earlier. At equal
// heights the first in raster order wins. A pixel that leads to itself is a peak. See cpu/assembly/watershed.ts for the
// definition. A workgroup takes a tile of 32 x 32 pixels of a slice and shortens the paths inside the tile, so that a path of
// a hundred pixels becomes one of a few tiles.

struct Parameters {
  width: u32,
  height: u32,       // rows of a slice
  depth: u32,
  words: u32,        // words of marks per row
  tileColumns: u32,
  tileLines: u32,    // of a slice
}

@group(0) @binding(0) var<uniform> parameters: Parameters;
// Squared distances to the background, whose pixels are 0.
@group(0) @binding(1) var<storage, read> heights: array<u32>;
// Per pixel the index of a pixel that it leads to, all ones for background.
@group(0) @binding(2) var<storage, read_write> leads: array<u32>;
// One bit per pixel, set for peaks.
@group(0) @binding(3) var<storage, read_write> marks: array<u32>;

// include lib/around.wgsl

const NONE = 0xffffffffu;

// Paths of up to 2^6 pixels inside a tile are followed to their end. watershed-name.wgsl follows the rest.
const ROUNDS = 6u;

// Per pixel of the tile: the pixel of the tile that it leads to, or itself if its path leaves the tile or ends.
var<workgroup> next: array<u32, 1024>;
// Per pixel of the tile: the index in the image that it leads to.
var<workgroup> outward: array<u32, 1024>;
var<workgroup> peaks: array<atomic<u32>, 32>;

// In an image, the heights of the tile and of one pixel around it; 0 beyond the border. Heights of a volume are not copied.
const SIDE = 34u;
var<workgroup> tile: array<u32, 1156>;

// The step to the highest of a pixel and its neighbours; of equal ones the first in raster order. Background (0) is lower.
fn highest(i: u32, at: vec3i, place: u32) -> vec3i {
  let center = (i / 32u + 1u) * SIDE + i % 32u + 1u;
  var most = 0u;
  var best = vec3i(0);
  for (var z = -REACH_Z; z <= REACH_Z; z++) {
    for (var y = -1; y <= 1; y++) {
      for (var x = -1; x <= 1; x++) {
        if (!joins(x, y, z) && (x != 0 || y != 0 || z != 0)) { continue; }
        var value = 0u;
        if (REACH_Z == 0) {
          value = tile[i32(center) + y * i32(SIDE) + x];
        } else if (isInside(at + vec3i(x, y, z))) {
          value = heights[stepFrom(place, x, y, z)];
        }
        if (value > most) {
          most = value;
          best = vec3i(x, y, z);
        }
      }
    }
  }
  return best;
}

@compute @workgroup_size(256)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) local: u32,
) {
  let number = group.y * groups.x + group.x;
  let column = number % parameters.tileColumns;
  let line = number / parameters.tileColumns;
  let z = line / parameters.tileLines;
  let corner = vec3i(vec3u(column * 32u, line % parameters.tileLines * 32u, z));
  if (REACH_Z == 0) {
    for (var i = local; i < SIDE * SIDE; i += 256u) {
      let at = corner + vec3i(i32(i % SIDE) - 1, i32(i / SIDE) - 1, 0);
      var height = 0u;
      if (isInside(at)) { height = heights[placeOf(at)]; }
      tile[i] = height;
    }
    // Every thread reads heights that other threads stored.
    workgroupBarrier();
  }
  for (var i = local; i < 1024u; i += 256u) {
    let at = corner + vec3i(vec2i(vec2u(i % 32u, i / 32u)), 0);
    next[i] = i;
    outward[i] = NONE;
    if (isInside(at)) {
      let place = placeOf(at);
      if (heights[place] > 0u) {
        let step = highest(i, at, place);
        let inside = vec2i(vec2u(i % 32u, i / 32u)) + step.xy;
        outward[i] = stepFrom(place, step.x, step.y, step.z);
        if (all(step == vec3i(0))) {
          atomicOr(&peaks[i / 32u], 1u << (i % 32u));
        } else if (step.z == 0 && all(inside >= vec2i(0)) && all(inside < vec2i(32))) {
          next[i] = u32(inside.y * 32 + inside.x);
        }
      }
    }
  }
  for (var round = 0u; round < ROUNDS; round++) {
    // All links are read before any is replaced, and replaced before any is read again.
    workgroupBarrier();
    var ahead: array<u32, 4>;
    for (var k = 0u; k < 4u; k++) { ahead[k] = next[next[local + k * 256u]]; }
    workgroupBarrier();
    for (var k = 0u; k < 4u; k++) { next[local + k * 256u] = ahead[k]; }
  }
  workgroupBarrier();
  for (var k = 0u; k < 4u; k++) {
    let i = local + k * 256u;
    let at = corner + vec3i(vec2i(vec2u(i % 32u, i / 32u)), 0);
    if (!isInside(at)) { continue; }
    leads[placeOf(at)] = outward[next[i]];
    if (i % 32u == 0u) {
      let row = u32(at.z) * parameters.height + u32(at.y);
      marks[row * parameters.words + column] = atomicLoad(&peaks[i / 32u]);
    }
  }
}
