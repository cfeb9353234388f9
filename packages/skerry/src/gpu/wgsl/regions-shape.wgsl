// Adds up second moments, pixel edges and Euler numbers of the components. Sums relative to the tile's corner are kept in
// workgroup memory, by label as in regions-2d.wgsl. Then they are added to the records, relative to the image's corner, once
// per tile and label.

struct Parameters {
  words: u32,        // per row
  height: u32,
  tileColumns: u32,
  tiles: u32,
  row: u32,          // the strip's first row in the image
  begin: u32,        // labels [begin, begin + count) of the strip, counted from 0, have records here
  count: u32,
}

// Records of ten u32, from zero, low words first: sums of x x, x y and y y, pixel edges, Euler number.
// include lib/tile-bindings.wgsl
// include lib/cells.wgsl
// include lib/label-table.wgsl
// include lib/meetings.wgsl
// include lib/records.wgsl
// include lib/sum64.wgsl

const RECORD = 10u;
const SLOTS = 128u;
// Components of a tile that are looked up in the table.
const LISTED = 256u;

// Labels of the slots; 0 is free.
var<workgroup> keys: array<atomic<u32>, 128>;
// The slots of the tile's components.
var<workgroup> slots: array<u32, 256>;
var<workgroup> areas: array<atomic<u32>, 128>;
var<workgroup> sumsX: array<atomic<u32>, 128>;
var<workgroup> sumsY: array<atomic<u32>, 128>;
var<workgroup> sumsXX: array<atomic<u32>, 128>;
var<workgroup> sumsXY: array<atomic<u32>, 128>;
var<workgroup> sumsYY: array<atomic<u32>, 128>;
var<workgroup> edges: array<atomic<u32>, 128>;
var<workgroup> eulers: array<atomic<i32>, 128>;

// Relative to the tile's corner.
struct Sums {
  n: u32,
  x: u32,
  y: u32,
  xx: u32,
  xy: u32,
  yy: u32,
  edges: u32,
  euler: i32,
}

// a times b modulo 2^64: partial sums may wrap, but the total does not.
fn times(a: vec2u, b: u32) -> vec2u {
  let low = multiply(a.x, b);
  return vec2u(low.x, low.y + a.y * b);
}

// Moves the sums from the tile's corner (x, y) to the image's: sum (x + i)^2 = n x x + 2 x sum i + sum i i.
fn flush(label: u32, x: u32, y: u32, s: Sums) {
  let object = label - 1u - parameters.begin;
  if (object >= parameters.count) { return; }
  let at = object * RECORD;
  let nx = multiply(s.n, x);
  add64(at, plus64(plus64(times(nx, x), multiply(2u * s.x, x)), vec2u(s.xx, 0u)));
  add64(at + 2u, plus64(plus64(times(nx, y), multiply(s.y, x)), plus64(multiply(s.x, y), vec2u(s.xy, 0u))));
  add64(at + 4u, plus64(plus64(times(multiply(s.n, y), y), multiply(2u * s.y, y)), vec2u(s.yy, 0u)));
  add64(at + 6u, vec2u(s.edges, 0u));
  add64(at + 8u, widen(s.euler));
}

// Adds the sums of one of the tile's components.
fn add(base: u32, id: u32, slot: u32, x: u32, y: u32, s: Sums) {
  if (s.n == 0u) { return; }
  if (slot == NOWHERE) {
    flush(map[base + id], x, y, s);
    return;
  }
  atomicAdd(&areas[slot], s.n);
  atomicAdd(&sumsX[slot], s.x);
  atomicAdd(&sumsY[slot], s.y);
  atomicAdd(&sumsXX[slot], s.xx);
  atomicAdd(&sumsXY[slot], s.xy);
  atomicAdd(&sumsYY[slot], s.yy);
  atomicAdd(&edges[slot], s.edges);
  atomicAdd(&eulers[slot], s.euler);
}

// Sum of i * i for i < n.
fn squaresBelow(n: u32) -> u32 {
  return select((n * (n - 1u) * (2u * n - 1u)) / 6u, 0u, n == 0u);
}

