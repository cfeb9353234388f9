// Affine transforms from pixels to a world.

/** Numbers along x, y and z. */
export type Triple = readonly [x: number, y: number, z: number];

/** A row of an affine transform: factors of x, y and z, and what is added. */
export type AffineRow = readonly [x: number, y: number, z: number, added: number];
/** Coordinates of a world from indices of pixels, whose centres are whole numbers. */
export type ToWorld = readonly [AffineRow, AffineRow, AffineRow];

/** x' = a x + b y + c and y' = d x + e y + f, of pixel corners. */
export type Affine = readonly [a: number, b: number, c: number, d: number, e: number, f: number];

/** Coordinates of the world at an index. */
export const worldAt = (toWorld: ToWorld, [x, y, z]: Triple): Triple =>
  toWorld.map((row) => row[0] * x + row[1] * y + row[2] * z + row[3]) as unknown as Triple;

/** An affine transform whose indices begin at another pixel. */
export const movedTo = (toWorld: ToWorld, first: Triple): ToWorld => {
  const at = worldAt(toWorld, first);
  return toWorld.map(([x, y, z], i) => [x, y, z, at[i]]) as unknown as ToWorld;
};

/** An affine transform with its columns, and what is added, multiplied. */
export const scaledBy = (toWorld: ToWorld, columns: Triple, added: number): ToWorld =>
  toWorld.map(([x, y, z, t]) => [x * columns[0], y * columns[1], z * columns[2], t * added]) as unknown as ToWorld;

/** Columns of a transform. */
export const columnsOf = (toWorld: ToWorld): Triple[] =>
  [0, 1, 2].map((i) => toWorld.map((row) => row[i]) as unknown as Triple);
