// Turns the records of objects into the columns that the host gives to its callers: areas, boxes, and centroids as 64-bit floats. The
// host copies whole columns, where decoding records took it ten times as long as the copy.
//
// A centroid is sum / area, rounded once as a division of 64-bit floats is. WGSL has none, so it is a long division of integers:
//
//     7 / 3, with 4 bits kept:   10.0101...   bits 1001 behind the first one   rest > 0
//                                ^ first one  the next bit is 0: 1.001 * 2^1 stays; 1 would round up, or to even without a rest

struct Parameters {
  count: u32,        // records
  axes: u32,         // 2, or 3 for solids
}

@group(0) @binding(0) var<uniform> parameters: Parameters;
// Per object: area, ~first of each axis, last of each axis, sum of each axis (low, high).
@group(0) @binding(1) var<storage, read> records: array<u32>;
// Areas of all objects, then their boxes, then from an even word on their centroids (low, high).
@group(0) @binding(2) var<storage, read_write> columns: array<u32>;

// The bits of a float of 64 bits: sum / area, rounded to nearest, ties to even. The quotient is below 2^32, the area not 0.
fn quotient(sum: vec2u, area: u32) -> vec2u {
  if (sum.x == 0u && sum.y == 0u) { return vec2u(); }
  var rest = 0u;
  // Bits of the quotient from the first one on, and how many.
  var found = vec2u();
  var bits = 0u;
  // The value of the first one is 2^exponent.
  var exponent = 0;
  // The 53 bits of a float, and one for rounding.
  let top = select(i32(firstLeadingBit(sum.x)), 32 + i32(firstLeadingBit(sum.y)), sum.y != 0u);
  for (var place = top; bits < 54u; place--) {
    var next = 0u;
    if (place >= 32) { next = (sum.y >> u32(place - 32)) & 1u; } else if (place >= 0) { next = (sum.x >> u32(place)) & 1u; }
    // The rest is below the area, and twice the rest may take 33 bits; the difference fits 32 again.
    let over = (rest >> 31u) != 0u;
    rest = (rest << 1u) | next;
    let one = over || rest >= area;
    if (one) { rest -= area; }
    if (bits == 0u) {
      if (!one) { continue; }
      exponent = place;
    }
    found = vec2u((found.x << 1u) | select(0u, 1u, one), (found.y << 1u) | (found.x >> 31u));
    bits++;
  }
  // The quotient has at most 32 places before the point, so all bits of the sum were brought down.
  let half = (found.x & 1u) != 0u;
  found = vec2u((found.x >> 1u) | (found.y << 31u), found.y >> 1u);
  if (half && (rest != 0u || (found.x & 1u) != 0u)) {
    found.x++;
    if (found.x == 0u) { found.y++; }
  }
  // The first one is implied; a carry out of the fraction raises the exponent, as it should.
  return vec2u(found.x, found.y + (u32(exponent + 1022) << 20u));
}

@compute @workgroup_size(256)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) t: u32,
) {
  let i = (group.y * groups.x + group.x) * 256u + t;
  if (i >= parameters.count) { return; }
  let axes = parameters.axes;
  let at = i * (1u + 4u * axes);
  let area = records[at];
  columns[i] = area;
  let box = parameters.count + i * 2u * axes;
  let pairs = parameters.count * (1u + 2u * axes);
  let centroid = pairs + (pairs & 1u) + i * 2u * axes;
  for (var axis = 0u; axis < axes; axis++) {
    columns[box + axis] = ~records[at + 1u + axis];
    columns[box + axes + axis] = records[at + 1u + axes + axis];
    let sum = at + 1u + 2u * axes + 2u * axis;
    let mean = quotient(vec2u(records[sum], records[sum + 1u]), area);
    columns[centroid + 2u * axis] = mean.x;
    columns[centroid + 2u * axis + 1u] = mean.y;
  }
}