fn addWord(base: u32, x: u32, y: u32, column: u32, row: u32, inTile: u32, line: u32) {
  let index = row * parameters.words + column;
  // Row r of the strip is row r + 1 of its bits, so the row above is row r.
  let at = index + parameters.words;
  let c = bits[at];
  if (c == 0u) { return; }
  let segmentStarts = startsOf(cellOf(c, column, row));
  let segment = segmentsAt(column, row);
  let u = bits[index];
  var before = 0u;
  var beforeAbove = 0u;
  var after = 0u;
  var afterAbove = 0u;
  if (column > 0u) {
    before = bits[at - 1u] >> 31u;
    beforeAbove = bits[index - 1u] >> 31u;
  }
  if (column + 1u < parameters.words) {
    after = bits[at + 1u] & 1u;
    afterAbove = bits[index + 1u] & 1u;
  }
  let cLeft = (c << 1u) | before;
  let uLeft = (u << 1u) | beforeAbove;
  let cs = c & ~cLeft;
  let us = u & ~uLeft;
  // Meetings of runs with runs above, defined as for unions: inside the run, and just after its end.
  var within = overlaps(c, cs, u, us);
  var behind = 0u;
  if (CELL == 2u) {
    within |= cs & ~u & uLeft;
    behind = us & ~c & cLeft;
  }
  let behindWord = CELL == 2u && (afterAbove & ~(u >> 31u) & ~after & 1u) == 1u;
  var rest = c;
  var id = NOWHERE;
  var slot = NOWHERE;
  var s = Sums();
  while (rest != 0u) {
    let begin = countTrailingZeros(rest);
    let length = countTrailingZeros(~(rest >> begin));
    let end = begin + length;
    let ones = (0xffffffffu >> (32u - length)) << begin;
    rest &= ~ones;
    let other = componentAt(segment, segmentOf(segmentStarts, begin));
    if (other != id) {
      var own = NOWHERE;
      if (other < LISTED) { own = slots[other]; }
      if (own != slot || own == NOWHERE) {
        add(base, id, slot, x, y, s);
        s = Sums();
      }
      id = other;
      slot = own;
    }
    let begins = begin > 0u || before == 0u;
    let ends = end < 32u || after == 0u;
    let left = inTile * 32u + begin;
    let sumX = (length * (2u * left + length - 1u)) >> 1u;
    s.n += length;
    s.x += sumX;
    s.y += length * line;
    s.xx += squaresBelow(left + length) - squaresBelow(left);
    s.xy += sumX * line;
    s.yy += length * line * line;
    s.edges += u32(begins) + u32(ends) + 2u * (length - countOneBits(c & u & ones));
    var met = countOneBits(within & ones);
    if (end < 32u) { met += (behind >> end) & 1u; } else if (behindWord) { met += 1u; }
    s.euler += i32(begins) - i32(met);
  }
  add(base, id, slot, x, y, s);
}

@compute @workgroup_size(128)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) t: u32,
) {
  let tile = group.y * groups.x + group.x;
  if (tile >= parameters.tiles) { return; }
  let info = tileTable[tile];
  if (info.y == 0u) { return; }
  for (var i = t; i < min(info.y, LISTED); i += 128u) { slots[i] = slotOf(map[info.x + i]); }
  // All slots are stored.
  workgroupBarrier();
  let column = (tile % parameters.tileColumns) * COLUMNS + (t & 3u);
  let tileRow = (tile / parameters.tileColumns) * ROWS * CELL;
  let x = (tile % parameters.tileColumns) * COLUMNS * 32u;
  let y = parameters.row + tileRow;
  for (var i = 0u; i < CELL; i++) {
    let line = (t >> 2u) * CELL + i;
    if (column < parameters.words && tileRow + line < parameters.height) {
      addWord(info.x, x, y, column, tileRow + line, t & 3u, line);
    }
  }
  // The tile's sums are complete.
  workgroupBarrier();
  let n = atomicLoad(&areas[t]);
  if (n != 0u) {
    flush(atomicLoad(&keys[t]), x, y, Sums(
      n, atomicLoad(&sumsX[t]), atomicLoad(&sumsY[t]), atomicLoad(&sumsXX[t]), atomicLoad(&sumsXY[t]),
      atomicLoad(&sumsYY[t]), atomicLoad(&edges[t]), atomicLoad(&eulers[t]),
    ));
  }
}
