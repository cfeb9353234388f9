// Lists of centres, and costs.

/** Colours per block, and blocks per group. */
export const BLOCK: u32 = 64;
export const GROUP: u32 = 64;

/** Bytes of one of the three parts of a list of centres: (x, y) of up to 256 and a few more, then (z, 0), then their numbers. */
export const LIST: usize = 1040;
/** Bytes of the sums of a class: count, x, y and z as i64. */
export const SUM_BYTES: usize = 32;

/** Metrics are numbers, and in specialised code the size of a type parameter: 1 byte for l2, 2 for l1. */
export const L2: u32 = 0;
export const L1: u32 = 1;

/** Bytes of a colour: x and y, z, weight, key; of a box of a block or group. */
export const COLOUR_BYTES: usize = 16;
export const BOX_BYTES: usize = 16;
/** Bytes of plantCentre's state: the generator and the total; per group or block its sum and its dearest cost. */
export const PLANT_HEAD_BYTES: usize = 16;
export const PLANT_SUM_BYTES: usize = 12;

/** Classes of an image. */
export const MOST_CLASSES: u32 = 256;
