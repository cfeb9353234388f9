// Scratch and results of traceOutlines.

/** Bytes of scratch: the record of the stretches, and per run its stretches and corners. */
export const TRACE_HEAD_BYTES: usize = 64;
export const TRACE_RUN_BYTES: usize = 70;
/** Bytes of corners per run: two sides with two corners each, x and y. */
export const OUTLINE_RUN_BYTES: usize = 32;
/** Numbers of a ring: the end of its corners, its label, whether it is a hole, the ring around it. */
export const RING_NUMBERS: usize = 4;
export const RING_BYTES: usize = 16;
