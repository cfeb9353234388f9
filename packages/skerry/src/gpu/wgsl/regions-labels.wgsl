// Adds up area, bounds and first moments of the objects of a label image. A workgroup takes 256 columns and 64 rows of one slice, one
// column per thread. A thread sums the pixels of one label before any atomic; sums are kept by label in workgroup memory, then added
// once to the records. Labels that find no free slot are added directly to their records.

struct Parameters {
  width: u32,
  height: u32,       // rows of a slice
  depth: u32,
  columns: u32,      // workgroups across
  lines: u32,        // workgroups down a slice
}

@group(0) @binding(0) var<uniform> parameters: Parameters;
@group(0) @binding(1) var<storage, read> labels: array<u32>;
// The records of regions-2d.wgsl or, with SOLID, of regions-3d.wgsl.
@group(0) @binding(2) var<storage, read_write> records: array<atomic<u32>>;

// include lib/label-table.wgsl
// include lib/positions.wgsl
// include lib/plane-sums.wgsl
// include lib/records.wgsl
// include lib/sum64.wgsl

override SOLID: bool = false;

const SLOTS = 256u;
const ROWS = 64u;

// Adds sums, relative to (x, y), to a label's record.
fn flush(label: u32, x: u32, y: u32, z: u32, s: PlaneSums) {
  let sumX = plus64(vec2u(s.x, 0u), multiply(s.n, x));
  let sumY = plus64(vec2u(s.y, 0u), multiply(s.n, y));
  let axes = select(2u, 3u, SOLID);
  let at = (label - 1u) * (1u + 4u * axes);
  atomicAdd(&records[at], s.n);
  grow(at + 1u, ~(x + s.x0));
  grow(at + 2u, ~(y + s.y0));
  grow(at + 1u + axes, x + s.x1);
  grow(at + 2u + axes, y + s.y1);
  let sums = at + 1u + 2u * axes;
  add64(sums, sumX);
  add64(sums + 2u, sumY);
  if (SOLID) {
    grow(at + 3u, ~z);
    grow(at + 6u, z + 1u);
    add64(sums + 4u, multiply(s.n, z));
  }
}

@compute @workgroup_size(256)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) t: u32,
) {
  let block = group.y * groups.x + group.x;
  let z = block / (parameters.columns * parameters.lines);
  if (z >= parameters.depth) { return; }
  let x = block % parameters.columns * 256u;
  let y = block / parameters.columns % parameters.lines * ROWS;
  atomicStore(&x0[t], NOWHERE);
  atomicStore(&y0[t], NOWHERE);
  // Bounds are neutral.
  workgroupBarrier();
  if (x + t < parameters.width) {
    var label = 0u;
    var s = noPlaneSums();
    let rows = min(ROWS, parameters.height - y);
    for (var i = 0u; i <= rows; i++) {
      var next = 0u;
      if (i < rows) { next = labels[(z * parameters.height + y + i) * parameters.width + x + t]; }
      if (next != label) {
        if (label != 0u) {
          s.x = s.n * t;
          s.x0 = t;
          s.x1 = t + 1u;
          s.y1 = i;
          let slot = slotOf(label);
          if (slot == NOWHERE) { flush(label, x, y, z, s); } else { addPlaneSums(slot, s); }
        }
        label = next;
        s = noPlaneSums();
        s.y0 = i;
      }
      s.n++;
      s.y += i;
    }
  }
  // The sums are complete.
  workgroupBarrier();
  let n = atomicLoad(&areas[t]);
  if (n != 0u) { flush(atomicLoad(&keys[t]), x, y, z, planeSumsOf(t, n)); }
}
