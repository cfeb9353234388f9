// Distances along columns: the lower envelope of the costs of the earlier axes, for one column and 128 (or 32) positions
// per thread. A pair of columns lies 32 pixels apart, so that neighbouring threads read and write neighbouring words.
// The cheapest site of a position never lies before that of an earlier position. So the sites that distance-search.wgsl
// found for the first position of each stretch bound the search of the others. Three positions are searched in one pass
// over the sites between, then three between each two of them, and then eight at a time. A cost is an integer, or the
// bits of a float, which compare alike. Floats that hold integers below 2^24 are exact, and faster than integers. With them a
// site i steps behind a start costs a product and a sum per position j, if (j w)^2 is added to the least only:
//
//     c + ((i - j) w)^2 = (c + (i w)^2) - 2 j w (i w) + (j w)^2

struct Parameters {
  columns: u32,      // pairs of columns of a plane
  planes: u32,
  plane: u32,        // pairs from one plane to the next
  stride: u32,       // pairs from one position to the next
  sites: u32,        // positions
  weight: u32,       // the size of a step, or its bits as f32
  limit: u32,        // the largest cost that counts, or its bits as f32
  reach: u32,        // the most steps that cost at most `limit`
  width: u32,        // pixels per row of the image
  pitch: u32,        // pairs per row
  height: u32,       // rows per slice
  stepX: u32,        // the size of a step along a row, or its bits as f32
  unit: u32,         // the length of one unit, as the bits of an f32
  far: u32,          // the value of pixels without a site in reach, as the bits of an f32
  stops: u32,        // positions that distance-search.wgsl searched
}

// 0: costs; 2: distances; 3: squared distances.
override OUTPUT: u32 = 0u;
override NEAREST: bool = false;
// Subtracts distances from `result` instead of overwriting it.
override MINUS: bool = false;
// Whether costs are integers in floats, and Euclidean.
override WHOLE: bool = false;
@group(0) @binding(0) var<uniform> parameters: Parameters;
@group(0) @binding(1) var<storage, read> costs: array<u32>;
@group(0) @binding(2) var<storage, read_write> result: array<u32>;
@group(0) @binding(3) var<storage, read> features: array<u32>;
@group(0) @binding(4) var<storage, read_write> nearest: array<u32>;
@group(0) @binding(5) var<storage, read> found: array<u32>;

// include lib/distance-cost.wgsl

// Positions per thread: 128, or 32 if few sites are in reach.
override STRETCH: u32 = 128u;

// The thread's column: the index of the first position's pair, which of the two columns it is, its pixel, and the index
// of that pixel in rows without padding.
var<private> base: u32;
var<private> side: u32;
var<private> pixel: u32;
var<private> place0: u32;

fn join(cost: u32, step: u32) -> u32 {
  if (METRIC == 2u) { return max(cost, step); }
  if (FLOAT) { return bitcast<u32>(bitcast<f32>(cost) + bitcast<f32>(step)); }
  return cost + step;
}

fn join4(cost: u32, step: vec4u) -> vec4u {
  if (METRIC == 2u) { return max(vec4u(cost), step); }
  if (FLOAT) { return bitcast<vec4u>(bitcast<f32>(cost) + bitcast<vec4f>(step)); }
  return cost + step;
}

// The cost of a site.
fn siteAt(pair: u32) -> u32 {
  if (INPUT == 1u) { return costs[first4(pair) + side * 32u]; }
  return unpacked((costs[pair] >> (16u * side)) & 0xffffu);
}

// The pixel index of the nearest site, given the site's position along the column.
fn featureAt(position: u32) -> u32 {
  let pair = base + position * parameters.stride;
  if (INPUT != 0u) { return features[first4(pair) + 32u * side] + position * parameters.height * parameters.width; }
  let steps = (costs[pair] >> (16u * side)) & 0xffffu;
  let away = steps & 0x7fffu;
  return position * parameters.width + select(pixel - away, pixel + away, (steps & 0x8000u) != 0u);
}

