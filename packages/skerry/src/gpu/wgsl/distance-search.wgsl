// Finds the cheapest site of every `stretch`-th position of columns, with two columns and a position per thread. A
// thread reads sites further and further away, and stops when steps alone cost more than its best site. Memory latency
// bounds this search, so it is a kernel of its own, with few registers and many threads. distance-columns.wgsl
// processes the positions in between.
//
// Where sites are far away, a search with LOWS goes on by blocks of 32 positions, and passes over those that cannot be better:
//
//     best so far 50; a block 6 steps away whose lowest cost is 25:   25 + 36 > 50, so none of its sites is

struct Parameters {
  columns: u32,      // pairs of columns of a plane
  planes: u32,
  plane: u32,        // pairs from one plane to the next
  stride: u32,       // pairs from one position to the next
  sites: u32,        // positions
  stretch: u32,      // positions from stop to stop
  stops: u32,        // positions that are searched: 0, stretch, 2 * stretch, ... and the last one
  weight: u32,       // the size of a step, or its bits as f32
  reach: u32,        // the most steps whose cost counts
  stepX: u32,        // the size of a step along a row, or its bits as f32
  blocks: u32,       // blocks of a column
}

@group(0) @binding(0) var<uniform> parameters: Parameters;
@group(0) @binding(1) var<storage, read> costs: array<u32>;
// Per plane, stop and pair of columns: the position of the best site in each column, 16 bits each; all ones for none in reach.
@group(0) @binding(2) var<storage, read_write> found: array<u32>;
// See distance-lows.wgsl; read only with LOWS.
@group(0) @binding(3) var<storage, read> lows: array<u32>;

override LOWS: bool = false;

// Steps each way before a search goes on by blocks.
const NEAR = 32u;


// include lib/distance-cost.wgsl

var<private> base: u32;
// The index of the low of the first block.
var<private> low0: u32;

