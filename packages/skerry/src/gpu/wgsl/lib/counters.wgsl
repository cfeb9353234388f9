// Indices of the counters that kernels share; counters.ts reads them by the same names.
const NODES = 0u;
const COMPONENTS = 1u;
const PIXELS = 2u;
const RUNS = 3u;
