// The box of each block of 64 colours: its least and its largest coordinates, packed like points. A workgroup has four blocks.

struct Parameters {
  colours: u32,
}

@group(0) @binding(0) var<uniform> parameters: Parameters;
@group(0) @binding(1) var<storage, read> points: array<u32>;
@group(0) @binding(2) var<storage, read_write> boxes: array<vec2u>;

// include lib/points.wgsl

var<workgroup> least: array<atomic<u32>, 12>;
var<workgroup> most: array<atomic<u32>, 12>;

@compute @workgroup_size(256)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) t: u32,
) {
  if (t < 12u) { atomicStore(&least[t], 1023u); }
  // Boxes are empty before any colour is added.
  workgroupBarrier();
  let begin = (group.y * groups.x + group.x) * 256u;
  let own = (t / 64u) * 3u;
  if (begin + t < parameters.colours) {
    let point = points[begin + t];
    for (var axis = 0u; axis < 3u; axis++) {
      let value = (point >> (axis * 10u)) & 1023u;
      atomicMin(&least[own + axis], value);
      atomicMax(&most[own + axis], value);
    }
  }
  // All colours have been added.
  workgroupBarrier();
  if (t % 64u == 0u && begin + t < parameters.colours) {
    boxes[(begin + t) / 64u] = vec2u(
      packed(atomicLoad(&least[own]), atomicLoad(&least[own + 1u]), atomicLoad(&least[own + 2u])),
      packed(atomicLoad(&most[own]), atomicLoad(&most[own + 1u]), atomicLoad(&most[own + 2u])),
    );
  }
}
