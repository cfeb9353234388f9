// Distances along columns: the lower envelope of the costs that the axes before left, for two columns and 32 positions per
// thread. The site that is cheapest for a position never lies before that of an earlier position, so what is found
// at the first position of each stretch of 32 bounds the search of those between: three of them in one look at the sites in between, and
// then eight at a time. The first position looks at sites further and further away, and stops where steps alone cost
// more than what it has. A cost is a whole number, or the bits of a float, which compare alike.

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

const LANES = 32u;
const STRETCHES = 8u;
const STRETCH = 32u;

// Where the two columns of each lane have their cheapest site at the first position of each stretch, and of the next one.
var<workgroup> found: array<vec2u, 288>;

fn infinity() -> u32 {
  return select(0x3fffffffu, 0x7f800000u, FLOAT);
}

fn costOf(steps: u32, weight: u32) -> u32 {
  if (FLOAT) {
    let s = f32(steps) * bitcast<f32>(weight);
    return bitcast<u32>(select(s, s * s, METRIC == 0u));
  }
  let s = steps * weight;
  return select(s, s * s, METRIC == 0u);
}

fn join(cost: u32, step: u32) -> u32 {
  if (METRIC == 2u) { return max(cost, step); }
  if (FLOAT) { return bitcast<u32>(bitcast<f32>(cost) + bitcast<f32>(step)); }
  return cost + step;
}

fn join4(cost: u32, begin: i32) -> vec4u {
  let steps = vec4i(begin) + vec4i(0, 1, 2, 3);
  if (FLOAT) {
    let s = abs(vec4f(steps)) * bitcast<f32>(parameters.weight);
    let step = select(s, s * s, METRIC == 0u);
    if (METRIC == 2u) { return max(vec4u(cost), bitcast<vec4u>(step)); }
    return bitcast<vec4u>(vec4f(bitcast<f32>(cost)) + step);
  }
  let s = abs(steps) * i32(parameters.weight);
  let step = bitcast<vec4u>(select(s, s * s, METRIC == 0u));
  if (METRIC == 2u) { return max(vec4u(cost), step); }
  return vec4u(cost) + step;
}

fn costOfSteps(packed: u32) -> u32 {
  return select(costOf(packed & 0x7fffu, parameters.stepX), infinity(), packed == 0xffffu);
}

// The costs of a site in both columns.
fn siteAt(index: u32) -> vec2u {
  if (INPUT == 1u) { return vec2u(costs[2u * index], costs[2u * index + 1u]); }
  let pair = costs[index];
  let halves = vec2u(pair & 0xffffu, pair >> 16u);
  if (INPUT == 0u) { return vec2u(costOfSteps(halves.x), costOfSteps(halves.y)); }
  return select(halves, vec2u(infinity()), halves == vec2u(0xffffu));
}

// Where the nearest site of a column lies, once it is known at which position.
fn featureAt(index: u32, position: u32, c: u32, x: u32) -> u32 {
  if (INPUT != 0u) { return features[2u * index + c]; }
  let steps = (costs[index] >> (16u * c)) & 0xffffu;
  let away = steps & 0x7fffu;
  return position * parameters.width + select(x - away, x + away, (steps & 0x8000u) != 0u);
}

struct Search {
  best: vec2u,
  place: vec2u,
}

// The cheapest site of a position in both columns, the first of equal ones.
fn search(base: u32, p: u32) -> Search {
  var best = siteAt(base + p * parameters.stride);
  var place = vec2u(p);
  let most = max(p, parameters.sites - 1u - p);
  for (var d = 1u; d <= most && d <= parameters.reach; d++) {
    let step = costOf(d, parameters.weight);
    if (step > max(best.x, best.y)) { break; }
    if (d <= p) {
      let site = siteAt(base + (p - d) * parameters.stride);
      let cost = vec2u(join(site.x, step), join(site.y, step));
      // All sites so far lie behind this one, so it has the ties, but for those between nothing and nothing.
      let better = (cost <= best) & (site < vec2u(infinity()));
      best = select(best, cost, better);
      place = select(place, vec2u(p - d), better);
    }
    if (p + d < parameters.sites) {
      let site = siteAt(base + (p + d) * parameters.stride);
      let cost = vec2u(join(site.x, step), join(site.y, step));
      let better = (cost < best) & (site < vec2u(infinity()));
      best = select(best, cost, better);
      place = select(place, vec2u(p + d), better);
    }
  }
  return Search(best, place);
}

