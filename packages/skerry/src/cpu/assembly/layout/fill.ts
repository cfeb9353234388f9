// What a call of the search comes back with.

export const DONE: i32 = 0;
/** It is called again with the row NEED. */
export const NEEDS_ROW: i32 = 1;
/** It is called again with a larger STACK. */
export const NEEDS_STACK: i32 = 2;
/** Labelling every pixel that matches is the shorter way. */
export const TOO_LARGE: i32 = 3;
