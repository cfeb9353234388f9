// Rows of labels as expandRuns writes them.

/** Bytes that it may write past the end of a row: four vectors are stored for a run of more than four pixels. */
export const SLACK_BYTES: usize = 48;
