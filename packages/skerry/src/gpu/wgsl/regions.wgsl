// Adds up area, bounds and first moments of the components: tile by tile in workgroup memory, then once per
// tile and component into the records.
//
// Two words of a row per thread, whose segments of one component are added up before any atomic: a full tile
// costs a few atomics per thread, and a component that fills the image one set of them per tile.

struct Parameters {
  words: u32,        // per row
  height: u32,
  tileColumns: u32,
  tiles: u32,
  row: u32,          // of the strip in the image
  begin: u32,        // labels [begin, begin + count) have records here, counted from 0
  count: u32,
}

@group(0) @binding(0) var<uniform> parameters: Parameters;
@group(0) @binding(1) var<storage, read> bits: array<u32>;
@group(0) @binding(2) var<storage, read> segments: array<u32>;
@group(0) @binding(3) var<storage, read> tileTable: array<vec4u>;
@group(0) @binding(4) var<storage, read> map: array<u32>;
// Nine u32, from zero: area, ~x0, ~y0, x1, y1, sum of x (low, high), sum of y (low, high).
@group(0) @binding(5) var<storage, read_write> records: array<atomic<u32>>;

const COLUMNS = 4u;
const ROWS = 32u;
const RECORD = 9u;
// Components of a tile that are added up in workgroup memory; further ones, which are small, go straight on.
const SHARED = 256u;

// A tile has 4096 pixels: its area takes 13 bits and its sum of rows 17, in one counter.
var<workgroup> areas: array<atomic<u32>, 256>;
var<workgroup> sums: array<atomic<u32>, 256>;
var<workgroup> lows: array<atomic<u32>, 256>;
var<workgroup> highs: array<atomic<u32>, 256>;
var<workgroup> lines: array<atomic<u32>, 256>;

// The 64-bit product, low word first.
fn multiply(a: u32, b: u32) -> vec2u {
  let low = (a & 0xffffu) * (b & 0xffffu);
  let middle = (a >> 16u) * (b & 0xffffu) + (low >> 16u);
  let other = (a & 0xffffu) * (b >> 16u) + (middle & 0xffffu);
  return vec2u(a * b, (a >> 16u) * (b >> 16u) + (middle >> 16u) + (other >> 16u));
}

// Adds a 64-bit number; the thread that makes the low word wrap carries into the high one.
fn add64(at: u32, value: vec2u) {
  let before = atomicAdd(&records[at], value.x);
  let high = value.y + select(0u, 1u, before + value.x < before);
  if (high != 0u) { atomicAdd(&records[at + 1u], high); }
}

// n pixels from column x0 up to x1 of the tile at (x, y), with the sums of their columns and rows within it.
fn flush(node: u32, x: u32, y: u32, n: u32, sumX: u32, sumY: u32, x0: u32, x1: u32, line: u32) {
  let label = map[node] - 1u - parameters.begin;
  if (label >= parameters.count) { return; }
  let at = label * RECORD;
  let y0 = y + countTrailingZeros(line);
  let y1 = y + 32u - countLeadingZeros(line);
  atomicAdd(&records[at], n);
  atomicMax(&records[at + 1u], ~(x + x0));
  atomicMax(&records[at + 2u], ~y0);
  atomicMax(&records[at + 3u], x + x1);
  atomicMax(&records[at + 4u], y1);
  let momentX = multiply(n, x);
  let momentY = multiply(n, y);
  let lowX = momentX.x + sumX;
  let lowY = momentY.x + sumY;
  add64(at + 5u, vec2u(lowX, momentX.y + select(0u, 1u, lowX < sumX)));
  add64(at + 7u, vec2u(lowY, momentY.y + select(0u, 1u, lowY < sumY)));
}

@compute @workgroup_size(64)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) t: u32,
) {
  let tile = group.y * groups.x + group.x;
  if (tile >= parameters.tiles) { return; }
  let info = tileTable[tile];
  if (info.y == 0u) { return; }
  let shared_ = min(info.y, SHARED);
  for (var i = t; i < shared_; i += 64u) { atomicStore(&lows[i], 0xffffffffu); }
  // Nobody adds before everything is neutral.
  workgroupBarrier();

  let tileColumn = (tile % parameters.tileColumns) * COLUMNS;
  let tileRow = (tile / parameters.tileColumns) * ROWS;
  let x = tileColumn * 32u;
  let y = parameters.row + tileRow;
  let line = t >> 1u;
  let row = tileRow + line;
  if (row < parameters.height) {
    var id = 0xffffffffu;
    var n = 0u;
    var sum = 0u;
    var x0 = 0u;
    var x1 = 0u;
    for (var half = 0u; half < 2u; half++) {
      let inTile = (t & 1u) * 2u + half;
      let column = tileColumn + inTile;
      if (column >= parameters.words) { break; }
      let index = row * parameters.words + column;
      // Row r of the strip is row r + 1 of its bits.
      var c = bits[index + parameters.words];
      var k = 0u;
      var pair = 0u;
      var origin = inTile * 32u;
      while (c != 0u) {
        // The lowest segment: it begins at the lowest bit, and ends where adding that bit stops carrying.
        let begin = countTrailingZeros(c);
        let length = countTrailingZeros(~(c >> begin));
        c &= ~(((0xffffffffu >> (32u - length))) << begin);
        if ((k & 1u) == 0u) { pair = segments[index * 8u + (k >> 1u)]; }
        let other = (pair >> ((k & 1u) * 16u)) & 0xffffu;
        if (other != id) {
          add(info.x, id, x, y, line, n, sum, x0, x1);
          id = other;
          n = 0u;
          sum = 0u;
          x0 = origin + begin;
        }
        n += length;
        sum += (length * (2u * (origin + begin) + length - 1u)) >> 1u;
        x1 = origin + begin + length;
        k++;
      }
    }
    add(info.x, id, x, y, line, n, sum, x0, x1);
  }
  // The tile's sums are complete.
  workgroupBarrier();
  for (var i = t; i < shared_; i += 64u) {
    let packed = atomicLoad(&areas[i]);
    if (packed == 0u) { continue; }
    flush(
      info.x + i, x, y, packed & 0x1fffu, atomicLoad(&sums[i]), packed >> 13u,
      atomicLoad(&lows[i]), atomicLoad(&highs[i]), atomicLoad(&lines[i]),
    );
  }
}

fn add(base: u32, id: u32, x: u32, y: u32, line: u32, n: u32, sum: u32, x0: u32, x1: u32) {
  if (n == 0u) { return; }
  if (id >= SHARED) {
    flush(base + id, x, y, n, sum, n * line, x0, x1, 1u << line);
    return;
  }
  atomicAdd(&areas[id], n | ((n * line) << 13u));
  atomicAdd(&sums[id], sum);
  atomicMin(&lows[id], x0);
  atomicMax(&highs[id], x1);
  atomicOr(&lines[id], 1u << line);
}
