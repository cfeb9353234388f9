// Indices of the counters of a watershed; gpu/watershed.ts reads them by the same names. components-rank-total.wgsl writes
// the number of marked bits to BASINS.
const SADDLES = 0u;
const BASINS = 1u;
const LIVE = 4u;
const RUNS = 5u;
// Number of counters.
const COUNTERS = 8u;
