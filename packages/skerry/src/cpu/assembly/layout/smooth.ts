// Scratch of smoothLines.

/** Bytes of sums. */
export const SMOOTH_SUM_BYTES: usize = 8192;
