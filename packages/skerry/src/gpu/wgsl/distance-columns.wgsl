// Distances along columns: the lower envelope of the costs that the axes before left, for two columns and 128 positions per
// thread, or 32. The two lie 32 pixels apart, so that threads side by side read and write words side by side. The site that
// is cheapest for a position never lies before that of an earlier position, so what distance-search.wgsl found for the
// first position of each stretch bounds the search of those between: three of them in one look at the sites in between,
// three between each two of those, and then eight at a time. A cost is a whole number, or the bits of a float, which
// compare alike; floats that hold whole numbers below 2^24 are exact, and faster than integers.

struct Parameters {
  columns: u32,      // pairs of columns of a plane
  planes: u32,
  plane: u32,        // pairs from plane to plane
  stride: u32,       // pairs from one position to the next
  sites: u32,        // positions
  weight: u32,       // the size of a step, or its bits
  limit: u32,        // the largest cost that counts, or its bits
  reach: u32,        // the most steps that cost so much
  width: u32,        // pixels per row of the image
  pitch: u32,        // pairs per row
  height: u32,       // rows per slice
  stepX: u32,        // the size of a step along a row, or its bits
  unit: u32,         // bits of what one is worth
  far: u32,          // bits of what stands for nothing in reach
  stops: u32,        // positions that were searched
}

// 0: steps along rows; 1: costs; 2: costs of 16 bits.
override INPUT: u32 = 0u;
// 0: costs; 1: costs of 16 bits; 2: distances; 3: squared distances.
override OUTPUT: u32 = 0u;
override FLOAT: bool = false;
// 0 Euclidean, 1 city block, 2 chessboard.
override METRIC: u32 = 0u;
override NEAREST: bool = false;
// Subtracts from what is there.
override MINUS: bool = false;
@group(0) @binding(0) var<uniform> parameters: Parameters;
@group(0) @binding(1) var<storage, read> costs: array<u32>;
@group(0) @binding(2) var<storage, read_write> result: array<u32>;
@group(0) @binding(3) var<storage, read> features: array<u32>;
@group(0) @binding(4) var<storage, read_write> nearest: array<u32>;
@group(0) @binding(5) var<storage, read> found: array<u32>;

// Positions of a thread: 128, or 32 where sites in reach are few.
override STRETCH: u32 = 128u;

// Of the thread's columns: where the first position's pair lies, its first pixel, and where that lies in tight rows.
var<private> base: u32;
var<private> pixel: u32;
var<private> place0: u32;

fn infinity() -> u32 {
  return select(0x3fffffffu, 0x7f800000u, FLOAT);
}

// What some steps of a weight cost.
fn costOf(steps: i32, weight: u32) -> u32 {
  if (FLOAT) {
    let s = abs(f32(steps)) * bitcast<f32>(weight);
    return bitcast<u32>(select(s, s * s, METRIC == 0u));
  }
  let s = u32(abs(steps)) * weight;
  return select(s, s * s, METRIC == 0u);
}

// What 0, 1, 2 and 3 steps more than `first` along the line cost.
fn costOf4(first: i32) -> vec4u {
  if (FLOAT) {
    let s = abs(f32(first) + vec4f(0.0, 1.0, 2.0, 3.0)) * bitcast<f32>(parameters.weight);
    return bitcast<vec4u>(select(s, s * s, METRIC == 0u));
  }
  let s = vec4u(abs(first + vec4i(0, 1, 2, 3))) * parameters.weight;
  return select(s, s * s, METRIC == 0u);
}

fn join(cost: vec2u, step: u32) -> vec2u {
  if (METRIC == 2u) { return max(cost, vec2u(step)); }
  if (FLOAT) { return bitcast<vec2u>(bitcast<vec2f>(cost) + bitcast<f32>(step)); }
  return cost + step;
}

fn join4(cost: u32, step: vec4u) -> vec4u {
  if (METRIC == 2u) { return max(vec4u(cost), step); }
  if (FLOAT) { return bitcast<vec4u>(bitcast<f32>(cost) + bitcast<vec4f>(step)); }
  return cost + step;
}

