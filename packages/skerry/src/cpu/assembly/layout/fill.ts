// Results of a call of the search.

export const DONE: i32 = 0;
/** The host calls again once row NEED is present. */
export const NEEDS_ROW: i32 = 1;
/** The host calls again with a larger STACK. */
export const NEEDS_STACK: i32 = 2;
/** The search exceeded its BUDGET, a fraction of the cost of labelling every pixel that matches. */
export const TOO_LARGE: i32 = 3;
