// The stages of labelling as pictures with captions: pixels, bits, runs, labels within strips or tiles, seams, labels;
// and the order in which a fill arrives. Also checks that the stages end in the engine's result.

import { rampColour } from "@skerry/files";
import { toRgb } from "@skerry/files/node/internal";
import type { ComponentsOptions, Engine, Place, Polarity, Raster, Threshold, Timing } from "skerry";
import { defined } from "skerry/internal";
import { RunError } from "../errors.js";
import { counted, grouped, sides } from "../progress.js";
import { type Arrival, arrivalOf } from "./arrival.js";
import { classesOf } from "./classes.js";
import { colourOfLabel, Drawing, GROUND, type Rgb } from "./drawing.js";
import { type Joining, joinPieces, type PieceSize } from "./joining.js";

/** Tiles of the GPU: four words of 32 pixels wide, 32 cells high; with 8-connectivity a cell has two rows. */
const TILE_WIDTH = 128;
const TILE_CELLS = 32;

/** Distance in the palette between the colours of equal labels in neighbouring strips or tiles. */
const COLOUR_STEP = 5;

/** Pixels in memory, whose channels are known. */
export type Pixels = Raster & { readonly channels: number };

/** One picture, and what it shows in a few words. */
export interface Stage {
  readonly file: string;
  readonly drawing: Drawing;
  readonly text: string;
  /** The engine's time for this stage in a call of its own, and the bytes that it moves; undefined if it has no such stage. */
  readonly cost?: Cost | undefined;
}

export interface Cost {
  readonly milliseconds: number;
  readonly bytes: number;
}

/** The engine's stages behind each picture. Of pixels these are the transfers: copies to the device. */
const BEHIND: Readonly<Record<string, readonly string[]>> = {
  pixels: ["copy", "load", "upload"],
  bits: ["pack"],
  strips: ["label strips"],
  tiles: ["label strips", "label tiles", "label"],
  seams: ["join seams", "join tiles", "join slices"],
  labels: ["labels"],
};

function costOf(name: string, timings: readonly Timing[]): Cost | undefined {
  const behind = timings.filter(({ stage }) => BEHIND[name]?.includes(stage));
  if (behind.length === 0) return undefined;
  const sum = (of: (timing: Timing) => number): number => behind.reduce((total, timing) => total + of(timing), 0);
  return { milliseconds: sum(({ milliseconds }) => milliseconds), bytes: sum(({ bytes }) => bytes ?? 0) };
}

/** How to label. */
export interface Labelling {
  readonly threshold: Threshold;
  /** Side of an automatic threshold. */
  readonly polarity: Polarity | "auto";
  readonly connectivity: 4 | 8;
  /** Strips of rows, or the GPU's tiles. */
  readonly pieces: number | "tiles";
}

/** How to fill. */
export interface Filling {
  readonly seeds: readonly Place[];
  /** One number, or one per channel. */
  readonly tolerance: readonly number[];
  readonly connectivity: 4 | 8;
}

