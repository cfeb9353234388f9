// Scratch of nearRows.

/** Bytes beside a row of bits: two words on either side, and 16 bytes of slack. */
export const ROW_MARGIN_BYTES: usize = 48;
/** Rows of scratch. */
export const SCRATCH_ROWS: usize = 2;
