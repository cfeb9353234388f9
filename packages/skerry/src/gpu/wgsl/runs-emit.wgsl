// Writes rows, begins and ends of the runs of a plane. The number of a run is the rank of its first pixel among
// the marked pixels. The thread of the run's last word writes its end.

struct Parameters {
  words: u32,        // per row
  total: u32,        // words of the strip
  row: u32,          // the strip's first row in the image
  begin: u32,        // runs [begin, begin + count) have room here, counted from 0
  count: u32,
}

@group(0) @binding(0) var<uniform> parameters: Parameters;
@group(0) @binding(1) var<storage, read> bits: array<u32>;
@group(0) @binding(2) var<storage, read> marks: array<u32>;
@group(0) @binding(3) var<storage, read> ranks: array<u32>;
@group(0) @binding(4) var<storage, read> blocks: array<u32>;
// Rows, begins and ends, `count` each.
@group(0) @binding(5) var<storage, read_write> runs: array<u32>;

// include lib/ranks.wgsl
// include lib/run-starts.wgsl

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
  let before = rankOf(index) - parameters.begin;
  let mine = marks[index];
  var next = 0u;
  if (column + 1u < parameters.words) { next = bits[at + 1u] & 1u; }
  for (var starts = runStarts(c, at, column); starts != 0u; starts &= starts - 1u) {
    let run = before + countOneBits(mine & ((starts ^ (starts - 1u)) >> 1u));
    if (run < parameters.count) {
      runs[run] = parameters.row + row;
      runs[parameters.count + run] = column * 32u + countTrailingZeros(starts);
    }
  }
  // Last pixels of runs: no pixel follows in this word or the next.
  for (var lasts = c & ~((c >> 1u) | (next << 31u)); lasts != 0u; lasts &= lasts - 1u) {
    let run = before + countOneBits(mine & (lasts ^ (lasts - 1u))) - 1u;
    if (run < parameters.count) {
      runs[2u * parameters.count + run] = column * 32u + countTrailingZeros(lasts) + 1u;
    }
  }
}
