// Measures the values of one integer channel in the components: extremes, sums, and background values across edges. Values
// are added up tile by tile in workgroup memory, by label as in regions-2d.wgsl, and then once per tile and label into the
// records.

struct Parameters {
  width: u32,
  words: u32,        // per row
  height: u32,       // of the strip
  tileColumns: u32,
  firstTile: u32,    // of the band, which consists of whole rows of tiles
  tiles: u32,        // in the band
  row: u32,          // the strip's first row in the image
  imageHeight: u32,
  first: u32,        // index of the value at the band's first pixel; the rows around the band lie around it
  begin: u32,        // labels [begin, begin + count) of the strip, counted from 0, have records here
  count: u32,
}

@group(0) @binding(0) var<uniform> parameters: Parameters;
@group(0) @binding(1) var<storage, read> bits: array<u32>;
// The other polarity, which is not background either. The same plane again if there is only one.
@group(0) @binding(2) var<storage, read> bits2: array<u32>;
@group(0) @binding(3) var<storage, read> segments: array<u32>;
@group(0) @binding(4) var<storage, read> tileTable: array<vec4u>;
@group(0) @binding(5) var<storage, read> map: array<u32>;
@group(0) @binding(6) var<storage, read> pixels: array<u32>;
// Fourteen u32, from zero: ~(min + 32768), max + 32768; then low and high words of the sums of v, v v, v x,
// v y, of the background values across edges, and the number of those edges.
@group(0) @binding(7) var<storage, read_write> records: array<atomic<u32>>;

// 0 u8, 1 u16, 2 i16.
override TYPE: u32 = 0u;
override CONTRAST: bool = false;

// include lib/cells.wgsl
// include lib/label-table.wgsl
// include lib/pixels.wgsl
// include lib/sum64.wgsl

const RECORD = 14u;
const SLOTS = 128u;
// Components of a tile that are looked up in the table.
const LISTED = 256u;

// Labels of the slots; 0 is free.
var<workgroup> keys: array<atomic<u32>, 128>;
// The slots of the tile's components.
var<workgroup> slots: array<u32, 256>;
// A record per slot.
var<workgroup> partial: array<atomic<u32>, 1792>;

fn value(x: u32, y: u32) -> i32 {
  // Rows count from the band's first row. For the row above it, the index wraps to one before `first`.
  let at = parameters.first + y * parameters.width + x;
  if (TYPE == 0u) { return i32(byteAt(at)); }
  let v = shortAt(at);
  return select(i32(v), signed16(v), TYPE == 2u);
}

// a times b for a signed a: the product of the magnitudes, with the sign put back.
fn scale(a: i32, b: u32) -> vec2u {
  let product = multiply(u32(abs(a)), b);
  if (a >= 0) { return product; }
  return plus64(~product, vec2u(1u, 0u));
}

struct Sums {
  n: u32,
  least: i32,
  most: i32,
  sum: i32,
  squares: vec2u,
  x: i32,            // relative to the tile's corner
  edgeSum: i32,
  edges: u32,
}

fn none() -> Sums {
  return Sums(0u, 65536, -65536, 0, vec2u(), 0, 0, 0u);
}

fn addTo(place: u32, value: vec2u, far: bool) {
  var before: u32;
  if (far) { before = atomicAdd(&records[place], value.x); } else { before = atomicAdd(&partial[place], value.x); }
  // The thread that makes the low word wrap carries into the high one.
  let high = upperOf(before, value);
  if (high == 0u) { return; }
  if (far) { atomicAdd(&records[place + 1u], high); } else { atomicAdd(&partial[place + 1u], high); }
}

// Adds the sums of one of the tile's components.
fn add(base: u32, id: u32, slot: u32, x: u32, y: u32, s: Sums) {
  if (s.n == 0u) { return; }
  let far = slot == NOWHERE;
  var at = slot * RECORD;
  if (far) {
    let object = map[base + id] - 1u - parameters.begin;
    if (object >= parameters.count) { return; }
    at = object * RECORD;
    atomicMax(&records[at], ~u32(s.least + 32768));
    atomicMax(&records[at + 1u], u32(s.most + 32768));
  } else {
    atomicMax(&partial[at], ~u32(s.least + 32768));
    atomicMax(&partial[at + 1u], u32(s.most + 32768));
  }
  addTo(at + 2u, widen(s.sum), far);
  addTo(at + 4u, s.squares, far);
  addTo(at + 6u, plus64(scale(s.sum, x), widen(s.x)), far);
  addTo(at + 8u, scale(s.sum, y), far);
  if (CONTRAST) {
    addTo(at + 10u, widen(s.edgeSum), far);
    addTo(at + 12u, vec2u(s.edges, 0u), far);
  }
}

