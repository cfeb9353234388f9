// Assigns every colour to its nearest centre, with a workgroup for each block of 64 neighbouring colours. First its
// threads discard the centres that are nearest to no point of the block's box. Then each thread tries the remaining
// centres for its colour. Discarding is exact (Kanungo et al. 2002), so classes are those of trying every centre.

struct Parameters {
  k: u32,
  colours: u32,
  fraction: u32,     // bits of a centre's coordinate below those of a colour's
}

@group(0) @binding(0) var<uniform> parameters: Parameters;
// The first entry is the state: 0 in x while iterations go on. Then come k centres.
@group(0) @binding(1) var<storage, read> centres: array<vec4u>;
@group(0) @binding(2) var<storage, read> boxes: array<vec2u>;
@group(0) @binding(3) var<storage, read> points: array<u32>;
@group(0) @binding(4) var<storage, read_write> classes: array<u32>;

// include lib/centre-cost.wgsl
// include lib/points.wgsl

var<workgroup> ended: u32;
var<workgroup> nearest: atomic<u32>;
var<workgroup> kept: atomic<u32>;
// Remaining centres, with their numbers in w, in no particular order.
var<workgroup> list: array<vec4u, 256>;

fn place(point: u32) -> vec3u {
  return coordinates(point) << vec3u(parameters.fraction);
}

@compute @workgroup_size(64)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) t: u32,
) {
  let block = group.y * groups.x + group.x;
  let k = parameters.k;
  if (t == 0u) {
    // Workgroups past the last block end, too.
    ended = select(centres[0].x, 1u, block * 64u >= parameters.colours);
    atomicStore(&nearest, 0xffffffffu);
  }
  if (workgroupUniformLoad(&ended) != 0u) { return; }
  let lo = place(boxes[block].x);
  let hi = place(boxes[block].y);
  let middle = (lo + hi) / vec3u(2u);
  // The reference is the centre nearest to the middle, or nearly so. Any centre would do; a near one discards more.
  for (var j = t; j < k; j += 64u) {
    atomicMin(&nearest, (cost(centres[j + 1u].xyz, middle) & 0xffffff00u) | j);
  }
  // All centres have been tried.
  workgroupBarrier();
  let measure = centres[(atomicLoad(&nearest) & 255u) + 1u].xyz;
  for (var j = t; j < k; j += 64u) {
    let centre = centres[j + 1u].xyz;
    // The corner furthest towards the centre. If even this corner is nearer to the reference, all points of the box are.
    let corner = select(lo, hi, centre > measure);
    if (cost(corner, measure) >= cost(corner, centre)) { list[atomicAdd(&kept, 1u)] = vec4u(centre, j); }
  }
  // The list is complete.
  workgroupBarrier();
  let i = block * 64u + t;
  if (i >= parameters.colours) { return; }
  let point = place(points[i]);
  let count = atomicLoad(&kept);
  var best = 0xffffffffu;
  var class_ = 0u;
  for (var n = 0u; n < count; n++) {
    let centre = list[n];
    let found = cost(point, centre.xyz);
    if (found < best || (found == best && centre.w < class_)) {
      best = found;
      class_ = centre.w;
    }
  }
  classes[i] = class_;
}
