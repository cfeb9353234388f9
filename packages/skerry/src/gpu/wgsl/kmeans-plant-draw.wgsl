// Draws the candidates for a centre, a workgroup for each: the colour that holds a random unit of the total cost. First the block of
// colours is found that holds it, then the colour.

struct Parameters {
  colours: u32,
  blocks: u32,
  fraction: u32,     // bits of a centre's coordinate below those of a colour's
  centre: u32,       // the number of the centre; pixels count for 0, costs for others
  trials: u32,
}

@group(0) @binding(0) var<uniform> parameters: Parameters;
// The random numbers of 64 bits of each centre's candidates.
@group(0) @binding(1) var<storage, read> draws: array<vec2u>;
@group(0) @binding(2) var<storage, read> points: array<u32>;
@group(0) @binding(3) var<storage, read> weights: array<u32>;
@group(0) @binding(4) var<storage, read> costs: array<u32>;
@group(0) @binding(5) var<storage, read> sums: array<vec2u>;
// Coordinates, and 1 in w; 0 if all colours lie on centres.
@group(0) @binding(6) var<storage, read_write> candidates: array<vec4u>;

// include lib/points.wgsl
// include lib/sum64.wgsl

const BLOCK = 2048u;

// The units of each thread, and of sixteen threads.
var<workgroup> own: array<vec2u, 256>;
var<workgroup> sixteens: array<vec2u, 16>;
// The thread that holds the drawn unit, and the unit's number there.
var<workgroup> holder: u32;
var<workgroup> rest: vec2u;
// The same for a block of colours.
var<workgroup> block: u32;
var<workgroup> within: vec2u;

fn less64(a: vec2u, b: vec2u) -> bool {
  return a.y < b.y || (a.y == b.y && a.x < b.x);
}

fn minus64(a: vec2u, b: vec2u) -> vec2u {
  return vec2u(a.x - b.x, a.y - b.y - select(0u, 1u, a.x < b.x));
}

// The upper half of the product of two numbers of 64 bits: below b, as a random number for a is below 2^64.
fn upperProduct(a: vec2u, b: vec2u) -> vec2u {
  let middle = plus64(multiply(a.y, b.x), vec2u(multiply(a.x, b.x).y, 0u));
  let other = plus64(multiply(a.x, b.y), vec2u(middle.x, 0u));
  return plus64(plus64(multiply(a.y, b.y), vec2u(middle.y, 0u)), vec2u(other.y, 0u));
}

fn addUp(t: u32, units: vec2u) {
  own[t] = units;
  // Other threads' units.
  workgroupBarrier();
  if (t < 16u) {
    var sum = vec2u();
    for (var i = t * 16u; i < t * 16u + 16u; i++) { sum = plus64(sum, own[i]); }
    sixteens[t] = sum;
  }
  // The sums of sixteen.
  workgroupBarrier();
}

// Finds the thread that holds a unit, which must be below the sum of all.
fn locate(unit: vec2u) {
  var left = unit;
  var at = 0u;
  while (!less64(left, sixteens[at])) {
    left = minus64(left, sixteens[at]);
    at++;
  }
  at *= 16u;
  while (!less64(left, own[at])) {
    left = minus64(left, own[at]);
    at++;
  }
  holder = at;
  rest = left;
}

// The units of a colour.
fn unitsOf(i: u32) -> vec2u {
  if (i >= parameters.colours) { return vec2u(); }
  if (parameters.centre == 0u) { return vec2u(weights[i], 0u); }
  return multiply(weights[i], costs[i]);
}

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) t: u32) {
  let share = (parameters.blocks + 255u) / 256u;
  let first = t * share;
  var units = vec2u();
  for (var i = first; i < min(first + share, parameters.blocks); i++) { units = plus64(units, sums[i]); }
  addUp(t, units);
  if (t == 0u) {
    var total = vec2u();
    for (var i = 0u; i < 16u; i++) { total = plus64(total, sixteens[i]); }
    if (all(total == vec2u())) {
      candidates[group.x] = vec4u();
      block = 0xffffffffu;
    } else {
      locate(upperProduct(draws[parameters.centre * parameters.trials + group.x], total));
      var left = rest;
      var at = holder * share;
      while (!less64(left, sums[at])) {
        left = minus64(left, sums[at]);
        at++;
      }
      block = at;
      within = left;
    }
  }
  let found = workgroupUniformLoad(&block);
  if (found == 0xffffffffu) { return; }
  let begin = found * BLOCK;
  units = vec2u();
  for (var i = 0u; i < 8u; i++) { units = plus64(units, unitsOf(begin + t * 8u + i)); }
  addUp(t, units);
  if (t == 0u) {
    locate(within);
    var left = rest;
    var i = begin + holder * 8u;
    while (!less64(left, unitsOf(i))) {
      left = minus64(left, unitsOf(i));
      i++;
    }
    candidates[group.x] = vec4u(coordinates(points[i]) << vec3u(parameters.fraction), 1u);
  }
}
