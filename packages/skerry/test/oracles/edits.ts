// Corrections by hand on the pixels of a label image, by floods: slow and plain, from the definition of `Edit` alone.

import type { Connectivity, Edit, Place } from "skerry";

export interface EditedImage {
  /** Labels that were given keep theirs; new ones follow. */
  readonly labels: Uint32Array;
  readonly idle: number[];
}

interface Grid {
  readonly width: number;
  readonly height: number;
  readonly depth: number;
}

/** The neighbours' offsets of a connectivity, or in one slice of 4 or 8. */
function offsets(connectivity: Connectivity): number[][] {
  const most = { 4: 1, 6: 1, 8: 2, 18: 2, 26: 3 }[connectivity];
  const zs = connectivity === 4 || connectivity === 8 ? [0] : [-1, 0, 1];
  const all = zs.flatMap((z) => [-1, 0, 1].flatMap((y) => [-1, 0, 1].map((x) => [x, y, z])));
  return all.filter((d) => d.some((n) => n !== 0) && d.filter((n) => n !== 0).length <= most);
}

export function editImage(
  given: Uint32Array,
  grid: Grid,
  connectivity: Connectivity,
  edits: readonly Edit[],
): EditedImage {
  const { width, height, depth } = grid;
  const labels = given.slice();
  let last = labels.reduce((a, b) => Math.max(a, b), 0);
  const at = (x: number, y: number, z: number): number =>
    x < 0 || y < 0 || z < 0 || x >= width || y >= height || z >= depth ? -1 : (z * height + y) * width + x;
  const place = ([x, y, z = 0]: Place): number => at(x, y, z);
  const xyz = (i: number): number[] => [i % width, Math.floor(i / width) % height, Math.floor(i / width / height)];

  /** Pixels in connected sets, each ascending, in the order of their first pixels. */
  const sets = (pixels: Iterable<number>, steps = offsets(connectivity)): number[][] => {
    const left = new Set([...pixels].sort((a, b) => a - b));
    const found: number[][] = [];
    for (const first of left) {
      const set = [first];
      left.delete(first);
      for (const i of set) {
        const [x, y, z] = xyz(i);
        for (const [dx, dy, dz] of steps) {
          const next = at(x + dx, y + dy, z + dz);
          if (left.delete(next)) set.push(next);
        }
      }
      found.push(set.sort((a, b) => a - b));
    }
    return found;
  };

  const lineOf = (places: readonly Place[]): number[][] => {
    const line = [[places[0][0], places[0][1]]];
    for (const [tx, ty] of places.slice(1)) {
      const [x0, y0] = line[line.length - 1];
      const [w, h] = [Math.abs(tx - x0), Math.abs(ty - y0)];
      // Sides are crossed at these parts of the way; at a corner that of y comes first.
      const xs = Array.from({ length: w }, (_, i) => ({ t: (2 * i + 1) * h, dx: Math.sign(tx - x0), dy: 0 }));
      const ys = Array.from({ length: h }, (_, i) => ({ t: (2 * i + 1) * w, dx: 0, dy: Math.sign(ty - y0) }));
      for (const { dx, dy } of [...ys, ...xs].sort((a, b) => a.t - b.t)) {
        const [x, y] = line[line.length - 1];
        line.push([x + dx, y + dy]);
      }
    }
    return line;
  };
  const strokeOf = (places: readonly Place[], radius: number): number[] => {
    const line = lineOf(places);
    const z = places[0][2] ?? 0;
    const found: number[] = [];
    for (let y = 0; y < height; y++) {
      for (let x = 0; x < width; x++) {
        if (line.some(([a, b]) => (a - x) ** 2 + (b - y) ** 2 <= radius ** 2)) found.push(at(x, y, z));
      }
    }
    return found;
  };
  const pixelsOf = (label: number): number[] => [...labels.keys()].filter((i) => labels[i] === label);

  /** Numbers pieces that come apart. Each list has the pieces of one part; `more` are pixels that go to a piece. */
  const separate = (parts: number[][][], more = new Map<number, number>()): void => {
    const fresh = parts.flatMap((pieces) =>
      pieces.slice(1).map((piece) => [...piece, ...[...more].filter(([, to]) => piece.includes(to)).map(([i]) => i)]),
    );
    for (const piece of fresh.sort((a, b) => Math.min(...a) - Math.min(...b))) {
      last++;
      for (const i of piece) labels[i] = last;
    }
  };
  /** For each part of an object before a loss, its pieces after it. */
  const partsOf = (before: number[], after: number[]): number[][][] => {
    const pieces = sets(after);
    return sets(before).map((part) => pieces.filter(([first]) => part.includes(first)));
  };

  const apply = (edit: Edit): boolean => {
    if ("draw" in edit) {
      const drawn = strokeOf(edit.draw, edit.radius ?? 0).filter((i) => labels[i] === 0);
      if (drawn.length === 0) return false;
      const label = labels[place(edit.draw[0])] || ++last;
      for (const i of drawn) labels[i] = label;
      return true;
    }
    if ("erase" in edit) {
      const gone = strokeOf(edit.erase, edit.radius ?? 0).filter((i) => labels[i] > 0);
      const hit = [...new Set(gone.map((i) => labels[i]))];
      const before = hit.map(pixelsOf);
      for (const i of gone) labels[i] = 0;
      separate(before.flatMap((pixels, n) => partsOf(pixels, pixelsOf(hit[n]))));
      return gone.length > 0;
    }
    if ("cut" in edit) {
      const z0 = edit.cut[0][2] ?? 0;
      const steps = lineOf(edit.cut);
      const line = steps
        .map(([x, y], n) => {
          const [from, to] = n + 1 < steps.length ? [steps[n], steps[n + 1]] : [steps[n - 1] ?? steps[n], steps[n]];
          return { x, y, dx: to[0] - from[0], dy: to[1] - from[1] };
        })
        .filter(({ x, y }, n) => steps.findIndex(([a, b]) => a === x && b === y) === n);
      const hit = [...new Set(line.map(({ x, y }) => labels[at(x, y, z0)]))].filter((label) => label > 0);
      const apart: number[][][] = [];
      const more = new Map<number, number>();
      for (const label of hit) {
        const before = pixelsOf(label);
        const isLine = (i: number): boolean => line.some(({ x, y }) => x === xyz(i)[0] && y === xyz(i)[1]);
        const rest = before.filter((i) => !isLine(i));
        const isRest = (i: number): boolean => i >= 0 && rest.includes(i);
        const lost = before.filter((i) => !isRest(i));
        for (const part of partsOf(before, rest)) if (part.length > 1) apart.push(part);
        for (let z = 0; z < depth; z++) {
          const stretches: (typeof line)[] = [];
          for (const p of line) {
            if (labels[at(p.x, p.y, z)] !== label) continue;
            const end = stretches.at(-1)?.at(-1);
            if (end && Math.abs(end.x - p.x) + Math.abs(end.y - p.y) === 1) stretches.at(-1)?.push(p);
            else stretches.push([p]);
          }
          for (const stretch of stretches) {
            const beside = [1, -1]
              .map((side) => stretch.map(({ x, y, dx, dy }) => at(x + side * dy, y - side * dx, z)))
              .map((pixels) => pixels.map((i) => (isRest(i) ? i : undefined)))
              .find((pixels) => pixels.some((i) => i !== undefined));
            let owner = beside?.find((i) => i !== undefined);
            for (const [n, { x, y }] of stretch.entries()) {
              owner = beside?.[n] ?? owner;
              if (owner !== undefined) more.set(at(x, y, z), owner);
            }
          }
        }
        // Pixels without an owner: round by round, to the first piece that they touch, or whose pixels of the line they touch.
        const pieces = sets(rest);
        for (;;) {
          const found = new Map<number, number>();
          for (const i of lost.filter((each) => !more.has(each))) {
            const [x, y, z] = xyz(i);
            const near = offsets(connectivity)
              .map(([dx, dy, dz]) => at(x + dx, y + dy, z + dz))
              .map((n) => (isRest(n) ? n : lost.includes(n) ? more.get(n) : undefined));
            const piece = pieces.find((set) => near.some((n) => n !== undefined && set.includes(n)));
            if (piece) found.set(i, piece[0]);
          }
          if (found.size === 0) break;
          for (const [i, owner] of found) more.set(i, owner);
        }
      }
      separate(apart, more);
      return apart.length > 0;
    }
    if ("join" in edit) {
      const [a, b] = edit.join.map((each) => labels[place(each)]);
      if (a === 0 || b === 0 || a === b) return false;
      for (const i of pixelsOf(b)) labels[i] = a;
      return true;
    }
    if ("drop" in edit) {
      const label = labels[place(edit.drop)];
      for (const i of pixelsOf(label)) labels[i] = 0;
      return label > 0;
    }
    const [, , z] = xyz(place(edit.fill));
    const ground = pixelsOf(0).filter((i) => xyz(i)[2] === z);
    const flat = connectivity === 4 || connectivity === 6 ? 8 : 4;
    const hole = sets(ground, offsets(flat)).find((set) => set.includes(place(edit.fill)));
    const around = new Set(
      hole?.flatMap((i) => {
        const [x, y] = xyz(i);
        const beside = offsets(4).map(([dx, dy]) => at(x + dx, y + dy, z));
        return beside.map((n) => (n < 0 ? -1 : labels[n])).filter((label) => label !== 0);
      }),
    );
    if (!hole || around.size !== 1 || around.has(-1)) return false;
    const [label] = around;
    for (const i of hole) labels[i] = label;
    return true;
  };
  const idle = edits.flatMap((edit, n) => (apply(edit) ? [] : [n]));
  return { labels, idle };
}
