// Marks the first pixel of each run of a plane.

struct Parameters {
  words: u32,        // per row
  total: u32,        // words of the strip
}

@group(0) @binding(0) var<uniform> parameters: Parameters;
@group(0) @binding(1) var<storage, read> bits: array<u32>;
@group(0) @binding(2) var<storage, read_write> marks: array<u32>;

// The plane of the second polarity marks its starts in addition to those of the first.
override SECOND: bool = false;

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
  var starts = runStarts(bits[at], at, index % parameters.words);
  if (SECOND) { starts |= marks[index]; }
  marks[index] = starts;
}
