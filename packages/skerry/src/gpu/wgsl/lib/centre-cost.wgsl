// Sums of absolute differences instead of squared distances.
override L1: bool = false;

// Coordinates have 15 bits, so a sum of three squares fits a u32.
fn cost(a: vec3u, b: vec3u) -> u32 {
  let d = vec3u(abs(vec3i(a) - vec3i(b)));
  if (L1) { return d.x + d.y + d.z; }
  return d.x * d.x + d.y * d.y + d.z * d.z;
}
