// Tables of runs grouped by label.

/** Bytes of a run: row, begin, end and label. */
export const RUN_BYTES: usize = 16;
