// The block of a search from a seed: a match block (layout/match.ts), then these fields. Offsets in bytes.

import { MATCH_BYTES } from "./match";

export const PIXELS: usize = MATCH_BYTES;
export const WIDTH: usize = MATCH_BYTES + 4;
export const HEIGHT: usize = MATCH_BYTES + 8;
/** u8 per row: whether its pixels (and its bits of the fence) are present; 0 if all rows are. */
export const PRESENT: usize = MATCH_BYTES + 12;
export const FENCE: usize = MATCH_BYTES + 16;
export const PLANE: usize = MATCH_BYTES + 20;
/** u8 per row: whether its bits and cells are initialised. */
export const TOUCHED: usize = MATCH_BYTES + 24;
/** Words with reached bits whose neighbours are not processed yet: u32 y * words + column, each once. */
export const STACK: usize = MATCH_BYTES + 28;
export const CAPACITY: usize = MATCH_BYTES + 32;
export const COUNT: usize = MATCH_BYTES + 36;
export const EIGHT: usize = MATCH_BYTES + 40;
/** 0 for a fixed range, 1 for a floating one, 2 for a floating one with symmetric steps. */
export const FLOATING: usize = MATCH_BYTES + 44;
/** The seed, at SEED_X and SEED_Y. PENDING is 0 once it is processed. */
export const PENDING: usize = MATCH_BYTES + 48;
export const SEED_X: usize = MATCH_BYTES + 52;
export const SEED_Y: usize = MATCH_BYTES + 56;
/** The missing row, after NEEDS_ROW. */
export const NEED: usize = MATCH_BYTES + 60;
/** Rows [TOP, BOTTOM) include all touched rows. After the last seed all of them have valid bits. */
export const TOP: usize = MATCH_BYTES + 64;
export const BOTTOM: usize = MATCH_BYTES + 68;
/** Whether this is the last seed. */
export const LAST: usize = MATCH_BYTES + 72;
export const RUNS: usize = MATCH_BYTES + 76;
/** A cell per word: bits to propagate, the set of computed masks, and the masks; CELL_BYTES each. */
export const CELLS: usize = MATCH_BYTES + 80;
export const CELL_BYTES: usize = MATCH_BYTES + 84;
/** Pixels reached, when the search is done. */
export const AREA: usize = MATCH_BYTES + 88;
/** REACHED: how often a word was reached. TESTED: words whose pixels were tested. STARTS: the runs in these. */
export const REACHED: usize = MATCH_BYTES + 96;
export const TESTED: usize = MATCH_BYTES + 104;
export const STARTS: usize = MATCH_BYTES + 112;
/** Limit of the search: a fraction of the cost of labelling, times the words of the image; infinite for no limit. */
export const BUDGET: usize = MATCH_BYTES + 120;

/** Bytes of a block. */
export const SEARCH_BYTES: usize = MATCH_BYTES + 128;
