// Operations on a pixel and its local mean.

/** Pixel minus local mean, pixel divided by local mean, and bits by a local threshold: of the mean, and of Sauvola. */
export const SUBTRACT: u32 = 0;
export const DIVIDE: u32 = 1;
export const MEAN: u32 = 2;
export const SAUVOLA: u32 = 3;

/** Bytes of scratch per column: the sum of its values, and of their squares. */
export const COLUMN_BYTES: usize = 16;