fn keep(index: u32, position: u32, column: u32, costs2: vec2u, places: vec2u, base: u32) {
  let cheapest = min(costs2, vec2u(infinity()));
  let beyond = cheapest > vec2u(parameters.limit);
  let pixel = column % parameters.pitch * 2u;
  if (NEAREST) {
    for (var c = 0u; c < 2u; c++) {
      let x = pixel + c;
      if (x >= parameters.width) { break; }
      let place = places[c];
      var site = featureAt(base + place * parameters.stride, place, c, x);
      if (INPUT != 0u) { site += place * parameters.height * parameters.width; }
      let to = select(placeOf(position, column, c), 2u * index + c, OUTPUT < 2u);
      nearest[to] = select(site, 0xffffffffu, beyond[c]);
    }
  }
  if (OUTPUT == 0u) {
    let kept = select(cheapest, vec2u(infinity()), beyond);
    result[2u * index] = kept.x;
    result[2u * index + 1u] = kept.y;
  } else if (OUTPUT == 1u) {
    let kept = select(cheapest, vec2u(0xffffu), beyond);
    result[index] = kept.x | (kept.y << 16u);
  } else {
    for (var c = 0u; c < 2u; c++) {
      if (pixel + c >= parameters.width) { break; }
      let to = placeOf(position, column, c);
      if (OUTPUT == 3u) {
        result[to] = select(cheapest[c], 0xffffffffu, beyond[c]);
        continue;
      }
      let cost = select(f32(cheapest[c]), bitcast<f32>(cheapest[c]), FLOAT);
      let length = select(cost, sqrt(cost), METRIC == 0u) * bitcast<f32>(parameters.unit);
      let value = bitcast<f32>(select(bitcast<u32>(length), parameters.far, beyond[c]));
      if (MINUS) {
        result[to] = bitcast<u32>(bitcast<f32>(result[to]) - value);
      } else {
        result[to] = bitcast<u32>(value);
      }
    }
  }
}

// Where a pixel of the last axis lies among tight rows.
fn placeOf(position: u32, column: u32, c: u32) -> u32 {
  let row = position * parameters.height + column / parameters.pitch;
  return row * parameters.width + column % parameters.pitch * 2u + c;
}