// Steps along a row, or a cost of 16 bits, as a cost.
fn unpacked(value: u32) -> u32 {
  if (INPUT == 0u) { return select(costOf(i32(value & 0x7fffu), parameters.stepX), infinity(), value == 0xffffu); }
  return select(select(value, bitcast<u32>(f32(value)), FLOAT), infinity(), value == 0xffffu);
}

// Where the first column's cost lies, of costs of four bytes; the other one's is 32 further.
fn first4(pair: u32) -> u32 {
  return pair + (pair & ~31u);
}

// The costs of a site in both columns.
fn siteAt(pair: u32) -> vec2u {
  if (INPUT == 1u) {
    let at = first4(pair);
    return vec2u(costs[at], costs[at + 32u]);
  }
  let two = costs[pair];
  return vec2u(unpacked(two & 0xffffu), unpacked(two >> 16u));
}

// Where the nearest site of a column lies, once it is known at which position.
fn featureAt(position: u32, c: u32, x: u32) -> u32 {
  let pair = base + position * parameters.stride;
  if (INPUT != 0u) { return features[first4(pair) + 32u * c] + position * parameters.height * parameters.width; }
  let steps = (costs[pair] >> (16u * c)) & 0xffffu;
  let away = steps & 0x7fffu;
  return position * parameters.width + select(x - away, x + away, (steps & 0x8000u) != 0u);
}

struct Search {
  best: vec2u,
  place: vec2u,
}

fn keepPixel(to: u32, value: u32) {
  if (MINUS) {
    result[to] = bitcast<u32>(bitcast<f32>(result[to]) - bitcast<f32>(value));
  } else {
    result[to] = value;
  }
}

fn keep(position: u32, cost: vec2u, places: vec2u) {
  if (position >= parameters.sites) { return; }
  let pair = base + position * parameters.stride;
  let to = position * parameters.height * parameters.width + place0;
  let cheapest = min(cost, vec2u(infinity()));
  let beyond = cheapest > vec2u(parameters.limit);
  let second = pixel + 32u < parameters.width;
  if (NEAREST) {
    let site = select(featureAt(places.x, 0u, pixel), 0xffffffffu, beyond.x);
    let other = select(featureAt(places.y, 1u, pixel + 32u), 0xffffffffu, beyond.y);
    let at = select(to, first4(pair), OUTPUT < 2u);
    if (pixel < parameters.width) { nearest[at] = site; }
    if (second) { nearest[at + 32u] = other; }
  }
  if (OUTPUT == 0u) {
    let kept = select(cheapest, vec2u(infinity()), beyond);
    let at = first4(pair);
    result[at] = kept.x;
    result[at + 32u] = kept.y;
    return;
  }
  let whole = select(cheapest, vec2u(bitcast<vec2f>(cheapest)), FLOAT);
  if (OUTPUT == 1u) {
    let kept = select(whole, vec2u(0xffffu), beyond);
    result[pair] = kept.x | (kept.y << 16u);
    return;
  }
  var values = select(whole, vec2u(0xffffffffu), beyond);
  if (OUTPUT == 2u) {
    let length = select(vec2f(cheapest), bitcast<vec2f>(cheapest), FLOAT);
    let scaled = select(length, sqrt(length), METRIC == 0u) * bitcast<f32>(parameters.unit);
    values = select(bitcast<vec2u>(scaled), vec2u(parameters.far), beyond);
  }
  if (pixel < parameters.width) { keepPixel(to, values.x); }
  if (second) { keepPixel(to + 32u, values.y); }
}

// What eight positions have found, four and four, in both columns.
struct Eight {
  left: vec4u,
  leftBehind: vec4u,
  right: vec4u,
  rightBehind: vec4u,
  leftPlace: vec4u,
  leftPlaceBehind: vec4u,
  rightPlace: vec4u,
  rightPlaceBehind: vec4u,
}

fn eightOf(so: Eight, site: vec2u, i: u32, start: u32) -> Eight {
  let near = costOf4(i32(start) + 1 - i32(i));
  let behind = costOf4(i32(start) + 5 - i32(i));
  let one = join4(site.x, near);
  let two = join4(site.x, behind);
  let three = join4(site.y, near);
  let four = join4(site.y, behind);
  var made = so;
  if (NEAREST) {
    made.leftPlace = select(so.leftPlace, vec4u(i), one < so.left);
    made.leftPlaceBehind = select(so.leftPlaceBehind, vec4u(i), two < so.leftBehind);
    made.rightPlace = select(so.rightPlace, vec4u(i), three < so.right);
    made.rightPlaceBehind = select(so.rightPlaceBehind, vec4u(i), four < so.rightBehind);
  }
  made.left = min(so.left, one);
  made.leftBehind = min(so.leftBehind, two);
  made.right = min(so.right, three);
  made.rightBehind = min(so.rightBehind, four);
  return made;
}

