// Sums and bounds in the records of components. A kernel that includes this includes sum64.wgsl and declares `records`
// with atomics.

// Adds a 64-bit number; the thread that makes the low word wrap carries into the high one.
fn add64(at: u32, value: vec2u) {
  let high = upperOf(atomicAdd(&records[at], value.x), value);
  if (high != 0u) { atomicAdd(&records[at + 1u], high); }
}

// Raises a bound. Bounds only grow, so a value that does not exceed the bound needs no atomic.
fn grow(at: u32, value: u32) {
  if (atomicLoad(&records[at]) < value) { atomicMax(&records[at], value); }
}