struct Search {
  best: u32,
  place: u32,
}

fn keepPixel(to: u32, value: u32) {
  if (MINUS) {
    result[to] = bitcast<u32>(bitcast<f32>(result[to]) - bitcast<f32>(value));
  } else {
    result[to] = value;
  }
}

fn keep(position: u32, cost: u32, place: u32) {
  if (position >= parameters.sites) { return; }
  let pair = base + position * parameters.stride;
  let at = first4(pair) + side * 32u;
  let to = position * parameters.height * parameters.width + place0;
  let cheapest = min(cost, infinity());
  let beyond = cheapest > parameters.limit;
  if (OUTPUT == 0u) {
    if (NEAREST) { nearest[at] = select(featureAt(place), 0xffffffffu, beyond); }
    result[at] = select(cheapest, infinity(), beyond);
    return;
  }
  if (pixel >= parameters.width) { return; }
  if (NEAREST) { nearest[to] = select(featureAt(place), 0xffffffffu, beyond); }
  if (OUTPUT == 3u) {
    result[to] = select(select(cheapest, u32(bitcast<f32>(cheapest)), FLOAT), 0xffffffffu, beyond);
    return;
  }
  let length = select(f32(cheapest), bitcast<f32>(cheapest), FLOAT);
  let scaled = select(length, sqrt(length), METRIC == 0u) * bitcast<f32>(parameters.unit);
  keepPixel(to, select(bitcast<u32>(scaled), parameters.far, beyond));
}

// The best costs and sites of eight positions, in two groups of four.
struct Eight {
  near: vec4u,
  behind: vec4u,
  nearPlace: vec4u,
  behindPlace: vec4u,
}

fn eightOf(so: Eight, site: u32, i: u32, start: u32) -> Eight {
  let one = join4(site, costOf4(i32(start) + 1 - i32(i)));
  let two = join4(site, costOf4(i32(start) + 5 - i32(i)));
  var made = so;
  if (NEAREST) {
    made.nearPlace = select(so.nearPlace, vec4u(i), one < so.near);
    made.behindPlace = select(so.behindPlace, vec4u(i), two < so.behind);
  }
  made.near = min(so.near, one);
  made.behind = min(so.behind, two);
  return made;
}

// The least of the costs of eight positions so far, less (j w)^2, and their sites.
struct EightWhole {
  near: vec4f,
  behind: vec4f,
  nearPlace: vec4u,
  behindPlace: vec4u,
}

fn eightWholeOf(so: EightWhole, pair: u32, i: u32, start: u32) -> EightWhole {
  let w = bitcast<f32>(parameters.weight);
  let away = f32(i32(i) - i32(start)) * w;
  let cost = fma(away, away, bitcast<f32>(siteAt(pair)));
  let one = fma(vec4f(away), vec4f(-2.0, -4.0, -6.0, -8.0) * w, vec4f(cost));
  let two = fma(vec4f(away), vec4f(-10.0, -12.0, -14.0, -16.0) * w, vec4f(cost));
  var made = so;
  if (NEAREST) {
    made.nearPlace = select(so.nearPlace, vec4u(i), one < so.near);
    made.behindPlace = select(so.behindPlace, vec4u(i), two < so.behind);
  }
  made.near = min(so.near, one);
  made.behind = min(so.behind, two);
  return made;
}

