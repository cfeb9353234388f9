// The match block: parameters of a pixel test, for the pixels of a fill or for links between neighbours. Offsets in bytes.

/** u32: linf, l1 or l2, by METRIC_CODE of core/colour-match.ts. */
export const METRIC: usize = 0;
/** u32. */
export const CHANNELS: usize = 4;
/** u32: by TYPE_CODE of core/pixels.ts. */
export const TYPE: usize = 8;
/** f64: the largest sum of absolute (l1) or squared (l2) differences. */
export const LIMIT: usize = 16;
/** Four f64 each: least and largest value (or difference from the other pixel), and the colour. */
export const LO: usize = 24;
export const HI: usize = 56;
export const COLOUR: usize = 88;
/** Bounds of u8, 48 bytes each: a whole number of pixels of 1, 3 or 4 bytes. */
export const LOWS: usize = 120;
export const HIGHS: usize = 168;
/** Bytes of a block. */
export const MATCH_BYTES: usize = 216;