// Background of both polarities at a word of the strip's bits.
fn open(at: u32) -> u32 {
  return ~(bits[at] | bits2[at]);
}

fn addWord(base: u32, x: u32, column: u32, row: u32, inTile: u32, bandRow: u32) {
  let index = row * parameters.words + column;
  // Row r of the strip is row r + 1 of its bits.
  let at = index + parameters.words;
  var rest = bits[at];
  let segmentStarts = startsOf(cellOf(rest, column, row));
  let segment = segmentsAt(column, row);
  let y = parameters.row + row;
  let inBand = row - bandRow;
  var id = NOWHERE;
  var slot = NOWHERE;
  var s = none();
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
        s = none();
      }
      id = other;
      slot = own;
    }
    s.n += length;
    for (var i = begin; i < end; i++) {
      let v = value(column * 32u + i, inBand);
      s.least = min(s.least, v);
      s.most = max(s.most, v);
      s.sum += v;
      s.squares = plus64(s.squares, vec2u(u32(v * v), 0u));
      s.x += v * i32(inTile * 32u + i);
    }
    if (CONTRAST) {
      let left = column * 32u + begin;
      let right = column * 32u + end;
      if (left > 0u) {
        var outside = open(at);
        if (begin == 0u) { outside = open(at - 1u); }
        if (((outside >> ((begin - 1u) & 31u)) & 1u) == 1u) {
          s.edgeSum += value(left - 1u, inBand);
          s.edges++;
        }
      }
      if (right < parameters.width) {
        var outside = open(at);
        if (end == 32u) { outside = open(at + 1u); }
        if (((outside >> (end & 31u)) & 1u) == 1u) {
          s.edgeSum += value(right, inBand);
          s.edges++;
        }
      }
      if (y > 0u) {
        for (var o = open(index) & ones; o != 0u; o &= o - 1u) {
          s.edgeSum += value(column * 32u + countTrailingZeros(o), inBand - 1u);
          s.edges++;
        }
      }
      if (y + 1u < parameters.imageHeight) {
        for (var o = open(at + parameters.words) & ones; o != 0u; o &= o - 1u) {
          s.edgeSum += value(column * 32u + countTrailingZeros(o), inBand + 1u);
          s.edges++;
        }
      }
    }
  }
  add(base, id, slot, x, y, s);
}

@compute @workgroup_size(128)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) t: u32,
) {
  let inBand = group.y * groups.x + group.x;
  if (inBand >= parameters.tiles) { return; }
  let tile = parameters.firstTile + inBand;
  let info = tileTable[tile];
  if (info.y == 0u) { return; }
  for (var i = t; i < min(info.y, LISTED); i += 128u) { slots[i] = slotOf(map[info.x + i]); }
  // All slots are stored.
  workgroupBarrier();
  let tileColumn = (tile % parameters.tileColumns) * COLUMNS;
  let tileRow = (tile / parameters.tileColumns) * ROWS * CELL;
  let bandRow = (parameters.firstTile / parameters.tileColumns) * ROWS * CELL;
  let column = tileColumn + (t & 3u);
  for (var i = 0u; i < CELL; i++) {
    let row = tileRow + (t >> 2u) * CELL + i;
    if (column < parameters.words && row < parameters.height) {
      addWord(info.x, tileColumn * 32u, column, row, t & 3u, bandRow);
    }
  }
  // The tile's sums are complete.
  workgroupBarrier();
  let label = atomicLoad(&keys[t]);
  let object = label - 1u - parameters.begin;
  let source = t * RECORD;
  // The extremes of a slot with pixels are not 0.
  if (label == 0u || object >= parameters.count || atomicLoad(&partial[source]) == 0u) { return; }
  let at = object * RECORD;
  atomicMax(&records[at], atomicLoad(&partial[source]));
  atomicMax(&records[at + 1u], atomicLoad(&partial[source + 1u]));
  for (var field = 2u; field < RECORD; field += 2u) {
    addTo(at + field, vec2u(atomicLoad(&partial[source + field]), atomicLoad(&partial[source + field + 1u])), true);
  }
}
