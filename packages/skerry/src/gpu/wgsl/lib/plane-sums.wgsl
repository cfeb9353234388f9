// Area, first moments and bounds along x and y: of pixels in registers, and by label in workgroup memory. A kernel that includes
// this includes label-table.wgsl and positions.wgsl.

// Labels of the slots; 0 is free.
var<workgroup> keys: array<atomic<u32>, 256>;
var<workgroup> areas: array<atomic<u32>, 256>;
var<workgroup> sumsX: array<atomic<u32>, 256>;
var<workgroup> sumsY: array<atomic<u32>, 256>;
var<workgroup> x0: array<atomic<u32>, 256>;
var<workgroup> x1: array<atomic<u32>, 256>;
var<workgroup> y0: array<atomic<u32>, 256>;
var<workgroup> y1: array<atomic<u32>, 256>;

struct PlaneSums {
  n: u32,
  x: u32,
  y: u32,
  x0: u32,
  x1: u32,
  y0: u32,
  y1: u32,
}

fn noPlaneSums() -> PlaneSums {
  return PlaneSums(0u, 0u, 0u, NOWHERE, 0u, NOWHERE, 0u);
}

// Adds the pixels of a cell whose corner lies at (x, y).
fn plusCell(s: PlaneSums, top: u32, bottom: u32, x: u32, y: u32) -> PlaneSums {
  let upper = countOneBits(top);
  let lower = countOneBits(bottom);
  var sums = s;
  sums.n += upper + lower;
  sums.x += (upper + lower) * x + positions(top) + positions(bottom);
  sums.y += (upper + lower) * y + lower;
  sums.x0 = min(s.x0, x + countTrailingZeros(top | bottom));
  sums.x1 = max(s.x1, x + 32u - countLeadingZeros(top | bottom));
  sums.y0 = min(s.y0, select(y + 1u, y, upper > 0u));
  sums.y1 = max(s.y1, select(y + 1u, y + 2u, lower > 0u));
  return sums;
}

fn addPlaneSums(slot: u32, s: PlaneSums) {
  atomicAdd(&areas[slot], s.n);
  atomicAdd(&sumsX[slot], s.x);
  atomicAdd(&sumsY[slot], s.y);
  // Bounds stop changing soon, and then need no atomics.
  if (atomicLoad(&x0[slot]) > s.x0) { atomicMin(&x0[slot], s.x0); }
  if (atomicLoad(&x1[slot]) < s.x1) { atomicMax(&x1[slot], s.x1); }
  if (atomicLoad(&y0[slot]) > s.y0) { atomicMin(&y0[slot], s.y0); }
  if (atomicLoad(&y1[slot]) < s.y1) { atomicMax(&y1[slot], s.y1); }
}

// The sums of a slot with `n` pixels.
fn planeSumsOf(slot: u32, n: u32) -> PlaneSums {
  return PlaneSums(
    n, atomicLoad(&sumsX[slot]), atomicLoad(&sumsY[slot]), atomicLoad(&x0[slot]), atomicLoad(&x1[slot]),
    atomicLoad(&y0[slot]), atomicLoad(&y1[slot]),
  );
}
