// A place in the picture, and how a press there changes the selection.

/** A pixel: x, y. */
export type Spot = readonly [number, number];

/** How a press changes the selection: replaces it, adds to it or removes from it. */
export type Mode = "new" | "add" | "take";
