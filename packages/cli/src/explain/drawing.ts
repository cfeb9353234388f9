// Pictures of the stages: one colour per pixel, small images enlarged by a whole number, with seams and seeds drawn over.

import { objectColour, palette, writePng } from "@skerry/files";
import { writeWhole } from "@skerry/files/node/internal";
import type { PieceSize } from "./joining.js";

/** Small images are enlarged by the largest whole number that keeps their longer side within this many pixels. */
const LEAST_SIDE = 480;

export type Rgb = readonly [number, number, number];

export const GROUND: Rgb = [18, 22, 30];
const SEAM: Rgb = [255, 255, 255];
const MARK: Rgb = [255, 40, 40];

const objectColours = palette();

/** The colour of a label, as in overlays; the ground for 0. */
export function colourOfLabel(label: number): Rgb {
  return label === 0 ? GROUND : objectColour(objectColours, label);
}

/** A picture of an image, pixel by pixel. */
export class Drawing {
  readonly width: number;
  readonly height: number;
  readonly #zoom: number;
  readonly #rgb: Uint8Array;

  constructor({ width, height }: PieceSize, colourAt: (at: number) => Rgb) {
    this.#zoom = Math.max(1, Math.floor(LEAST_SIDE / Math.max(width, height)));
    this.width = width * this.#zoom;
    this.height = height * this.#zoom;
    this.#rgb = new Uint8Array(this.width * this.height * 3);
    for (let at = 0; at < width * height; at++) {
      const [left, top] = [(at % width) * this.#zoom, Math.floor(at / width) * this.#zoom];
      this.#fill(left, top, this.#zoom, this.#zoom, colourAt(at));
    }
  }

  #fill(left: number, top: number, width: number, height: number, colour: Rgb): void {
    for (let y = Math.max(0, top); y < Math.min(this.height, top + height); y++) {
      for (let x = Math.max(0, left); x < Math.min(this.width, left + width); x++) {
        this.#rgb.set(colour, (y * this.width + x) * 3);
      }
    }
  }

  /** Dotted lines between strips or tiles. */
  seams(piece: PieceSize): this {
    const [across, down] = [piece.width * this.#zoom, piece.height * this.#zoom];
    const dot = 4;
    for (let y = down; y < this.height; y += down) {
      for (let x = 0; x < this.width; x += 2 * dot) this.#fill(x, y - 1, dot, 1, SEAM);
    }
    for (let x = across; x < this.width; x += across) {
      for (let y = 0; y < this.height; y += 2 * dot) this.#fill(x - 1, y, 1, dot, SEAM);
    }
    return this;
  }

  /** A cross-hair around a pixel. */
  mark(x: number, y: number): this {
    const middle = (place: number): number => Math.floor((place + 0.5) * this.#zoom);
    const [left, top] = [middle(x), middle(y)];
    const [inner, outer, thick] = [6, 18, 2];
    for (const [colour, more] of [
      [SEAM, 1],
      [MARK, 0],
    ] as const) {
      const size = outer - inner + 2 * more;
      const broad = thick + 2 * more;
      this.#fill(left - outer - more, top - 1 - more, size, broad, colour);
      this.#fill(left + inner - more, top - 1 - more, size, broad, colour);
      this.#fill(left - 1 - more, top - outer - more, broad, size, colour);
      this.#fill(left - 1 - more, top + inner - more, broad, size, colour);
    }
    return this;
  }

  async write(path: string): Promise<void> {
    const { width, height } = this;
    await writeWhole(path, (file) => writePng(file, { width, height, channels: 3, data: this.#rgb }));
  }
}
