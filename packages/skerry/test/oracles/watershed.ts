// The watershed by its definition, pixel by pixel and pair by pair, with plain objects.

export interface Heights {
  readonly values: ArrayLike<number>;
  /** 1 for pixels that count. */
  readonly inside: ArrayLike<number>;
  readonly width: number;
  readonly height: number;
  readonly depth: number;
  readonly connectivity: 4 | 8 | 6 | 18 | 26;
  /** Number of the marker of a pixel, 0 for none. */
  readonly markers?: ArrayLike<number>;
}

function neighbours({ width, height, depth, connectivity }: Heights, at: number): number[] {
  const [x, y, z] = [at % width, Math.floor(at / width) % height, Math.floor(at / width / height)];
  const most = { 4: 1, 6: 1, 8: 2, 18: 2, 26: 3 }[connectivity];
  const found: number[] = [];
  for (let dz = -1; dz <= 1; dz++)
    for (let dy = -1; dy <= 1; dy++)
      for (let dx = -1; dx <= 1; dx++) {
        const steps = Math.abs(dx) + Math.abs(dy) + Math.abs(dz);
        if (steps === 0 || steps > most) continue;
        const [a, b, c] = [x + dx, y + dy, z + dz];
        if (a < 0 || b < 0 || c < 0 || a >= width || b >= height || c >= depth) continue;
        found.push((c * height + b) * width + a);
      }
  return found;
}

/** The peak of each pixel, after basins were merged; -1 outside. With markers, the pixel of a basin without one is -1. */
export function watershed(given: Heights, h: number, scale: (value: number) => number): Int32Array {
  const { values, inside, markers } = given;
  const peak = Int32Array.from({ length: values.length }, (_, start) => {
    if (!inside[start]) return -1;
    let at = start;
    for (;;) {
      let best = at;
      if (!markers?.[at]) {
        for (const other of neighbours(given, at)) {
          if (!inside[other]) continue;
          if (values[other] > values[best] || (values[other] === values[best] && other < best)) best = other;
        }
      }
      if (best === at) return at;
      at = best;
    }
  });
  const pairs = new Map<string, { a: number; b: number; saddle: number }>();
  peak.forEach((own, at) => {
    if (own < 0) return;
    for (const other of neighbours(given, at)) {
      const their = peak[other];
      if (their < 0 || their <= own) continue;
      const saddle = Math.min(values[at], values[other]);
      const key = `${own} ${their}`;
      const known = pairs.get(key);
      if (!known || known.saddle < saddle) pairs.set(key, { a: own, b: their, saddle });
    }
  });
  const sorted = [...pairs.values()].sort((p, q) => q.saddle - p.saddle || p.a - q.a || p.b - q.b);
  const top = new Map<number, number>();
  const mark = new Map<number, number>();
  for (const own of peak) {
    if (own >= 0) mark.set(own, markers?.[own] ?? 0);
  }
  const root = (at: number): number => {
    let found = at;
    for (let up = top.get(found); up !== undefined; up = top.get(found)) found = up;
    return found;
  };
  for (const { a, b, saddle } of sorted) {
    const [p, q] = [root(a), root(b)].sort((m, n) => values[n] - values[m] || m - n) as [number, number];
    if (p === q) continue;
    if (markers) {
      const [one, two] = [mark.get(p) as number, mark.get(q) as number];
      if (one && two && one !== two) continue;
      mark.set(p, one || two);
    } else if (values[q] > saddle && scale(values[q]) - scale(saddle) >= h) {
      continue;
    }
    top.set(q, p);
  }
  return peak.map((own) => {
    if (own < 0) return -1;
    const end = root(own);
    return markers ? (mark.get(end) as number) || -1 : end;
  });
}

/** Numbers in the order in which they are met, from 1; 0 for -1. */
export function numbered(parts: Int32Array): Uint32Array {
  const known = new Map<number, number>();
  return Uint32Array.from(parts, (part) => {
    if (part < 0) return 0;
    const number = known.get(part) ?? known.size + 1;
    known.set(part, number);
    return number;
  });
}
