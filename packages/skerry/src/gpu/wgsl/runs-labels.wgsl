// Writes the label of each run of a plane, numbered as in runs-emit.wgsl. The label is that of the run's
// first segment, in the word where the run begins.

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

// include lib/cells.wgsl
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
  let segment = segmentsAt(column, row);
  let base = firstNode(column, row);
  let segmentStarts = startsOf(cellOf(c, column, row));
  for (var starts = runStarts(c, at, column); starts != 0u; starts &= starts - 1u) {
    let upTo = starts ^ (starts - 1u);
    let run = before + countOneBits(marks[index] & (upTo >> 1u));
    if (run < parameters.count) {
      let k = countOneBits(segmentStarts & upTo) - 1u;
      labels[run] = map[base + componentAt(segment, k)];
    }
  }
}
