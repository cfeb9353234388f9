// A fill painted onto its picture and written in the picture's own type: .png, .pgm and .tif of 8 or 16 bits, .npy of any.

import { type Components, type PixelType, paint, type Raster, type Source } from "skerry";
import { ARRAYS, typeOfArray } from "../bytes.js";
import { FileError } from "../errors.js";
import { fillOf } from "../layout.js";
import type { Space } from "../space.js";
import { endingOf } from "../writers.js";
import { eachBand } from "./picture.js";
import { checkValuesPath, holds, writeValues } from "./writers.js";

/** A colour from the command line: #rrggbb, or pixel values. */
export interface Colour {
  /** The default colour was used. A picture without colours then gets the largest value that it can hold instead. */
  readonly byDefault?: boolean;
  readonly hex: boolean;
  readonly values: readonly number[];
}

/**
 * Checks the ending of a path, before anything is read.
 * @throws UsageError if no format of paintings has the ending
 */
export function checkPaintedPath(path: string): void {
  checkValuesPath("-o", path, { types: ["u8"] });
}

/**
 * Paints a copy of the picture and writes it.
 * @throws FileError if the format cannot hold the painted picture
 * @example
 * import { writePainted } from "@skerry/files/node";
 * const sky = await engine.fill(photo, { seeds: [[0, 0]], tolerance: 20 });
 * await writePainted("red-sky.png", photo, sky, { hex: true, values: [255, 0, 0] }, 0.5);
 */
export async function writePainted(
  path: string,
  raster: Raster & { channels: number },
  components: Components,
  colour: Colour,
  opacity: number,
  space?: Space,
): Promise<void> {
  const { data } = raster;
  const npy = endingOf(path) === ".npy";
  const inGrey = !holds(path, { types: ["u8"], channels: 3 });
  const deep = data instanceof Uint16Array;
  if (!npy && !deep && !(data instanceof Uint8Array)) {
    throw new FileError(`Expected 8 or 16 bits without sign for ${path}, got a picture of another type; write .npy.`);
  }
  checkColour(path, typeOfArray(data), colour);
  const full = deep ? 65535 : 255;
  const named = scaledTo(typeOfArray(data), colour);
  const values = inGrey && raster.channels === 1 && colour.byDefault ? [mostOf(data)] : named;
  if (!npy && (raster.depth ?? 1) > 1) {
    throw new FileError(`Expected an image for ${path}, got a volume; write .npy.`);
  }
  const grey = values.every((value) => value === values[0]);
  if (inGrey && raster.channels > 1) throw new FileError(`Expected one channel for ${path}, got a picture in colour.`);
  if (inGrey && !grey) throw new FileError(`Expected one value as --color for ${path}, got several.`);
  const canvas = raster.channels > 1 || grey ? raster : inColour(raster);
  const { width, height, channels } = canvas;
  const wanted = channels === 1 ? values.slice(0, 1) : values.length === 1 ? Array(3).fill(values[0]) : values;
  const painted = await paint(canvas, components, channels === 4 ? [...wanted, full] : wanted, { opacity });
  const type = typeOfArray(painted.data);
  const layout = { width, height, depth: painted.depth ?? 1, channels: channels as 1 | 3 | 4, type, space };
  await writeValues(path, layout, fillOf(painted.data, layout));
}

/**
 * Paints a volume, or a picture that stays in its file, into a .npy file, slice by slice: it takes the memory of one slice and of the runs.
 * @throws FileError for another format
 */
export async function writePaintedSlices(
  path: string,
  source: Source,
  components: Components,
  colour: Colour,
  opacity: number,
  space?: Space,
): Promise<void> {
  const { width, height, depth = 1, type } = source;
  if (endingOf(path) !== ".npy") {
    throw new FileError(`Expected an image for ${path}, got a volume; write .npy.`);
  }
  checkColour(path, type, colour);
  const values = scaledTo(type, colour);
  if (!colour.byDefault && values.some((each) => each !== values[0])) {
    throw new FileError(`Expected one value as --color for ${path}, got several.`);
  }
  const value = colour.byDefault ? await mostIn(source) : values[0];
  const { row, begin, end, label } = await components.runs();
  const layout = { width, height, depth, type, space };
  await writeValues(path, layout, async (sink) => {
    const slice = new ARRAYS[type](width * height);
    for (let z = 0, from = 0; z < depth; z++) {
      await source.read(z, z + 1, 0, height, slice, {});
      let to = from;
      while (to < row.length && row[to] < (z + 1) * height) to++;
      const runs = {
        count: to - from,
        width,
        height,
        depth: 1,
        row: row.slice(from, to).map((at) => at - z * height),
        begin: begin.slice(from, to),
        end: end.slice(from, to),
        label: label.slice(from, to),
      };
      // paint() asks its components for their size and their runs alone.
      const objects = { width, height, depth: 1, runs: async () => runs } as unknown as Components;
      const { data } = await paint({ data: slice, width, height }, objects, value, { opacity });
      await sink.write(z, z + 1, 0, height, data);
      from = to;
    }
  });
}

/** Refuses a number that the type of a picture does not hold; it would be clipped. */
function checkColour(path: string, type: PixelType, { hex, values }: Colour): void {
  if (hex || type === "f32") return;
  const array = new ARRAYS[type](1);
  for (const value of values) {
    array[0] = value;
    if (array[0] === value) continue;
    throw new FileError(`Expected --color to be a value of ${type}, as ${path} holds, got ${value}.`);
  }
}

/** A colour in the values of a type: #rrggbb is scaled so that 255 becomes the largest of u16. */
function scaledTo(type: PixelType, { hex, values }: Colour): readonly number[] {
  return values.map((value) => (hex ? Math.round((value / 255) * (type === "u16" ? 65535 : 255)) : value));
}

/** The largest value that the type of a Source holds; of floats the largest of its values, or 0. */
async function mostIn(source: Source): Promise<number> {
  if (source.type !== "f32") return mostOf(new ARRAYS[source.type](0));
  let most = 0;
  await eachBand({ pixels: source }, (rows) => {
    most = Math.max(most, mostOf(rows));
    return true;
  });
  return most;
}

/** The largest value that the type holds; for floats the largest value of the picture, or 0. */
function mostOf(data: Raster["data"]): number {
  if (data instanceof Float32Array) return data.reduce((most, value) => Math.max(most, value), 0);
  const signed = data instanceof Int16Array || data instanceof Int32Array;
  return 2 ** (8 * data.BYTES_PER_ELEMENT - (signed ? 1 : 0)) - 1;
}

/** A grey picture as RGB with equal channels. */
function inColour({ data, width, height }: Raster): Raster & { channels: number } {
  const rgb = data instanceof Uint16Array ? new Uint16Array(data.length * 3) : new Uint8Array(data.length * 3);
  for (let i = 0; i < data.length; i++) rgb.fill(data[i], 3 * i, 3 * i + 3);
  return { data: rgb, width, height, channels: 3 };
}
