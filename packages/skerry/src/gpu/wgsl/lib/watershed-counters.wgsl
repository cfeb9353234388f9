// Places in the counters of a watershed; gpu/watershed.ts reads them by the same names. BASINS is where
// components-rank-total.wgsl leaves the number of marked bits.
const SADDLES = 0u;
const BASINS = 1u;
const LIVE = 4u;
const RUNS = 5u;
// How many there are.
const COUNTERS = 8u;
