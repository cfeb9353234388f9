// Scratch of simplifyRings.

/** Bytes: the record of a ring, and per corner its place, an entry of the stack and a mark. */
export const SIMPLIFY_HEAD_BYTES: usize = 32;
export const SIMPLIFY_CORNER_BYTES: usize = 17;
