// Lengths of scale bars. Apart from figures, since the page shows a bar before any figure.

/** The largest of 1, 2 and 5 times a power of ten that is at most a length. */
export function roundLength(most: number): number {
  const power = 10 ** Math.floor(Math.log10(most));
  return ([5, 2, 1].find((n) => n * power <= most) ?? 1) * power;
}
