// Writes the label of each run of a plane, numbered as in runs.wgsl: the first segment of a run, in the word
// that the run begins in, tells it.

struct Parameters {
  words: u32,        // per row
  total: u32,        // words of the strip
  tileColumns: u32,
  begin: u32,        // runs [begin, begin + count) have room here, counted from 0
  count: u32,
}

@group(0) @binding(0) var<uniform> parameters: Parameters;
@group(0) @binding(1) var<storage, read> bits: array<u32>;
@group(0) @binding(2) var<storage, read> segments: array<u32>;
@group(0) @binding(3) var<storage, read> tileTable: array<vec4u>;
@group(0) @binding(4) var<storage, read> map: array<u32>;
@group(0) @binding(5) var<storage, read> marks: array<u32>;
@group(0) @binding(6) var<storage, read> ranks: array<u32>;
@group(0) @binding(7) var<storage, read> blocks: array<u32>;
@group(0) @binding(8) var<storage, read_write> labels: array<u32>;

// Rows per cell, as in label.wgsl: 1 with 4-connectivity, 2 with 8.
override CELL: u32 = 1u;

const COLUMNS = 4u;
const ROWS = 32u;

@compute @workgroup_size(256)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) local: u32,
) {
  let index = (group.y * groups.x + group.x) * 256u + local;
  if (index >= parameters.total) { return; }
  // Row r of the strip is row r + 1 of its bits.
  let at = index + parameters.words;
  let c = bits[at];
  if (c == 0u) { return; }
  let row = index / parameters.words;
  let column = index % parameters.words;
  var before = blocks[(index >> 11u) * 3u] + ranks[index >> 3u] - parameters.begin;
  for (var j = index & ~7u; j < index; j++) { before += countOneBits(marks[j]); }
  var carry = 0u;
  if (column > 0u) { carry = bits[at - 1u] >> 31u; }
  let line = row / CELL;
  let base = tileTable[(line / ROWS) * parameters.tileColumns + column / COLUMNS].x;
  var cell = c;
  if (CELL == 2u) { cell |= bits[((row ^ 1u) + 1u) * parameters.words + column]; }
  let segmentStarts = cell & ~(cell << 1u);
  for (var starts = c & ~((c << 1u) | carry); starts != 0u; starts &= starts - 1u) {
    let upTo = starts ^ (starts - 1u);
    let run = before + countOneBits(marks[index] & (upTo >> 1u));
    if (run < parameters.count) {
      let k = countOneBits(segmentStarts & upTo) - 1u;
      let pair = segments[(line * parameters.words + column) * 8u + (k >> 1u)];
      labels[run] = map[base + ((pair >> ((k & 1u) * 16u)) & 0xffffu)];
    }
  }
}
