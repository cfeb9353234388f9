// Statistics of a distance map in each object of a label image, as a table.

import type { Raster } from "skerry";
import { openImage } from "../../files/open.js";
import { download } from "../../state/download.js";
import { session } from "../../state/engine.js";
import { TEXT } from "../../words/text.js";
import { map } from "./state.js";

const line = (cells: readonly (string | number)[]): string => `${cells.join(",")}\n`;

/** Measures of the map under each object, in the order of their columns. */
const STATISTICS = ["max", "mean", "std", "median"] as const;

/** The map's least value in each object of a label image, where it is, and what else is measured; returns the file's name and rows. */
export async function saveOver(labels: File): Promise<[name: string, rows: number]> {
  const { value: distances } = map;
  const { engine } = session;
  if (!engine || !distances) throw new Error(TEXT.distance.none);
  const opened = await openImage(labels, labels.name, { shrink: 1 });
  const objects = await engine.labelled(opened as Raster);
  try {
    const { count, distance, where } = await distances.over(objects);
    const { data, width, height } = distances;
    const regions = await objects.regions({
      properties: ["area", ...STATISTICS],
      intensity: { data, width, height },
    });
    const { area, value } = regions;
    const rows = Array.from({ length: count }, (_, i) =>
      line([
        Number(value?.[i] ?? i + 1),
        area?.[i] ?? 0,
        distance[i],
        where[2 * i],
        where[2 * i + 1],
        ...STATISTICS.map((name) => regions[name]?.[i] ?? Number.NaN),
      ]),
    );
    const head = line(["label", "area", "distance", "x", "y", ...STATISTICS]);
    const name = download(new Blob([head, ...rows]), "-distances.csv");
    return [name, count];
  } finally {
    objects.dispose();
  }
}
