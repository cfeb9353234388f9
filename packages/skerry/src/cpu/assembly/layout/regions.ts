// Records of sums per object, by level (each holds the fields of those before), and what gatherRegions makes of them.

/** Bytes of a record up to a level: of images, and of volumes. */
export const AREA_BYTES: usize = 8;
export const BOUNDS_BYTES: usize = 24;
export const CENTROID_BYTES: usize = 40;
export const SHAPE_BYTES: usize = 80;
export const SOLID_AREA_BYTES: usize = 8;
export const SOLID_BOUNDS_BYTES: usize = 32;
export const SOLID_CENTROID_BYTES: usize = 56;
export const SOLID_SHAPE_BYTES: usize = 136;
export const INTENSITY_BYTES: usize = 80;
/** The same of 32-bit integers: behind it the high halves of the sums v v, v x, v y and v z. */
export const WIDE_INTENSITY_BYTES: usize = 112;
export const WIDE_SUMS: usize = 4;

/** Kinds of intensity records: sums in i64, in f64, and in i64 with four of 128 bits. */
export const INTEGERS: u32 = 0;
export const FLOATS: u32 = 1;
export const WIDE: u32 = 2;

/** Kinds of fields that gatherRegions writes. */
export const COPY: u32 = 0;
export const AREA: u32 = 1;
export const CENTROID: u32 = 2;
export const BOUNDS: u32 = 3;
export const SOLID_CENTROID: u32 = 4;
export const SOLID_BOUNDS: u32 = 5;

/** Components of a strip per entry of `firsts`. */
export const CHUNK: u32 = 32768;

/** Bytes of accumulateStrip's scratch for contours, per word of a row and beside these. */
export const OUTLINE_WORD_BYTES: usize = 48;
export const OUTLINE_HEAD_BYTES: usize = 64;
/** Bytes of a strip's three maps of labels: those of the strips before and after it, and its own. */
export const MAPS_BYTES: usize = 12;
/** Bytes past the end of luma that vectors may touch. */
export const LUMA_SLACK_BYTES: usize = 256;
