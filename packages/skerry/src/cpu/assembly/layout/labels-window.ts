// The axis across which labels are cut out: the window's columns and rows go along the other two.

export const X: u32 = 0;
export const Y: u32 = 1;
export const Z: u32 = 2;
