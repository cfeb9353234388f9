// Counters of measureValues.

/** Bytes of counters for the 256 values of a level or of a key's byte, and for 65 536 levels. */
export const BYTE_COUNTERS: usize = 1024;
export const LEVEL_COUNTERS: usize = 262144;
