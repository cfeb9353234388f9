// Slow and plain answers to compare with: a flood fill per component, sums per pixel. Shares no code and no
// idea (no bits, no runs, no union) with the library.

export interface Found {
  readonly labels: Uint32Array;
  readonly count: number;
}

/** The 4 or 8 neighbours of a pixel that lie in the image. */
function neighbours(width: number, height: number, at: number, connectivity: 4 | 8): number[] {
  const x = at % width;
  const y = Math.floor(at / width);
  const found: number[] = [];
  for (let dy = -1; dy <= 1; dy++) {
    for (let dx = -1; dx <= 1; dx++) {
      if (dx === 0 && dy === 0) continue;
      if (connectivity === 4 && dx !== 0 && dy !== 0) continue;
      if (x + dx < 0 || y + dy < 0 || x + dx >= width || y + dy >= height) continue;
      found.push(at + dy * width + dx);
    }
  }
  return found;
}

/** What was labelled before: the same pictures are asked for on every device. */
const known = new WeakMap<object, Map<string, Found>>();

/** Pixels of equal nonzero class join; labels in raster order of first pixels. */
export function label(classes: ArrayLike<number>, width: number, height: number, connectivity: 4 | 8): Found {
  const answers = known.get(classes) ?? new Map<string, Found>();
  known.set(classes, answers);
  const key = `${width} ${height} ${connectivity}`;
  const answer = answers.get(key) ?? search(classes, width, height, connectivity);
  answers.set(key, answer);
  return answer;
}

function search(classes: ArrayLike<number>, width: number, height: number, connectivity: 4 | 8): Found {
  const labels = new Uint32Array(width * height);
  let count = 0;
  for (let start = 0; start < labels.length; start++) {
    if (!classes[start] || labels[start]) continue;
    count++;
    labels[start] = count;
    const open = [start];
    for (let at = open.pop(); at !== undefined; at = open.pop()) {
      for (const other of neighbours(width, height, at, connectivity)) {
        if (classes[other] === classes[start] && !labels[other]) {
          labels[other] = count;
          open.push(other);
        }
      }
    }
  }
  return { labels, count };
}

/** The classes with what each encloses filled; of two claims the object whose first pixel comes first has it. */
export function fillHoles(classes: Uint8Array, width: number, height: number, connectivity: 4 | 8): Uint8Array {
  const filled = [1, 2].map((wanted) => {
    const open = classes.map((c) => (c === wanted ? 0 : 1));
    const outside = label(open, width, height, connectivity === 4 ? 8 : 4);
    const touching = new Set<number>();
    for (let at = 0; at < open.length; at++) {
      const x = at % width;
      const y = Math.floor(at / width);
      if (x === 0 || y === 0 || x === width - 1 || y === height - 1) touching.add(outside.labels[at]);
    }
    const mask = Uint8Array.from(outside.labels, (l) => (l === 0 || !touching.has(l) ? 1 : 0));
    const objects = label(mask, width, height, connectivity);
    const first = new Map<number, number>();
    objects.labels.forEach((l, at) => {
      if (l && !first.has(l)) first.set(l, at);
    });
    return { mask, begin: (at: number) => first.get(objects.labels[at]) ?? Number.POSITIVE_INFINITY };
  });
  const [a, b] = filled as [(typeof filled)[0], (typeof filled)[0]];
  return classes.map((_, at) => {
    if (a.mask[at] && b.mask[at]) return a.begin(at) < b.begin(at) ? 1 : 2;
    return a.mask[at] ? 1 : b.mask[at] ? 2 : 0;
  });
}

export interface Wanted {
  fillHoles?: boolean;
  clearBorder?: boolean;
  minArea?: number;
  maxArea?: number;
  largest?: number;
}

