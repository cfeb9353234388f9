// Lists of centres, and costs.

/** Colours per block, and blocks per group. */
export const BLOCK: u32 = 64;
export const GROUP: u32 = 64;

/** Bytes of each part of a list of centres: (x, y), then (z, 0), then class numbers, of up to 256 centres and 4 for padding. */
export const LIST: usize = 1040;
/** Bytes of the sums of a class: count, x, y and z as i64. */
export const SUM_BYTES: usize = 32;

/** Metrics. Specialised code selects one by the size of a type parameter instead: 1 byte for l2, 2 bytes for l1. */
export const L2: u32 = 0;
export const L1: u32 = 1;

/** Bytes of a colour (x and y, z, weight, key), and of the box of a block or group. */
export const COLOUR_BYTES: usize = 16;
export const BOX_BYTES: usize = 16;
/** Bytes of plantCentre's state: the generator and the total; per group or block, its sum and its largest cost of a pixel. */
export const PLANT_HEAD_BYTES: usize = 16;
export const PLANT_SUM_BYTES: usize = 12;

/** Largest number of classes of an image. */
export const MOST_CLASSES: u32 = 256;
