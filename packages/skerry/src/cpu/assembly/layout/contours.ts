// Records of contours: f64 each.

/** Numbers of a record: straight, diagonal and mixed pixels, crossings along the axes and along the diagonals. */
export const CONTOUR_FIELDS: usize = 5;
export const CONTOUR_BYTES: usize = 40;