/** The classes that a filter leaves. */
export function filter(
  classes: Uint8Array,
  width: number,
  height: number,
  connectivity: 4 | 8,
  { fillHoles: holes, clearBorder, minArea = 0, maxArea = Number.POSITIVE_INFINITY, largest }: Wanted,
): Uint8Array {
  const left = holes ? fillHoles(classes, width, height, connectivity) : classes.slice();
  const { labels, count } = label(left, width, height, connectivity);
  const areas = new Array<number>(count + 1).fill(0);
  const touching = new Set<number>();
  labels.forEach((l, at) => {
    areas[l] = areas[l] + 1;
    const x = at % width;
    const y = Math.floor(at / width);
    if (x === 0 || y === 0 || x === width - 1 || y === height - 1) touching.add(l);
  });
  let stay = Array.from({ length: count }, (_, i) => i + 1)
    .filter((l) => !(clearBorder && touching.has(l)))
    .filter((l) => areas[l] >= minArea && areas[l] <= maxArea);
  if (largest) {
    stay = stay.sort((a, b) => areas[b] - areas[a] || a - b).slice(0, largest);
  }
  const kept = new Set(stay);
  return left.map((c, at) => (kept.has(labels[at]) ? c : 0));
}

export interface Measured {
  area: number;
  bounds: [number, number, number, number];
  sums: bigint[];
  edgeCount: number;
  euler: number;
  min: number;
  max: number;
  sum: number;
  squares: number;
  weighted: [number, number];
  edges: number[];
}

const measured = new WeakMap<Found, Map<ArrayLike<number>, Measured[]>>();

/** Sums per label, pixel by pixel; `values` is one channel. */
export function measure(
  found: Found,
  width: number,
  height: number,
  connectivity: 4 | 8,
  values: ArrayLike<number>,
): Measured[] {
  const answers = measured.get(found) ?? new Map<ArrayLike<number>, Measured[]>();
  measured.set(found, answers);
  const answer = answers.get(values) ?? sum(found, width, height, connectivity, values);
  answers.set(values, answer);
  return answer;
}

function sum(
  { labels, count }: Found,
  width: number,
  height: number,
  connectivity: 4 | 8,
  values: ArrayLike<number>,
): Measured[] {
  const found: Measured[] = Array.from({ length: count }, () => ({
    area: 0,
    bounds: [width, height, 0, 0],
    sums: [0n, 0n, 0n, 0n, 0n],
    edgeCount: 0,
    euler: 0,
    min: Number.POSITIVE_INFINITY,
    max: Number.NEGATIVE_INFINITY,
    sum: 0,
    squares: 0,
    weighted: [0, 0],
    edges: [],
  }));
  const at = (x: number, y: number): number =>
    x < 0 || y < 0 || x >= width || y >= height ? -1 : labels[y * width + x];
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const l = at(x, y);
      if (l <= 0) continue;
      const m = found[l - 1];
      const v = values[y * width + x];
      m.area++;
      m.bounds = [
        Math.min(m.bounds[0], x),
        Math.min(m.bounds[1], y),
        Math.max(m.bounds[2], x + 1),
        Math.max(m.bounds[3], y + 1),
      ];
      [x, y, x * x, x * y, y * y].forEach((s, i) => {
        m.sums[i] = m.sums[i] + BigInt(s);
      });
      m.min = Math.min(m.min, v);
      m.max = Math.max(m.max, v);
      m.sum += v;
      m.squares += v * v;
      m.weighted[0] += v * x;
      m.weighted[1] += v * y;
      for (const [dx, dy] of [
        [1, 0],
        [-1, 0],
        [0, 1],
        [0, -1],
      ] as const) {
        const other = at(x + dx, y + dy);
        if (other !== l) m.edgeCount++;
        if (other === 0) m.edges.push(values[(y + dy) * width + x + dx]);
      }
    }
  }
  // Euler number by counting the corners, edges and faces of the pixels as closed squares (8) or the pixels,
  // their adjacencies and full 2 x 2 blocks (4), per object.
  for (let l = 1; l <= count; l++) found[l - 1].euler = euler(at, l, found[l - 1], connectivity);
  return found;
}

