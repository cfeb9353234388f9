// Objects as pictures: cut out of the image on a transparent background, one by one or together.

import { MemoryOutput, type Output, writePng } from "@skerry/files";
import { writeZip, type ZipEntry } from "@skerry/files/internal";
import type { Runs } from "skerry";
import { download } from "../../state/download.js";
import { done, picture, stale } from "../../state/lab.js";
import { shownRgba } from "../../state/shown.js";
import { TEXT } from "../../words/text.js";
import { fresh, measured } from "./state.js";

/** Most objects in one ZIP. */
const MOST = 20_000;

/** Runs by their objects: those of label L are order[first[L - 1]] to order[first[L] - 1]. */
function runsByObject({ count, label }: Runs, objects: number): { first: Uint32Array; order: Uint32Array } {
  const first = new Uint32Array(objects + 1);
  for (let i = 0; i < count; i++) first[label[i]]++;
  for (let k = 1; k <= objects; k++) first[k] += first[k - 1];
  const next = first.slice();
  const order = new Uint32Array(count);
  for (let i = 0; i < count; i++) order[next[label[i] - 1]++] = i;
  return { first, order };
}

/** Makes a function that cuts objects out: the box around them, transparent outside the objects. */
function cutter(): (labels: readonly number[]) => { width: number; height: number; data: Uint8Array } {
  const opened = picture.value;
  const { runs, regions } = measured.value ?? {};
  // Runs of earlier settings would cut out other objects.
  if (!opened || !runs || !regions?.bounds || !fresh.value || stale.value) throw new Error(TEXT.failures.nothing);
  const { bounds, count } = regions;
  const { first, order } = runsByObject(runs, count);
  return (labels) => {
    let [x0, y0, x1, y1] = [opened.width, opened.height, 0, 0];
    for (const label of labels) {
      const [a, b, c, d] = bounds.subarray(4 * (label - 1), 4 * label);
      [x0, y0, x1, y1] = [Math.min(x0, a), Math.min(y0, b), Math.max(x1, c), Math.max(y1, d)];
    }
    const [width, height] = [x1 - x0, y1 - y0];
    const data = new Uint8Array(width * height * 4);
    const pixels = shownRgba(opened, { x: x0, y: y0, width, height });
    for (const label of labels) {
      for (const i of order.subarray(first[label - 1], first[label])) {
        const row = (runs.row[i] - y0) * width - x0;
        const [from, to] = [4 * (row + runs.begin[i]), 4 * (row + runs.end[i])];
        data.set(pixels.subarray(from, to), from);
      }
    }
    return { width, height, data };
  };
}

async function pngOf(pixels: { width: number; height: number; data: Uint8Array }): Promise<Uint8Array> {
  const file = new MemoryOutput();
  await writePng(file, { ...pixels, channels: 4 });
  return file.bytes();
}

/** Saves some objects as one picture. */
export async function saveCutOut(labels: readonly number[]): Promise<void> {
  const name = labels.length === 1 ? `object-${labels[0]}` : "objects";
  const bytes = (await pngOf(cutter()(labels))) as Uint8Array<ArrayBuffer>;
  done.value = TEXT.saved(download(new Blob([bytes]), `-${name}.png`));
}

/** Every object as a picture of its own, in one ZIP. */
export async function writeCutOuts(file: Output): Promise<void> {
  const { count } = measured.value?.regions ?? { count: 0 };
  if (count > MOST) throw new Error(TEXT.failures.tooMany(count, MOST));
  const cut = cutter();
  async function* entries(): AsyncGenerator<ZipEntry> {
    for (let label = 1; label <= count; label++) {
      const name = `object-${String(label).padStart(String(count).length, "0")}.png`;
      yield { name, bytes: await pngOf(cut([label])), isPacked: true };
    }
  }
  await writeZip(file, entries());
}