// The eight positions after `start`, whose sites lie in [a, b].
fn eight(start: u32, a: u32, b: u32) {
  let none = vec4u(0xffffffffu);
  let zero = vec4u(0u);
  var so = Eight(none, none, none, none, zero, zero, zero, zero);
  let stride = parameters.stride;
  for (var i = a; i <= b; i += 4u) {
    // Past the end the last site comes again, which changes nothing.
    let i1 = min(i + 1u, b);
    let i2 = min(i + 2u, b);
    let i3 = min(i + 3u, b);
    let site0 = siteAt(base + i * stride);
    let site1 = siteAt(base + i1 * stride);
    let site2 = siteAt(base + i2 * stride);
    let site3 = siteAt(base + i3 * stride);
    so = eightOf(so, site0, i, start);
    so = eightOf(so, site1, i1, start);
    so = eightOf(so, site2, i2, start);
    so = eightOf(so, site3, i3, start);
  }
  keep(start + 1u, vec2u(so.left.x, so.right.x), vec2u(so.leftPlace.x, so.rightPlace.x));
  keep(start + 2u, vec2u(so.left.y, so.right.y), vec2u(so.leftPlace.y, so.rightPlace.y));
  keep(start + 3u, vec2u(so.left.z, so.right.z), vec2u(so.leftPlace.z, so.rightPlace.z));
  keep(start + 4u, vec2u(so.left.w, so.right.w), vec2u(so.leftPlace.w, so.rightPlace.w));
  keep(start + 5u, vec2u(so.leftBehind.x, so.rightBehind.x), vec2u(so.leftPlaceBehind.x, so.rightPlaceBehind.x));
  keep(start + 6u, vec2u(so.leftBehind.y, so.rightBehind.y), vec2u(so.leftPlaceBehind.y, so.rightPlaceBehind.y));
  keep(start + 7u, vec2u(so.leftBehind.z, so.rightBehind.z), vec2u(so.leftPlaceBehind.z, so.rightPlaceBehind.z));
  keep(start + 8u, vec2u(so.leftBehind.w, so.rightBehind.w), vec2u(so.leftPlaceBehind.w, so.rightPlaceBehind.w));
}

// Both places that were found for a stop.
fn foundAt(plane: u32, stop: u32, column: u32) -> vec2u {
  let two = found[(plane * parameters.stops + stop) * parameters.columns + column];
  return vec2u(two & 0xffffu, two >> 16u);
}

@compute @workgroup_size(128)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) local: u32,
) {
  let last = parameters.sites - 1u;
  let stretches = max(parameters.stops, 2u) - 1u;
  let index = (group.y * groups.x + group.x) * 128u + local;
  let column = index % parameters.columns;
  let stretch = index / parameters.columns % stretches;
  let plane = index / parameters.columns / stretches;
  if (plane >= parameters.planes) { return; }
  let first = stretch * STRETCH;
  base = plane * parameters.plane + column;
  pixel = first4(column % parameters.pitch);
  place0 = column / parameters.pitch * parameters.width + pixel;
  let reach = parameters.reach;
  let start = foundAt(plane, stretch, column);
  let none = start == vec2u(0xffffu);
  if (first == 0u) {
    let place = select(start, vec2u(0u), none);
    let left = join(siteAt(base + place.x * parameters.stride), costOf(i32(place.x), parameters.weight)).x;
    let right = join(siteAt(base + place.y * parameters.stride), costOf(i32(place.y), parameters.weight)).y;
    keep(0u, select(vec2u(left, right), vec2u(infinity()), none), place);
  }
  if (first >= last) { return; }
  let other = min(first + STRETCH, last);
  let stop = foundAt(plane, stretch + 1u, column);
  // Where nothing is in reach, the next positions' sites lie beyond that, and those of earlier ones before it.
  let ahead = select(start, vec2u(first + reach + 1u), none);
  let before = select(stop, vec2u(max(other, reach + 1u) - reach - 1u), stop == vec2u(0xffffu));
  let low = min(ahead.x, ahead.y);
  let high = min(max(before.x, before.y), last);

  if (STRETCH == 32u) {
    quarter(first, low, high);
    return;
  }
  let quarters = threeBetween(first, 32u, low, high);
  for (var q = 0u; q < 4u && first + 32u * q < last; q++) {
    let range = rangeOf(quarters, q, low, high);
    quarter(first + 32u * q, range.x, range.y);
  }
}

