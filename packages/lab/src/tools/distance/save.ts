// Distance maps as files: their values, the map as drawn, circles, and its values in each object of a label image.

import { type Fill, type Output, rampColour, writePng } from "@skerry/files";
import { wantedBy, writerOf } from "@skerry/files/internal";
import type { Sink } from "skerry";
import { lines, rangeShown } from "../../state/drawn.js";
import { picture, recipe } from "../../state/lab.js";
import { spaceNow } from "../../state/scale.js";
import { TEXT } from "../../words/text.js";
import type { Given } from "../tool.js";
import { circlesOf } from "./run.js";
import { map } from "./state.js";

function mapNow() {
  if (!map.value) throw new Error(TEXT.distance.none);
  return map.value;
}

/** Values as 32-bit floats; Infinity if nothing is in reach. */
export async function writeValues(file: Output, ending: ".npy" | ".tif"): Promise<void> {
  const { data, width, height } = mapNow();
  const space = picture.value && spaceNow(picture.value, recipe.value);
  const layout = { width, height, depth: 1, space, type: "f32" as const, description: "distances by skerry" };
  const fill = async (sink: Sink<Float32Array>): Promise<void> => {
    await sink.write(0, 1, 0, height, data as Float32Array);
  };
  await writerOf(ending, wantedBy(layout))?.writer.write(file, layout, fill as Fill);
}

const NOTHING = [90, 90, 96];

/** The map in its colours, with its lines, at the picture's size. */
export async function writePicture(file: Output): Promise<void> {
  const distances = mapNow();
  const { width, height } = distances;
  const [from, to] = rangeShown();
  const step = lines.value;
  const data = new Uint8Array(width * height * 3);
  const levelAt = (at: number): number => Math.floor(distances.data[at] / step);
  for (let at = 0; at < width * height; at++) {
    const value = distances.data[at];
    const colour = Number.isFinite(value) ? rampColour(Math.min(to, Math.max(from, value)), from, to) : NOTHING;
    const isLine =
      step > 0 &&
      (((at + 1) % width > 0 && levelAt(at) !== levelAt(at + 1)) ||
        (at + width < distances.data.length && levelAt(at) !== levelAt(at + width)));
    data.set(isLine ? [255, 255, 255] : colour, 3 * at);
  }
  await writePng(file, { width, height, channels: 3, data });
}

const line = (cells: readonly (string | number)[]): Uint8Array => new TextEncoder().encode(`${cells.join(",")}\n`);

/** Radius and centre of the largest circle in each object. */
export async function writeCircles(file: Output, given: Given): Promise<void> {
  const circles = await circlesOf(given, recipe.value.objects, true);
  await file.write(line(["label", "inscribed_radius", "inscribed_x", "inscribed_y"]));
  for (let i = 0; i < circles.length / 3; i++) await file.write(line([i + 1, ...circles.subarray(3 * i, 3 * i + 3)]));
}
