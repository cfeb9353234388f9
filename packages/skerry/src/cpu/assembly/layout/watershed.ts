// Heights and saddles of the watershed.

/** Kinds of heights: squared distances as integers and as f32; pixel values, as u32 keys in the order of the values. */
export const SQUARES: u32 = 0;
export const FLOAT_SQUARES: u32 = 1;
export const UNSIGNED: u32 = 2;
export const SIGNED: u32 = 3;
export const FLOATS: u32 = 4;

/** Bytes of a saddle: its two basins and its height. */
export const SADDLE_BYTES: usize = 12;
/** Bytes of the counters that sort saddles by one byte of a key. */
export const SORT_BYTES: usize = 1024;