fn join(cost: vec2u, step: u32) -> vec2u {
  if (METRIC == 2u) { return max(cost, vec2u(step)); }
  if (FLOAT) { return bitcast<vec2u>(bitcast<vec2f>(cost) + bitcast<f32>(step)); }
  return cost + step;
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

struct Search {
  best: vec2u,
  place: vec2u,
}

// The sites d steps before and behind p.
fn pairOf(so: Search, siteBefore: vec2u, siteBehind: vec2u, step: u32, p: u32, d: u32) -> Search {
  // At equal costs the earlier site wins, because it comes first.
  let before = join(siteBefore, step);
  let early = before <= so.best;
  let best = min(so.best, before);
  let behind = join(siteBehind, step);
  let late = behind < best;
  return Search(min(best, behind), select(select(so.place, vec2u(p - d), early), vec2u(p + d), late));
}

// Four sites each way, in both columns.
struct FourSites {
  before0: vec2u,
  before1: vec2u,
  before2: vec2u,
  before3: vec2u,
  behind0: vec2u,
  behind1: vec2u,
  behind2: vec2u,
  behind3: vec2u,
}

fn fourAt(before: u32, behind: u32) -> FourSites {
  let stride = parameters.stride;
  return FourSites(
    siteAt(before),
    siteAt(before - stride),
    siteAt(before - 2u * stride),
    siteAt(before - 3u * stride),
    siteAt(behind),
    siteAt(behind + stride),
    siteAt(behind + 2u * stride),
    siteAt(behind + 3u * stride),
  );
}

fn fourOf(start: Search, sites: FourSites, p: u32, d: u32) -> Search {
  let steps = costOf4(i32(d));
  var so = pairOf(start, sites.before0, sites.behind0, steps.x, p, d);
  so = pairOf(so, sites.before1, sites.behind1, steps.y, p, d + 1u);
  so = pairOf(so, sites.before2, sites.behind2, steps.z, p, d + 2u);
  return pairOf(so, sites.before3, sites.behind3, steps.w, p, d + 3u);
}

// The cheapest site of a position in both columns, the first of equal ones, or one that costs infinity.
fn search(p: u32) -> Search {
  let here = base + p * parameters.stride;
  var best = siteAt(here);
  var place = vec2u(p);
  let last = parameters.sites - 1u;
  let both = min(min(p, last - p), parameters.reach);
  let most = min(max(p, last - p), parameters.reach);
  let stride = parameters.stride;
  var d = 1u;
  // Four steps each way at a time, and eight in long searches: reads do not wait for the comparisons of earlier ones.
  for (; d + 3u <= both && (!LOWS || d <= NEAR); ) {
    if (costOf(i32(d), parameters.weight) > max(best.x, best.y)) { return Search(best, place); }
    if (d >= 9u && d + 7u <= both) {
      let offset = d * stride;
      let near = fourAt(here - offset, here + offset);
      let further = fourAt(here - offset - 4u * stride, here + offset + 4u * stride);
      let so = fourOf(fourOf(Search(best, place), near, p, d), further, p, d + 4u);
      best = so.best;
      place = so.place;
      d += 8u;
    } else {
      let so = fourOf(Search(best, place), fourAt(here - d * stride, here + d * stride), p, d);
      best = so.best;
      place = so.place;
      d += 4u;
    }
  }
  if (LOWS) { return searchBlocks(Search(best, place), p, d); }
  for (; d <= both; d++) {
    let step = costOf(i32(d), parameters.weight);
    if (step > max(best.x, best.y)) { return Search(best, place); }
    let so = pairOf(Search(best, place), siteAt(here - d * stride), siteAt(here + d * stride), step, p, d);
    best = so.best;
    place = so.place;
  }
  // Only one side has sites left.
  let left = p > last - p;
  for (; d <= most; d++) {
    let step = costOf(i32(d), parameters.weight);
    if (step > max(best.x, best.y)) { break; }
    let offset = d * stride;
    let cost = join(siteAt(select(here + offset, here - offset, left)), step);
    let better = select(cost < best, cost <= best, left);
    best = min(best, cost);
    place = select(place, vec2u(select(p + d, p - d, left)), better);
  }
  return Search(best, place);
}

// The largest of the best costs in both columns with which a site is still worth a look.
fn worst(so: Search) -> u32 {
  return max(so.best.x, so.best.y);
}

// Goes on with the sites from d steps each way on, by blocks, the nearer sides of both directions in turn.
fn searchBlocks(start: Search, p: u32, d: u32) -> Search {
  var so = start;
  let first = i32(p - min(p, parameters.reach));
  let last = i32(min(p + parameters.reach, parameters.sites - 1u));
  var before = i32(p) - i32(d);
  var behind = i32(p) + i32(d);
  while (before >= first || behind <= last) {
    if (before >= first) {
      let step = costOf(i32(p) - before, parameters.weight);
      let end = max(before & ~31, first);
      if (step > worst(so)) {
        before = first - 1;
      } else {
        let low = lows[low0 + u32(before >> 5u) * parameters.columns];
        // Equal costs count here, since the earlier site wins.
        if (low < infinity() && join(vec2u(low), step).x <= worst(so)) {
          for (var i = before; i >= end; i--) {
            let cost = join(siteAt(base + u32(i) * parameters.stride), costOf(i32(p) - i, parameters.weight));
            let better = cost <= so.best;
            so = Search(min(so.best, cost), select(so.place, vec2u(u32(i)), better));
          }
        }
        before = end - 1;
      }
    }
    if (behind <= last) {
      let step = costOf(behind - i32(p), parameters.weight);
      let end = min(behind | 31, last);
      if (step > worst(so)) {
        behind = last + 1;
      } else {
        let low = lows[low0 + u32(behind >> 5u) * parameters.columns];
        if (low < infinity() && join(vec2u(low), step).x < worst(so)) {
          for (var i = behind; i <= end; i++) {
            let cost = join(siteAt(base + u32(i) * parameters.stride), costOf(i - i32(p), parameters.weight));
            let better = cost < so.best;
            so = Search(min(so.best, cost), select(so.place, vec2u(u32(i)), better));
          }
        }
        behind = end + 1;
      }
    }
  }
  return so;
}

@compute @workgroup_size(256)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) local: u32,
) {
  let index = (group.y * groups.x + group.x) * 256u + local;
  let column = index % parameters.columns;
  let stop = index / parameters.columns % parameters.stops;
  let plane = index / parameters.columns / parameters.stops;
  if (plane >= parameters.planes) { return; }
  base = plane * parameters.plane + column;
  low0 = plane * parameters.blocks * parameters.columns + column;
  let so = search(min(stop * parameters.stretch, parameters.sites - 1u));
  let place = select(so.place, vec2u(0xffffu), so.best >= vec2u(infinity()));
  found[index] = place.x | (place.y << 16u);
}