function euler(at: (x: number, y: number) => number, l: number, { bounds }: Measured, connectivity: 4 | 8): number {
  const [x0, y0, x1, y1] = bounds;
  let [vertices, edges, faces] = [0, 0, 0];
  const is = (x: number, y: number): boolean => at(x, y) === l;
  for (let y = y0; y <= y1; y++) {
    for (let x = x0; x <= x1; x++) {
      const [a, b, c, d] = [is(x, y), is(x - 1, y), is(x, y - 1), is(x - 1, y - 1)];
      if (connectivity === 8) {
        if (a || b || c || d) vertices++;
        if (a || b) edges++;
        if (a || c) edges++;
        if (a) faces++;
      } else {
        if (a) vertices++;
        if (a && b) edges++;
        if (a && c) edges++;
        if (a && b && c && d) faces++;
      }
    }
  }
  return vertices - edges + faces;
}

/** Rec. 601 luma of the formula. */
export function luma(data: ArrayLike<number>, channels: number, float: boolean): number[] {
  const out: number[] = [];
  for (let i = 0; i < data.length; i += channels) {
    const [r, g, b] = [data[i], data[i + 1], data[i + 2]];
    if (channels === 1) out.push(r);
    else if (!float) out.push(Math.floor((77 * r + 150 * g + 29 * b + 128) / 256));
    else {
      const f = Math.fround;
      out.push(f(f(f(f(77 * r) + f(150 * g)) + f(29 * b)) / 256));
    }
  }
  return out;
}

/** Otsu by definition: the level that maximises the variance between what is at or below it and above it. */
export function otsu(values: readonly number[]): number {
  const levels = [...new Set(values)].sort((a, b) => a - b);
  let [best, threshold] = [-1, levels[0]];
  for (const level of levels.slice(0, -1)) {
    const low = values.filter((v) => v <= level);
    const high = values.filter((v) => v > level);
    const mean = (list: number[]): number => list.reduce((a, b) => a + b, 0) / list.length;
    const variance = low.length * high.length * (mean(low) - mean(high)) ** 2;
    if (variance > best * (1 + 1e-12)) [best, threshold] = [variance, level];
  }
  return threshold;
}

/** What a fill is asked for, in full. */
export interface FillQuestion {
  readonly seeds: readonly (readonly [number, number])[];
  readonly lower: readonly number[];
  readonly upper: readonly number[];
  readonly metric: "linf" | "l1" | "l2";
  readonly floating: boolean;
  readonly connectivity: 4 | 8;
  readonly contiguous?: boolean;
  /** 1 where pixels may be filled. */
  readonly inside?: Uint8Array | undefined;
}

/** One byte per pixel, 1 where a fill gets to: pixel by pixel from each seed, colours compared as they stand. */
export function fill(
  { data, width, height, channels }: { data: ArrayLike<number>; width: number; height: number; channels: number },
  { seeds, lower, upper, metric, floating, connectivity, contiguous = true, inside }: FillQuestion,
): Uint8Array {
  const colour = (at: number): number[] => Array.from({ length: channels }, (_, c) => data[at * channels + c]);
  const passes = (at: number, other: readonly number[]): boolean => {
    const apart = colour(at).map((v, c) => (v === other[c] ? 0 : v - other[c]));
    if (metric === "linf") return apart.every((d, c) => d >= -lower[c] && d <= upper[c]);
    if (metric === "l1") return apart.reduce((sum, d) => sum + Math.abs(d), 0) <= upper[0];
    return Math.sqrt(apart.reduce((sum, d) => sum + d * d, 0)) <= upper[0];
  };
  const filled = new Uint8Array(width * height);
  for (const [x, y] of seeds) {
    const seed = y * width + x;
    const target = colour(seed);
    if (!contiguous) {
      for (let at = 0; at < filled.length; at++) if (inside?.[at] !== 0 && passes(at, target)) filled[at] = 1;
      continue;
    }
    if (inside?.[seed] === 0) continue;
    const seen = new Uint8Array(width * height);
    const open = [seed];
    seen[seed] = 1;
    for (let at = open.pop(); at !== undefined; at = open.pop()) {
      filled[at] = 1;
      for (const other of neighbours(width, height, at, connectivity)) {
        if (seen[other] || inside?.[other] === 0 || !passes(other, floating ? colour(at) : target)) continue;
        seen[other] = 1;
        open.push(other);
      }
    }
  }
  return filled;
}
