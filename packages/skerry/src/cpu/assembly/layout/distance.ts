// Types in which distances are computed and written.

/** Lengths as f32, squares as u32, squares as u16. */
export const DISTANCE: u32 = 0;
export const SQUARED: u32 = 1;
export const SQUARED_16: u32 = 2;

/** Kinds of costs. */
export const U16: u32 = 0;
export const I32: u32 = 1;
export const F32: u32 = 2;

/** Bytes of nearestInByte's table: a u16 for each of the 8 pixels of each of the 256 byte values. */
export const BYTE_TABLE_BYTES: usize = 4096;