// The 32 positions after `start`, whose sites lie in [low, high].
fn quarter(start: u32, low: u32, high: u32) {
  let eighths = threeBetween(start, 8u, low, high);
  for (var k = 0u; k < 4u && start + 8u * k + 1u < parameters.sites; k++) {
    let range = rangeOf(eighths, k, low, high);
    eight(start + 8u * k, range.x, range.y);
  }
}

struct Three {
  one: vec2u,
  two: vec2u,
  three: vec2u,
  nothing: bool,
}

// What three positions have found.
struct Three3 {
  one: Search,
  two: Search,
  three: Search,
}

fn cheaper(so: Search, cost: vec2u, i: u32) -> Search {
  return Search(min(so.best, cost), select(so.place, vec2u(i), cost < so.best));
}

fn three3Of(so: Three3, site: vec2u, i: u32, start: u32, step: u32) -> Three3 {
  let away = costOf3(i32(start) - i32(i), i32(step));
  return Three3(
    cheaper(so.one, join(site, away.x), i),
    cheaper(so.two, join(site, away.y), i),
    cheaper(so.three, join(site, away.z), i),
  );
}

// The sites of the positions 1, 2 and 3 times `step` after `start`, which lie in [low, high].
fn threeBetween(start: u32, step: u32, low: u32, high: u32) -> Three {
  let most = Search(vec2u(0xffffffffu), vec2u(low));
  var so = Three3(most, most, most);
  let stride = parameters.stride;
  for (var i = low; i <= high; i += 4u) {
    // Past the end the last site comes again, which changes nothing.
    let i1 = min(i + 1u, high);
    let i2 = min(i + 2u, high);
    let i3 = min(i + 3u, high);
    let site0 = siteAt(base + i * stride);
    let site1 = siteAt(base + i1 * stride);
    let site2 = siteAt(base + i2 * stride);
    let site3 = siteAt(base + i3 * stride);
    so = three3Of(so, site0, i, start, step);
    so = three3Of(so, site1, i1, start, step);
    so = three3Of(so, site2, i2, start, step);
    so = three3Of(so, site3, i3, start, step);
  }
  let one = so.one;
  let two = so.two;
  let three = so.three;
  // A column without any site has its places from the other one; without either, there is nothing to be searched.
  let none = one.best >= vec2u(infinity());
  return Three(
    select(one.place, one.place.yx, none),
    select(two.place, two.place.yx, none),
    select(three.place, three.place.yx, none),
    all(none),
  );
}

// Where the sites of part k of four lie, in both columns.
fn rangeOf(stops: Three, k: u32, low: u32, high: u32) -> vec2u {
  if (stops.nothing) { return vec2u(1u, 0u); }
  let a = select(stops.three, select(stops.two, stops.one, k == 1u), k < 3u);
  let b = select(stops.three, select(stops.two, stops.one, k == 0u), k < 2u);
  return vec2u(select(min(a.x, a.y), low, k == 0u), select(min(high, max(b.x, b.y)), high, k == 3u));
}

// What 1, 2 and 3 times `step` more than `first` along the line cost.
fn costOf3(first: i32, step: i32) -> vec3u {
  if (FLOAT) {
    let s = abs(f32(first) + f32(step) * vec3f(1.0, 2.0, 3.0)) * bitcast<f32>(parameters.weight);
    return bitcast<vec3u>(select(s, s * s, METRIC == 0u));
  }
  let s = vec3u(abs(first + step * vec3i(1, 2, 3))) * parameters.weight;
  return select(s, s * s, METRIC == 0u);
}
