// The neighbours of pixels. A kernel that includes this declares `parameters` with width, height, depth and connectivity.

// Whether a step of at most 1 along each axis joins pixels; not the step to where one is.
fn joins(step: vec3i) -> bool {
  let n = abs(step.x) + abs(step.y) + abs(step.z);
  switch parameters.connectivity {
    case 4u, 6u: { return n == 1; }
    case 18u: { return n == 1 || n == 2; }
    default: { return n > 0; }
  }
}

fn placeOf(at: vec3i) -> u32 {
  return (u32(at.z) * parameters.height + u32(at.y)) * parameters.width + u32(at.x);
}

fn positionOf(place: u32) -> vec3i {
  let row = place / parameters.width;
  return vec3i(vec3u(place % parameters.width, row % parameters.height, row / parameters.height));
}

fn isInside(at: vec3i) -> bool {
  return all(at >= vec3i(0)) && at.x < i32(parameters.width) && at.y < i32(parameters.height) && at.z < i32(parameters.depth);
}
