// Counters of measureValues.

/** Bytes of counters: of levels of 8 bits or of a byte of a key, and of levels of 16 bits. */
export const BYTE_COUNTERS: usize = 1024;
export const LEVEL_COUNTERS: usize = 262144;
