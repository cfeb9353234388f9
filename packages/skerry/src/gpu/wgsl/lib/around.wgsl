// The neighbours of pixels. A kernel that includes this declares `parameters` with width, height and depth.

// 4 or 8 in an image, 6, 18 or 26 in a volume. The compiler unrolls loops over neighbours by it.
override CONNECTIVITY: u32 = 8u;

// Distance of neighbours along z: 1 in a volume, 0 in an image.
override REACH_Z: i32 = 0;

// Whether a step of at most 1 along each axis leads to a neighbour. The zero step does not.
fn joins(x: i32, y: i32, z: i32) -> bool {
  let n = abs(x) + abs(y) + abs(z);
  if (CONNECTIVITY == 4u || CONNECTIVITY == 6u) { return n == 1; }
  if (CONNECTIVITY == 18u) { return n == 1 || n == 2; }
  return n > 0;
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

// The index of a neighbour. It must lie in the image.
fn stepFrom(place: u32, x: i32, y: i32, z: i32) -> u32 {
  return u32(i32(place) + (z * i32(parameters.height) + y) * i32(parameters.width) + x);
}
