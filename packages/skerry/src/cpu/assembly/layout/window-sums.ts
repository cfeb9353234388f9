// Operations on a pixel and the mean around it.

/** Pixels less their means, pixels over them, and bits of pixels beyond a local threshold: of the mean, and of Sauvola. */
export const SUBTRACT: u32 = 0;
export const DIVIDE: u32 = 1;
export const MEAN: u32 = 2;
export const SAUVOLA: u32 = 3;

/** Bytes of scratch per column: its sum, and that of its squares. */
export const COLUMN_BYTES: usize = 16;
