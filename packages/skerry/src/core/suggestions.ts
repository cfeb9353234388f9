// The choice among ways to find objects, from their measurements alone. A way is good if others agree with its count, and if its objects
// are solid, of even contrast and off the border. The weights were fitted on thirty public pictures with a known count, and frozen
// before another thirty were looked at; see docs/first-answer.md.

/** Measurements of the objects that one way finds. */
export interface Way {
  /** The channel and the threshold; ways of one family differ in smoothing, splitting and the least area. */
  readonly family: string;
  readonly count: number;
  /** The fifth of the objects with the lowest solidity is below it. */
  readonly solidity: number;
  /** The fifth of the objects with the lowest contrast is below it; 1 is the median contrast. */
  readonly evenness: number;
  /** The share of the objects that were left out as too small or as the ground. */
  readonly leftOut: number;
  /** The share of the objects at the border of the picture. */
  readonly atBorder: number;
  /** Parts per object if objects were split, at most 3; else 0. */
  readonly parts: number;
  /** Options that it sets. Of ways with one count the simpler one stands for them, if it is nearly as good. */
  readonly steps: number;
}

const WEIGHTS = { agreement: 4.1, solidity: 3, evenness: 2.3, leftOut: -0.9, atBorder: -3.2, alone: -1.4, parts: -0.6 };

/** Counts that differ by less than this factor agree. */
const AGREE = Math.log(1.1);
/** Counts that differ by less than this factor are one answer. */
const SAME = 0.08;

/** The score that an option less is worth. */
const STEP = 0.15;

/** For each way the share of all families with a count near its own. O(ways^2). */
export function agreements(ways: readonly Way[]): readonly number[] {
  const families = new Set(ways.map(({ family }) => family)).size;
  return ways.map(({ count }) => {
    const near = ways.filter((other) => Math.abs(Math.log(other.count / count)) < AGREE);
    return new Set(near.map(({ family }) => family)).size / families;
  });
}

/** The score of a way; differences of one multiply the odds by 2.7. */
export function scoreOf(way: Way, agreement: number): number {
  return (
    WEIGHTS.agreement * agreement +
    WEIGHTS.solidity * way.solidity +
    WEIGHTS.evenness * way.evenness +
    WEIGHTS.leftOut * way.leftOut +
    WEIGHTS.atBorder * way.atBorder +
    WEIGHTS.parts * way.parts +
    (way.count <= 1 ? WEIGHTS.alone : 0)
  );
}

/**
 * Numbers of at most `most` ways of different counts, the best first. Ways with one count vote together, by their odds; the one of them
 * with the highest score, less a little for each option, stands for them. O(ways^2).
 */
export function chooseWays(ways: readonly Way[], most: number): readonly number[] {
  const near = agreements(ways);
  const scores = ways.map((way, i) => scoreOf(way, near[i]));
  const highest = Math.max(...scores);
  const odds = scores.map((score) => Math.exp(score - highest));
  const standing = scores.map((score, i) => score - STEP * ways[i].steps);
  const isSame = (i: number, j: number): boolean => Math.abs(Math.log(ways[i].count / ways[j].count)) <= SAME;
  let left = ways.map((_, i) => i);
  const chosen: number[] = [];
  while (left.length > 0 && chosen.length < most) {
    const votes = left.map((i) => left.reduce((sum, j) => sum + (isSame(i, j) ? odds[j] : 0), 0));
    const middle = left[votes.indexOf(Math.max(...votes))];
    const best = left.filter((j) => isSame(middle, j)).reduce((a, b) => (standing[b] > standing[a] ? b : a));
    chosen.push(best);
    left = left.filter((j) => !isSame(best, j));
  }
  return chosen;
}

/** The value at a part of the sorted values, 0 for none. */
export function quantileOf(values: readonly number[], part: number): number {
  const sorted = values.filter(Number.isFinite).sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))] ?? 0;
}

/** The area at which objects, from the smallest on, have reached half of the area of all. */
export function halfArea(areas: readonly number[]): number {
  const sorted = [...areas].sort((a, b) => a - b);
  const total = sorted.reduce((sum, area) => sum + area, 0);
  let reached = 0;
  for (const area of sorted) {
    reached += area;
    if (2 * reached >= total) return area;
  }
  return 0;
}

/** A number of two significant digits, at least 1. Example: 387 is 390. */
export function rounded(n: number): number {
  if (n < 10) return Math.max(1, Math.round(n));
  const step = 10 ** (Math.floor(Math.log10(n)) - 1);
  return Math.round(n / step) * step;
}
