// Types in which distances are computed and written.

/** Lengths as f32, squares as u32, squares as u16. */
export const DISTANCE: u32 = 0;
export const SQUARED: u32 = 1;
export const SQUARED_16: u32 = 2;

/** Kinds of costs. */
export const U16: u32 = 0;
export const I32: u32 = 1;
export const F32: u32 = 2;

/** Bytes of the table of nearestInByte: u16 for 8 pixels of 256 bytes. */
export const BYTE_TABLE_BYTES: usize = 4096;
