// Writes palettes: .json with the pixels and the share of each class, .gpl for GIMP, Inkscape and Krita, .png of swatches.

import type { Segmentation } from "skerry";
import { hexOf } from "../drawing/colours.js";
import { FileError } from "../errors.js";
import { writePng } from "../formats/png.js";
import type { Output } from "../output.js";
import { checkWriting } from "../writing.js";

/** Sides of a swatch in pixels, and swatches in a row. */
const SWATCH = 32;
const ROW = 16;

/** Red, green and blue of a class, 0 to 255. */
export function colourOf({ palette, k }: Segmentation, i: number): [number, number, number] {
  const channels = palette.length / k;
  const [red = 0, green = red, blue = red] = palette.subarray(i * channels, (i + 1) * channels);
  return [red, green, blue];
}

/** Formats of a palette. */
export const PALETTE_ENDINGS = [".json", ".gpl", ".png"] as const;

/**
 * Writes the palette in the format of the ending; `name` is the name of the picture.
 * @throws FileError if there is no class, because the picture is transparent all over
 * @example
 * import { MemoryOutput, writePalette } from "@skerry/files";
 * const file = new MemoryOutput();
 * await writePalette(file, ".gpl", await engine.kmeans(photo, { k: 3 }), "photo");
 * console.log(new TextDecoder().decode(file.bytes()));
 */
export async function writePalette(
  file: Output,
  ending: (typeof PALETTE_ENDINGS)[number],
  segmentation: Segmentation,
  name: string,
): Promise<void> {
  checkWriting("writePalette", file, { of: segmentation, field: "counts", call: "kmeans()" });
  const { k, counts } = segmentation;
  if (k === 0)
    throw new FileError(`Expected colours for a ${ending} palette, got a picture that is transparent all over.`);
  const colours = Array.from({ length: k }, (_, i) => colourOf(segmentation, i));
  if (ending === ".png") {
    await writePng(file, { ...swatches(colours), channels: 4 });
    return;
  }
  const total = counts.reduce((sum, n) => sum + n, 0);
  const entries = colours.map((rgb, i) => ({
    class: i,
    hex: hexOf(rgb),
    rgb,
    pixels: counts[i],
    share: counts[i] / total,
  }));
  const lines = colours.map((rgb, i) => `${rgb.map((n) => `${n}`.padStart(3)).join(" ")}\tclass ${i} ${hexOf(rgb)}`);
  const text =
    ending === ".json"
      ? `[\n${entries.map((entry) => `  ${JSON.stringify(entry)}`).join(",\n")}\n]\n`
      : `GIMP Palette\nName: ${name.replace(/\s+/g, " ")}\nColumns: ${ROW}\n#\n${lines.join("\n")}\n`;
  await file.write(text);
}

/** Squares of the colours in rows; the rest of the last row is transparent. */
function swatches(colours: readonly (readonly number[])[]): { data: Uint8Array; width: number; height: number } {
  const width = Math.min(ROW, colours.length) * SWATCH;
  const height = Math.ceil(colours.length / ROW) * SWATCH;
  const data = new Uint8Array(width * height * 4);
  for (let y = 0, at = 0; y < height; y++) {
    for (let x = 0; x < width; x++, at += 4) {
      const colour = colours[Math.floor(y / SWATCH) * ROW + Math.floor(x / SWATCH)];
      if (colour) data.set([...colour, 255], at);
    }
  }
  return { data, width, height };
}
