// An inclusive scan by a workgroup of THREADS threads. A kernel that includes this declares `const THREADS` and
// `alias Scanned`, the type that is added up.

var<workgroup> scanned: array<Scanned, THREADS>;

// Each thread must have written scanned[t] before. Afterwards its own entry is ready; it needs a barrier to read others.
fn scan(t: u32) {
  // The distance doubles from step to step. In a step all threads read before any thread writes.
  for (var step = 1u; step < THREADS; step *= 2u) {
    workgroupBarrier();
    var before = Scanned();
    if (t >= step) { before = scanned[t - step]; }
    workgroupBarrier();
    scanned[t] += before;
  }
}