/** The six stages of labelling. */
export async function labelStages(
  engine: Engine,
  raster: Pixels,
  { threshold, polarity, connectivity, pieces: cut }: Labelling,
): Promise<Stage[]> {
  const { width, height } = raster;
  using found = await engine.components(
    raster,
    defined<ComponentsOptions>({
      threshold,
      connectivity,
      polarity: typeof threshold === "string" && threshold !== "nonzero" ? polarity : undefined,
    }),
  );
  const timings = [...engine.timings];
  const classes = classesOf(raster, threshold, found.polarity === "dark", found.threshold);
  const piece: PieceSize =
    cut === "tiles"
      ? { width: TILE_WIDTH, height: connectivity === 8 ? 2 * TILE_CELLS : TILE_CELLS }
      : { width, height: Math.ceil(height / cut) };
  const joining = joinPieces(classes, raster, connectivity, piece);
  const { data: expected } = await found.labels();
  timings.push(...engine.timings.filter(({ stage }) => stage === "labels"));
  if (!equal(expected, joining.labels)) {
    throw new RunError("The labels of the stages differ from the engine's; please report this image.");
  }
  const { runs, pieces, pieceNumbers, ownCount, meetings, unions, meets, labels, count } = joining;
  const kind = cut === "tiles" ? "tile" : "strip";
  const colours = await toRgb({ pixels: raster }, width, height);
  const draw = (colourAt: (at: number) => Rgb): Drawing => new Drawing(raster, colourAt);
  const runOf = runNumbers(classes, width);
  const across = labelsAcross(joining);
  const columns = Math.ceil(width / piece.width);
  const pieceOf = (at: number): number =>
    Math.floor(at / width / piece.height) * columns + Math.floor((at % width) / piece.width);
  const stages: [string, Drawing, string][] = [
    [
      "pixels",
      draw((at) => colours.subarray(at * 3, at * 3 + 3) as unknown as Rgb),
      sides({ width, height, depth: 1 }),
    ],
    ["bits", draw((at) => CLASS_COLOURS[classes[at]]), `${grouped(found.foreground)} pixels are foreground`],
    ["runs", draw((at) => colourOfLabel(runOf[at])), `${grouped(runs)} runs`],
    [
      `${kind}s`,
      draw((at) => colourOfLabel(pieceNumbers[at] ? pieceNumbers[at] + COLOUR_STEP * pieceOf(at) : 0)).seams(piece),
      `${counted(ownCount, "component")} in ${counted(pieces, kind)}, each numbered from 1`,
    ],
    [
      "seams",
      draw((at) => {
        if (meets[at]) return MEETING;
        return across.has(labels[at]) ? colourOfLabel(labels[at]) : dimmed(classes[at]);
      }).seams(piece),
      `${counted(meetings, "pair")} of pixels meet across seams and join ${counted(unions, "component")}`,
    ],
    ["labels", draw((at) => colourOfLabel(labels[at])), `${counted(count, "object")}, equal to the engine's labels`],
  ];
  return stages.map(([name, drawing, text], i) => ({
    file: `${i + 1}-${name}.png`,
    drawing,
    text,
    cost: costOf(name, timings),
  }));
}

const CLASS_COLOURS: readonly Rgb[] = [GROUND, [236, 240, 245], [255, 140, 40]];
const MEETING: Rgb = [255, 255, 255];

function dimmed(pixelClass: number): Rgb {
  return pixelClass === 0 ? GROUND : [62, 70, 84];
}

/** The labels of objects that lie on both sides of a seam. */
function labelsAcross({ meets, labels }: Joining): Set<number> {
  const found = new Set<number>();
  for (let at = 0; at < meets.length; at++) if (meets[at]) found.add(labels[at]);
  return found;
}

/** The number of the run that a pixel is in, from 1; 0 for background. */
function runNumbers(classes: Uint8Array, width: number): Uint32Array {
  const numbers = new Uint32Array(classes.length);
  let count = 0;
  for (let at = 0; at < classes.length; at++) {
    if (classes[at] === 0) continue;
    if (at % width === 0 || classes[at - 1] !== classes[at]) count++;
    numbers[at] = count;
  }
  return numbers;
}

/** The order in which a fill arrives. */
export async function fillStage(engine: Engine, raster: Pixels, filling: Filling): Promise<Stage> {
  const { seeds, tolerance, connectivity } = filling;
  const arrival = arrivalOf(raster, seeds, tolerance, connectivity);
  const given = tolerance.length === 1 ? tolerance[0] : tolerance;
  using filled = await engine.fill(raster, { seeds, tolerance: given, connectivity });
  const { data } = await filled.labels();
  if (!data.every((label, at) => label > 0 === arrival.round[at] > 0)) {
    throw new RunError("The search reaches other pixels than the engine fills; please report this image.");
  }
  const drawing = await drawArrival(raster, arrival);
  for (const [x, y] of seeds) drawing.mark(x, y);
  const { pixels, rounds } = arrival;
  const text = `${counted(pixels, "pixel")} filled; a search by rounds arrives after ${counted(rounds, "round")}, ${(pixels / rounds).toFixed(1)} pixels each`;
  return { file: "7-fill.png", drawing, text };
}

/** The image in grey, and over it the fill: dark where it arrives first, light where last. */
async function drawArrival(raster: Pixels, { round, rounds }: Arrival): Promise<Drawing> {
  const colours = await toRgb({ pixels: raster }, raster.width, raster.height);
  return new Drawing(raster, (at) => {
    const n = round[at];
    if (n > 0) return rampColour(n, 0, rounds) as unknown as Rgb;
    const [red, green, blue] = colours.subarray(at * 3, at * 3 + 3) as unknown as Rgb;
    const grey = (0.3 * red + 0.6 * green + 0.1 * blue) * 0.6;
    return [grey, grey, grey];
  });
}

function equal(a: Uint32Array, b: Uint32Array): boolean {
  return a.length === b.length && a.every((value, i) => value === b[i]);
}
