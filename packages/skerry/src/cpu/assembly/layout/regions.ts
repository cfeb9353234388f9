// Records of sums per object, and the outputs of gatherRegions. `level` 0..3 selects a record's fields: each level includes
// the fields of the levels before it.

/** Bytes of a record of each level: of images, then of volumes. */
export const AREA_BYTES: usize = 8;
export const BOUNDS_BYTES: usize = 24;
export const CENTROID_BYTES: usize = 40;
export const SHAPE_BYTES: usize = 80;
export const SOLID_AREA_BYTES: usize = 8;
export const SOLID_BOUNDS_BYTES: usize = 32;
export const SOLID_CENTROID_BYTES: usize = 56;
export const SOLID_SHAPE_BYTES: usize = 136;
export const INTENSITY_BYTES: usize = 80;
/** The record of 32-bit integers: INTENSITY_BYTES, then the high halves of the sums of v v, v x, v y and v z. */
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

/** Components, counted through all strips, per entry of `firsts`. */
export const CHUNK: u32 = 32768;

/** Bytes of accumulateStrip's scratch `outline`: per word of a row, and in addition. */
export const OUTLINE_WORD_BYTES: usize = 48;
export const OUTLINE_HEAD_BYTES: usize = 64;
/** Bytes of the u32 addresses of three maps of labels: of the strip before, of a strip itself, and of the strip after it. */
export const MAPS_BYTES: usize = 12;
/** Bytes past the end of luma that vectors may touch. */
export const LUMA_SLACK_BYTES: usize = 256;
