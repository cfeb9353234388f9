// The normal of a window of labels: the window's columns and rows lie along the other two axes.

export const X: u32 = 0;
export const Y: u32 = 1;
export const Z: u32 = 2;
