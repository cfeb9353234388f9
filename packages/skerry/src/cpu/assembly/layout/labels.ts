// Rows of labels as expandRuns writes them.

/** Bytes that expandRuns may write past the end of a row: a run takes at least four 16-byte stores. */
export const SLACK_BYTES: usize = 64;
