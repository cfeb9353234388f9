// Scratch of smoothLines, smoothBand and smoothSlices.

/** Bytes of sums. */
export const SMOOTH_SUM_BYTES: usize = 4096;

/** Values of a row that are smoothed along both axes before the next ones. Rows of a tile stay in the L2 cache; shorter ones wait for memory, since each begins in another page. A multiple of 64. */
export const SMOOTH_TILE: usize = 2048;
