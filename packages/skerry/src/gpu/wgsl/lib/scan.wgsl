// An inclusive scan by a workgroup of THREADS threads. A kernel that includes this declares `const THREADS` and
// `alias Scanned`, the type that is added up.

var<workgroup> scanned: array<Scanned, THREADS>;

// Each thread has written scanned[t]. Afterwards its own entry is ready; a barrier has to come before it reads others.
fn scan(t: u32) {
  // Inclusive scan, doubling the distance; a step reads before any thread writes.
  for (var step = 1u; step < THREADS; step *= 2u) {
    workgroupBarrier();
    var before = Scanned();
    if (t >= step) { before = scanned[t - step]; }
    workgroupBarrier();
    scanned[t] += before;
  }
}
