// The least value of a distance map in each object of a label image, as a table.

import type { Raster } from "skerry";
import { download } from "../../files/download.js";
import { openImage } from "../../files/open.js";
import { session } from "../../state/session.js";
import { TEXT } from "../../text.js";
import { map } from "./state.js";

const line = (cells: readonly (string | number)[]): string => `${cells.join(",")}\n`;

/** The map's least value in each object of a label image, and where it is; returns the file's name and rows. */
export async function saveOver(labels: File): Promise<[name: string, rows: number]> {
  const { value: own } = map;
  const { engine } = session;
  if (!engine || !own) throw new Error(TEXT.distance.none);
  const opened = await openImage(labels, labels.name, 1);
  const objects = await engine.labelled(opened as Raster);
  try {
    const { count, distance, where } = await own.over(objects);
    const { value } = await objects.regions({ properties: ["area"] });
    const rows = Array.from({ length: count }, (_, i) =>
      line([Number(value?.[i] ?? i + 1), distance[i], where[2 * i], where[2 * i + 1]]),
    );
    const name = download(new Blob([line(["label", "distance", "x", "y"]), ...rows]), "-distances.csv");
    return [name, count];
  } finally {
    objects.dispose();
  }
}
