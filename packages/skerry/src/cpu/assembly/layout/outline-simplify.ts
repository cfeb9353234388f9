// Scratch of simplifyRings.

/** Bytes of a ring's record. Bytes per corner: x and y, an entry of the stack, and a mark. */
export const SIMPLIFY_HEAD_BYTES: usize = 32;
export const SIMPLIFY_CORNER_BYTES: usize = 17;