// As eight(), with whole costs.
fn eightWhole(start: u32, a: u32, b: u32) {
  let none = vec4f(bitcast<f32>(infinity()));
  var so = EightWhole(none, none, vec4u(0u), vec4u(0u));
  let stride = parameters.stride;
  for (var i = a; i <= b; i += 4u) {
    // Past the end the last site comes again, which changes nothing.
    let i1 = min(i + 1u, b);
    let i2 = min(i + 2u, b);
    let i3 = min(i + 3u, b);
    so = eightWholeOf(so, base + i * stride, i, start);
    so = eightWholeOf(so, base + i1 * stride, i1, start);
    so = eightWholeOf(so, base + i2 * stride, i2, start);
    so = eightWholeOf(so, base + i3 * stride, i3, start);
  }
  let w = bitcast<f32>(parameters.weight);
  let j = vec4f(1.0, 2.0, 3.0, 4.0) * w;
  let k = vec4f(5.0, 6.0, 7.0, 8.0) * w;
  let near = bitcast<vec4u>(fma(j, j, so.near));
  let behind = bitcast<vec4u>(fma(k, k, so.behind));
  keep(start + 1u, near.x, so.nearPlace.x);
  keep(start + 2u, near.y, so.nearPlace.y);
  keep(start + 3u, near.z, so.nearPlace.z);
  keep(start + 4u, near.w, so.nearPlace.w);
  keep(start + 5u, behind.x, so.behindPlace.x);
  keep(start + 6u, behind.y, so.behindPlace.y);
  keep(start + 7u, behind.z, so.behindPlace.z);
  keep(start + 8u, behind.w, so.behindPlace.w);
}

// The eight positions after `start`, whose sites lie in [a, b].
fn eight(start: u32, a: u32, b: u32) {
  if (WHOLE) {
    eightWhole(start, a, b);
    return;
  }
  let none = vec4u(0xffffffffu);
  let zero = vec4u(0u);
  var so = Eight(none, none, zero, zero);
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
  keep(start + 1u, so.near.x, so.nearPlace.x);
  keep(start + 2u, so.near.y, so.nearPlace.y);
  keep(start + 3u, so.near.z, so.nearPlace.z);
  keep(start + 4u, so.near.w, so.nearPlace.w);
  keep(start + 5u, so.behind.x, so.behindPlace.x);
  keep(start + 6u, so.behind.y, so.behindPlace.y);
  keep(start + 7u, so.behind.z, so.behindPlace.z);
  keep(start + 8u, so.behind.w, so.behindPlace.w);
}

// The position of the site that was found for a stop.
fn foundAt(plane: u32, stop: u32, column: u32) -> u32 {
  return (found[(plane * parameters.stops + stop) * parameters.columns + column] >> (16u * side)) & 0xffffu;
}

@compute @workgroup_size(128)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) local: u32,
) {
  let last = parameters.sites - 1u;
  let stretches = max(parameters.stops, 2u) - 1u;
  // 32 threads process the first columns of 32 pairs, the next 32 threads their second columns.
  let index = (group.y * groups.x + group.x) * 64u + local / 64u * 32u + local % 32u;
  side = local / 32u % 2u;
  let column = index % parameters.columns;
  let stretch = index / parameters.columns % stretches;
  let plane = index / parameters.columns / stretches;
  if (plane >= parameters.planes) { return; }
  let first = stretch * STRETCH;
  base = plane * parameters.plane + column;
  pixel = first4(column % parameters.pitch) + side * 32u;
  place0 = column / parameters.pitch * parameters.width + pixel;
  let reach = parameters.reach;
  let start = foundAt(plane, stretch, column);
  let none = start == 0xffffu;
  if (first == 0u) {
    let place = select(start, 0u, none);
    let cost = join(siteAt(base + place * parameters.stride), costOf(i32(place), parameters.weight));
    keep(0u, select(cost, infinity(), none), place);
  }
  if (first >= last) { return; }
  let other = min(first + STRETCH, last);
  let stop = foundAt(plane, stretch + 1u, column);
  // If a stop has no site in reach, sites of later positions lie beyond its reach, and sites of earlier positions
  // before it.
  let low = select(start, first + reach + 1u, none);
  let high = min(select(stop, max(other, reach + 1u) - reach - 1u, stop == 0xffffu), last);

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
  one: u32,
  two: u32,
  three: u32,
  nothing: bool,
}

