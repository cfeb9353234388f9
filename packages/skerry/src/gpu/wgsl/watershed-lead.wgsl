// Where each pixel leads: to its highest neighbour, of equally high ones to the first in raster order, if that is higher than
// the pixel (or as high and earlier). A pixel that leads to itself is a peak. See cpu/assembly/watershed.ts for the
// definition. A workgroup takes a tile of 32 x 32 pixels of a slice and follows the ways inside of it, so that a way of a
// hundred pixels becomes one of a few tiles.

struct Parameters {
  width: u32,
  height: u32,       // rows of a slice
  depth: u32,
  words: u32,        // words of marks per row
  tileColumns: u32,
  tileLines: u32,    // of a slice
}

@group(0) @binding(0) var<uniform> parameters: Parameters;
// Squared distances to the background, which is 0.
@group(0) @binding(1) var<storage, read> heights: array<u32>;
// Per pixel a place that it leads to, all ones for background.
@group(0) @binding(2) var<storage, read_write> leads: array<u32>;
// A bit per peak.
@group(0) @binding(3) var<storage, read_write> marks: array<u32>;

// include lib/around.wgsl

const NONE = 0xffffffffu;

// Ways of up to 2^6 pixels inside a tile are followed to their end; what is left, the next kernel follows.
const ROUNDS = 6u;

// Of a pixel of the tile: the pixel of it that it leads to, itself where its way leaves the tile or ends.
var<workgroup> next: array<u32, 1024>;
// Where it leads in the image.
var<workgroup> outward: array<u32, 1024>;
var<workgroup> peaks: array<atomic<u32>, 32>;

fn highest(at: vec3i, place: u32, own: u32) -> u32 {
  var most = own;
  var best = place;
  for (var z = -REACH_Z; z <= REACH_Z; z++) {
    for (var y = -1; y <= 1; y++) {
      for (var x = -1; x <= 1; x++) {
        if (!joins(x, y, z) || !isInside(at + vec3i(x, y, z))) { continue; }
        let beside = stepFrom(place, x, y, z);
        let value = heights[beside];
        // Background is lower than any pixel that is asked for.
        if (value > most || (value == most && beside < best)) {
          most = value;
          best = beside;
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
  let tile = group.y * groups.x + group.x;
  let column = tile % parameters.tileColumns;
  let line = tile / parameters.tileColumns;
  let z = line / parameters.tileLines;
  let corner = vec3i(vec3u(column * 32u, line % parameters.tileLines * 32u, z));
  let exists = z < parameters.depth;
  for (var i = local; i < 1024u; i += 256u) {
    let at = corner + vec3i(vec2i(vec2u(i % 32u, i / 32u)), 0);
    next[i] = i;
    outward[i] = NONE;
    if (exists && isInside(at)) {
      let place = placeOf(at);
      let own = heights[place];
      if (own > 0u) {
        let best = highest(at, place, own);
        outward[i] = best;
        let inside = positionOf(best) - corner;
        if (best == place) {
          atomicOr(&peaks[i / 32u], 1u << (i % 32u));
        } else if (inside.z == 0 && all(inside.xy >= vec2i(0)) && all(inside.xy < vec2i(32))) {
          next[i] = u32(inside.y * 32 + inside.x);
        }
      }
    }
  }
  for (var round = 0u; round < ROUNDS; round++) {
    // All pixels' ways are read before any is made longer, and the other way round.
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
    if (!exists || !isInside(at)) { continue; }
    leads[placeOf(at)] = outward[next[i]];
    if (i % 32u == 0u) {
      let row = u32(at.z) * parameters.height + u32(at.y);
      marks[row * parameters.words + column] = atomicLoad(&peaks[i / 32u]);
    }
  }
}
