// Objects of one result that share no pixel with any object of another, from the runs of both.

import type { Runs } from "skerry";

/**
 * Labels of the objects that overlap no object of the other table. Both tables are in raster order, so that one pass over
 * both finds every pair of runs that overlap.
 */
export function loneOf(a: Runs, b: Runs): readonly [ofA: ReadonlySet<number>, ofB: ReadonlySet<number>] {
  const met = [new Set<number>(), new Set<number>()] as const;
  for (let i = 0, k = 0; i < a.count && k < b.count; ) {
    if (a.row[i] === b.row[k] && a.begin[i] < b.end[k] && b.begin[k] < a.end[i]) {
      met[0].add(a.label[i]);
      met[1].add(b.label[k]);
    }
    // Goes on from the run that ends first.
    const isFirst = a.row[i] < b.row[k] || (a.row[i] === b.row[k] && a.end[i] <= b.end[k]);
    if (isFirst) i++;
    else k++;
  }
  const others = ({ label, count }: Runs, known: ReadonlySet<number>): ReadonlySet<number> => {
    const lone = new Set<number>();
    for (let i = 0; i < count; i++) if (!known.has(label[i])) lone.add(label[i]);
    return lone;
  };
  return [others(a, met[0]), others(b, met[1])];
}
