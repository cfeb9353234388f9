// Contours and hulls of one object, pixel by pixel: by looking around each pixel, and by gift wrapping.

/** Whether a pixel belongs to the object; outside the image none does. */
export type IsInside = (x: number, y: number) => boolean;

export type Point = readonly [number, number];

/** The weights of scikit-image's `perimeter`, by 10 times the diagonal and twice the other border pixels around, and 1. */
const STEPS = new Map<number, number>([
  ...[5, 7, 15, 17, 25, 27].map((sum) => [sum, 1] as const),
  ...[21, 33].map((sum) => [sum, Math.SQRT2] as const),
  ...[13, 23].map((sum) => [sum, (1 + Math.SQRT2) / 2] as const),
]);

export function perimeter(pixels: readonly Point[], is: IsInside): number {
  const isBorder = (x: number, y: number): boolean =>
    is(x, y) && !(is(x - 1, y) && is(x + 1, y) && is(x, y - 1) && is(x, y + 1));
  const sums = pixels
    .filter(([x, y]) => isBorder(x, y))
    .map(([x, y]) => {
      let sum = 1;
      for (const dx of [-1, 0, 1]) {
        for (const dy of [-1, 0, 1]) {
          if ((dx !== 0 || dy !== 0) && isBorder(x + dx, y + dy)) sum += dx !== 0 && dy !== 0 ? 10 : 2;
        }
      }
      return sum;
    });
  return sums.reduce((length, sum) => length + (STEPS.get(sum) ?? 0), 0);
}

/** Lines in four directions enter the object so often; those along diagonals count with 1 / sqrt 2. */
export function crofton(pixels: readonly Point[], is: IsInside): number {
  const entries = (dx: number, dy: number): number => pixels.filter(([x, y]) => !is(x + dx, y + dy)).length;
  return (Math.PI / 4) * (entries(-1, 0) + entries(0, -1) + (entries(-1, -1) + entries(1, -1)) / Math.SQRT2);
}

const turn = ([ax, ay]: Point, [bx, by]: Point, [cx, cy]: Point): number =>
  (bx - ax) * (cy - ay) - (by - ay) * (cx - ax);

/** The corners of the convex hull by gift wrapping, clockwise as seen with y down, from the topmost of the leftmost. */
export function hull(points: readonly Point[]): Point[] {
  const first = points.reduce((a, b) => (b[0] < a[0] || (b[0] === a[0] && b[1] < a[1]) ? b : a));
  const corners = [first];
  for (;;) {
    const last = corners.at(-1) as Point;
    const apart = ([x, y]: Point): number => (x - last[0]) ** 2 + (y - last[1]) ** 2;
    const next = points.reduce((a, b) => {
      if (apart(b) === 0) return a;
      if (apart(a) === 0) return b;
      const side = turn(last, a, b);
      return side < 0 || (side === 0 && apart(b) > apart(a)) ? b : a;
    });
    if (next[0] === first[0] && next[1] === first[1]) return corners;
    corners.push(next);
  }
}

/** Whether a point lies within a hull, or on it. */
export function holds(corners: readonly Point[], point: Point): boolean {
  return corners.every((corner, i) => turn(corner, corners[(i + 1) % corners.length], point) >= 0);
}

/** The middles of pixels' sides, twice as far apart. */
export function middles(pixels: readonly Point[]): Point[] {
  return pixels.flatMap(([x, y]) => [
    [2 * x - 1, 2 * y] as const,
    [2 * x + 1, 2 * y] as const,
    [2 * x, 2 * y - 1] as const,
    [2 * x, 2 * y + 1] as const,
  ]);
}

/** The corners of pixels. */
export function squares(pixels: readonly Point[]): Point[] {
  return pixels.flatMap(([x, y]) => [
    [x, y] as const,
    [x + 1, y] as const,
    [x, y + 1] as const,
    [x + 1, y + 1] as const,
  ]);
}

/** Sizes of a hull across each of its edges, and along it. */
export function sizes(corners: readonly Point[]): { across: number; along: number }[] {
  return corners.map((corner, i) => {
    const next = corners[(i + 1) % corners.length];
    const length = Math.hypot(next[0] - corner[0], next[1] - corner[1]);
    const [x, y] = [(next[0] - corner[0]) / length, (next[1] - corner[1]) / length];
    const extent = (values: number[]): number => Math.max(...values) - Math.min(...values);
    return {
      across: extent(corners.map((point) => point[1] * x - point[0] * y)),
      along: extent(corners.map((point) => point[0] * x + point[1] * y)),
    };
  });
}
