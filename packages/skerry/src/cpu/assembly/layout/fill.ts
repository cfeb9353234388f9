// Results of a call of the search.

export const DONE: i32 = 0;
/** It is called again with the row NEED. */
export const NEEDS_ROW: i32 = 1;
/** It is called again with a larger STACK. */
export const NEEDS_STACK: i32 = 2;
/** The search takes longer than labelling every pixel that matches. */
export const TOO_LARGE: i32 = 3;
