// Colours that stay while settings change: an object takes the colour of the previous object that it covers most.

/** Labels of a window, and the colour of each label; undefined if all have their own. */
export interface Coloured {
  readonly data: Uint32Array;
  readonly colours: Uint16Array | undefined;
}

/** Colours of the palette. */
const COLOURS = 4096;
/** With more labels, uploading their colours to the GPU would take long. */
const MOST_LABELS = 2 ** 22;
/** Fewer than twice this number of pixels are sampled. */
const MOST_SAMPLES = 60_000;
/** Most pairs of an object and a previous one. Noise has more, and nobody could follow its colours. */
const MOST_PAIRS = 8192;

/**
 * Colours of the labels of a window, from the previous labels of the same window. If several objects cover the same
 * previous one, the object that covers most of it keeps its colour. The others, and new objects, have their own.
 *
 *     before  1 1 1 . 2    after  5 5 6 . 7    5 has the colour of 1, 7 that of 2, 6 its own
 */
export function inherited(before: Coloured, after: Uint32Array, count: number): Uint16Array | undefined {
  if (count > MOST_LABELS || before.data.length !== after.length) return undefined;
  const colours = new Uint16Array(count + 1);
  for (let label = 1; label <= count; label++) colours[label] = label % COLOURS;
  const covered = new Map<number, number>();
  const step = Math.max(1, Math.floor(after.length / MOST_SAMPLES));
  let last = -1;
  let run = 0;
  const add = (): void => {
    if (last >= 0) covered.set(last, (covered.get(last) ?? 0) + run);
  };
  for (let i = 0; i < after.length; i += step) {
    const [index, old] = [after[i], before.data[i]];
    const pair = index === 0 || old === 0 ? -1 : index * COLOURS + (before.colours?.[old] ?? old % COLOURS);
    if (pair === last) run++;
    else {
      if (covered.size > MOST_PAIRS) return undefined;
      add();
      [last, run] = [pair, 1];
    }
  }
  add();
  const taken = new Set<number>();
  const done = new Set<number>();
  for (const [pair] of [...covered].sort((a, b) => b[1] - a[1])) {
    const [label, colour] = [Math.floor(pair / COLOURS), pair % COLOURS];
    if (done.has(label) || taken.has(colour)) continue;
    done.add(label);
    taken.add(colour);
    colours[label] = colour;
  }
  return colours;
}