@compute @workgroup_size(256)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) local: u32,
) {
  let across = (parameters.columns + LANES - 1u) / LANES;
  let along = (parameters.sites + STRETCHES * STRETCH - 1u) / (STRETCHES * STRETCH);
  let which = group.y * groups.x + group.x;
  let plane = which / (across * along);
  let lane = local % LANES;
  let stretch = local / LANES;
  let column = which % across * LANES + lane;
  let begin = which / across % along * STRETCHES * STRETCH;
  let first = begin + stretch * STRETCH;
  let base = plane * parameters.plane + column;
  let here = plane < parameters.planes && column < parameters.columns;
  let last = parameters.sites - 1u;
  let none = infinity();
  if (here && first <= last) {
    let start = search(base, first);
    // Where nothing is in reach, the next positions' sites lie beyond that.
    found[stretch * LANES + lane] = select(start.place, vec2u(first + parameters.reach + 1u), start.best >= vec2u(none));
    if (first == 0u) { keep(base, 0u, column, start.best, start.place, base); }
  }
  // The last stretch has no neighbour to search the position behind it.
  let end = min(begin + STRETCHES * STRETCH, last);
  if (here && stretch == 0u) {
    let stop = search(base, end);
    let open = vec2u(max(end, parameters.reach + 1u) - parameters.reach - 1u);
    found[STRETCHES * LANES + lane] = select(stop.place, open, stop.best >= vec2u(none));
  }
  // Each stretch is bounded by what the next one found.
  workgroupBarrier();
  if (!here || first >= last) { return; }
  var next = (stretch + 1u) * LANES + lane;
  if (first + STRETCH >= end) { next = STRETCHES * LANES + lane; }
  var behind = found[next];
  let other = min(first + STRETCH, end);
  // A place past what is in reach says that nothing is: then the sites of earlier positions lie before that.
  behind = select(behind, vec2u(max(other, parameters.reach + 1u) - parameters.reach - 1u), behind > vec2u(other + parameters.reach));
  let ahead = found[stretch * LANES + lane];
  let low = min(ahead.x, ahead.y);
  let high = min(max(behind.x, behind.y), last);

  // Three positions between.
  var best = array<vec2u, 3>(vec2u(0xffffffffu), vec2u(0xffffffffu), vec2u(0xffffffffu));
  var place = array<vec2u, 3>(vec2u(low), vec2u(low), vec2u(low));
  for (var i = low; i <= high; i++) {
    let site = siteAt(base + i * parameters.stride);
    for (var k = 0; k < 3; k++) {
      let step = costOf(u32(abs(i32(first) + 8 * (k + 1) - i32(i))), parameters.weight);
      let cost = vec2u(join(site.x, step), join(site.y, step));
      let better = cost < best[k];
      best[k] = select(best[k], cost, better);
      place[k] = select(place[k], vec2u(i), better);
    }
  }
  for (var k = 0u; k < 4u; k++) {
    let origin = first + 8u * k;
    if (origin >= last) { break; }
    var a = low;
    var b = high;
    if (k > 0u) { a = min(place[k - 1u].x, place[k - 1u].y); }
    if (k < 3u) { b = min(b, max(place[k].x, place[k].y)); }
    var left = array<vec4u, 2>(vec4u(0xffffffffu), vec4u(0xffffffffu));
    var right = array<vec4u, 2>(vec4u(0xffffffffu), vec4u(0xffffffffu));
    var leftPlace = array<vec4u, 2>(vec4u(0u), vec4u(0u));
    var rightPlace = array<vec4u, 2>(vec4u(0u), vec4u(0u));
    for (var i = a; i <= b; i++) {
      let site = siteAt(base + i * parameters.stride);
      let step = i32(origin) + 1 - i32(i);
      let near = join4(site.x, step);
      let nearBehind = join4(site.x, step + 4);
      let side = join4(site.y, step);
      let sideBehind = join4(site.y, step + 4);
      if (NEAREST) {
        leftPlace[0] = select(leftPlace[0], vec4u(i), near < left[0]);
        leftPlace[1] = select(leftPlace[1], vec4u(i), nearBehind < left[1]);
        rightPlace[0] = select(rightPlace[0], vec4u(i), side < right[0]);
        rightPlace[1] = select(rightPlace[1], vec4u(i), sideBehind < right[1]);
      }
      left[0] = min(left[0], near);
      left[1] = min(left[1], nearBehind);
      right[0] = min(right[0], side);
      right[1] = min(right[1], sideBehind);
    }
    for (var j = 0u; j < 8u; j++) {
      let p = origin + 1u + j;
      if (p > last) { break; }
      let group4 = j / 4u;
      let costs2 = vec2u(left[group4][j % 4u], right[group4][j % 4u]);
      let places = vec2u(leftPlace[group4][j % 4u], rightPlace[group4][j % 4u]);
      keep(base + p * parameters.stride, p, column, costs2, places, base);
    }
  }
}
