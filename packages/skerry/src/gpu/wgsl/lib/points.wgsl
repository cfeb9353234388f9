// Points of RGB or Oklab: three coordinates of up to 10 bits in a word.

fn packed(x: u32, y: u32, z: u32) -> u32 {
  return x | (y << 10u) | (z << 20u);
}

fn coordinates(point: u32) -> vec3u {
  return (vec3u(point) >> vec3u(0u, 10u, 20u)) & vec3u(1023u);
}
