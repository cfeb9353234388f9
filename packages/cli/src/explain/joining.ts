// Connected components in two steps, as in the engine, but on pixels instead of bits and runs: first within each strip or
// tile, then across their seams. Plain union-find, for pictures of at most a few megapixels.

/** How many pixels wide and high a strip or tile is; those at the right and at the bottom may be smaller. */
export interface PieceSize {
  readonly width: number;
  readonly height: number;
}

/** Result of joining, step by step. */
export interface Joining {
  /** Stretches of one class within a row. */
  readonly runs: number;
  /** Strips or tiles. */
  readonly pieces: number;
  /** Labels within each strip or tile, which begin with 1 in every one of them. */
  readonly pieceNumbers: Uint32Array;
  /** Components before seams are joined, of all strips or tiles together. */
  readonly ownCount: number;
  /** Pairs of neighbouring foreground pixels on both sides of a seam. */
  readonly meetings: number;
  /** Meetings that joined two components which nothing before had joined. */
  readonly unions: number;
  /** 1 for pixels of a meeting. */
  readonly meets: Uint8Array;
  /** The labels of the whole image, dense, in raster order of each object's first pixel. */
  readonly labels: Uint32Array;
  readonly count: number;
}

/**
 * Labels the nonzero pixels of `classes`; neighbours join where their classes are equal.
 * Time and memory grow with the number of pixels: 13 bytes for each.
 */
export function joinPieces(
  classes: Uint8Array,
  { width, height }: PieceSize,
  connectivity: 4 | 8,
  piece: PieceSize,
): Joining {
  const parents = Uint32Array.from(classes, (_, i) => i);
  const meets = new Uint8Array(classes.length);
  const earlier = [
    [-1, 0],
    [0, -1],
    ...(connectivity === 8
      ? [
          [-1, -1],
          [1, -1],
        ]
      : []),
  ] as [number, number][];
  const columns = Math.ceil(width / piece.width);
  const pieceOf = (x: number, y: number): number =>
    Math.floor(y / piece.height) * columns + Math.floor(x / piece.width);
  let meetings = 0;
  let unions = 0;
  let runs = 0;
  const joinEach = (acrossSeams: boolean): void => {
    for (let y = 0; y < height; y++) {
      for (let x = 0; x < width; x++) {
        const at = y * width + x;
        if (classes[at] === 0) continue;
        if (!acrossSeams && (x === 0 || classes[at - 1] !== classes[at])) runs++;
        for (const [dx, dy] of earlier) {
          const [u, v] = [x + dx, y + dy];
          if (u < 0 || v < 0 || u >= width) continue;
          const to = v * width + u;
          if (classes[to] !== classes[at] || (pieceOf(u, v) !== pieceOf(x, y)) !== acrossSeams) continue;
          const joined = unite(parents, at, to);
          if (acrossSeams) {
            meetings++;
            if (joined) unions++;
            meets[at] = 1;
            meets[to] = 1;
          }
        }
      }
    }
  };
  joinEach(false);
  const pieces = columns * Math.ceil(height / piece.height);
  const counts = new Uint32Array(pieces);
  const pieceNumbers = numbered(classes, parents, (at) => {
    const which = pieceOf(at % width, Math.floor(at / width));
    counts[which] = counts[which] + 1;
    return counts[which];
  });
  joinEach(true);
  let count = 0;
  const labels = numbered(classes, parents, () => ++count);
  const ownCount = counts.reduce((sum, n) => sum + n, 0);
  return { runs, pieces, pieceNumbers, ownCount, meetings, unions, meets, labels, count };
}

/** Joins the sets of two pixels, the later root under the earlier one. Returns whether they were apart. */
function unite(parents: Uint32Array, a: number, b: number): boolean {
  const [first, second] = [rootOf(parents, a), rootOf(parents, b)];
  parents[Math.max(first, second)] = Math.min(first, second);
  return first !== second;
}

function rootOf(parents: Uint32Array, from: number): number {
  let at = from;
  while (parents[at] !== at) {
    const above = parents[at];
    parents[at] = parents[above];
    at = above;
  }
  return at;
}

/** A label for every foreground pixel: that of its root, which comes first in raster order. */
function numbered(classes: Uint8Array, parents: Uint32Array, next: (root: number) => number): Uint32Array {
  const labels = new Uint32Array(classes.length);
  for (let at = 0; at < classes.length; at++) {
    if (classes[at] === 0) continue;
    const root = rootOf(parents, at);
    labels[at] = root === at ? next(at) : labels[root];
  }
  return labels;
}