// The best costs and sites of three positions.
struct Three3 {
  one: Search,
  two: Search,
  three: Search,
}

fn cheaper(so: Search, cost: u32, i: u32) -> Search {
  return Search(min(so.best, cost), select(so.place, i, cost < so.best));
}

fn three3Of(so: Three3, site: u32, i: u32, start: u32, step: u32) -> Three3 {
  let away = costOf3(i32(start) - i32(i), i32(step));
  return Three3(
    cheaper(so.one, join(site, away.x), i),
    cheaper(so.two, join(site, away.y), i),
    cheaper(so.three, join(site, away.z), i),
  );
}

// The least of the costs of three positions so far, less (j w)^2, and their sites.
struct ThreeWhole {
  best: vec3f,
  place: vec3u,
}

fn threeWholeOf(so: ThreeWhole, pair: u32, i: u32, start: u32, turn: vec3f) -> ThreeWhole {
  let away = f32(i32(i) - i32(start)) * bitcast<f32>(parameters.weight);
  let cost = fma(away, away, bitcast<f32>(siteAt(pair)));
  let found = fma(vec3f(away), turn, vec3f(cost));
  return ThreeWhole(min(so.best, found), select(so.place, vec3u(i), found < so.best));
}

// As threeBetween(), with whole costs.
fn threeWhole(start: u32, step: u32, low: u32, high: u32) -> Three {
  var so = ThreeWhole(vec3f(bitcast<f32>(infinity())), vec3u(low));
  let stride = parameters.stride;
  let j = f32(step) * vec3f(1.0, 2.0, 3.0) * bitcast<f32>(parameters.weight);
  let turn = -2.0 * j;
  for (var i = low; i <= high; i += 4u) {
    // Past the end the last site comes again, which changes nothing.
    let i1 = min(i + 1u, high);
    let i2 = min(i + 2u, high);
    let i3 = min(i + 3u, high);
    so = threeWholeOf(so, base + i * stride, i, start, turn);
    so = threeWholeOf(so, base + i1 * stride, i1, start, turn);
    so = threeWholeOf(so, base + i2 * stride, i2, start, turn);
    so = threeWholeOf(so, base + i3 * stride, i3, start, turn);
  }
  // Complete costs are not negative, so their bits compare like integers.
  return Three(so.place.x, so.place.y, so.place.z, bitcast<u32>(fma(j.x, j.x, so.best.x)) >= infinity());
}

// The sites of the positions 1, 2 and 3 times `step` after `start`, which lie in [low, high].
fn threeBetween(start: u32, step: u32, low: u32, high: u32) -> Three {
  if (WHOLE) { return threeWhole(start, step, low, high); }
  let most = Search(0xffffffffu, low);
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
  return Three(one.place, two.place, three.place, one.best >= infinity());
}

// The range of sites of part k of four; an empty range if there is no site.
fn rangeOf(stops: Three, k: u32, low: u32, high: u32) -> vec2u {
  if (stops.nothing) { return vec2u(1u, 0u); }
  let a = select(stops.three, select(stops.two, stops.one, k == 1u), k < 3u);
  let b = select(stops.three, select(stops.two, stops.one, k == 0u), k < 2u);
  return vec2u(select(a, low, k == 0u), select(min(high, b), high, k == 3u));
}

// The costs of 1, 2 and 3 times `step` more than `first` along the line.
fn costOf3(first: i32, step: i32) -> vec3u {
  if (FLOAT) {
    let s = abs(f32(first) + f32(step) * vec3f(1.0, 2.0, 3.0)) * bitcast<f32>(parameters.weight);
    return bitcast<vec3u>(select(s, s * s, METRIC == 0u));
  }
  let s = vec3u(abs(first + step * vec3i(1, 2, 3))) * parameters.weight;
  return select(s, s * s, METRIC == 0u);
}
