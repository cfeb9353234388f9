// skerry info FILE: what a file holds, what commands would take of it, and why.

import { type Space, spacingOf } from "@skerry/files";
import { mapUnitOf, typeOfArray } from "@skerry/files/internal";
import { type About, openPicture, type Picture } from "@skerry/files/node";
import { picturesIn, type RawLayout } from "@skerry/files/node/internal";
import { nonzeroOrOtsu } from "@skerry/recipe";
import { defined } from "skerry/internal";
import { UsageError } from "../errors.js";
import { counted, sides } from "../progress.js";

export interface FileInfo extends About {
  readonly input: string;
  readonly width: number;
  readonly height: number;
  readonly depth?: number;
  /** The pixels that commands take: their type, and their channels. */
  readonly taken: { readonly type: string; readonly channels: number };
  /** Number of ids of 64 bits, of a label image that 32 bits do not hold. */
  readonly ids?: number;
  readonly space: Space;
  /** The threshold of `skerry label` without options; undefined for volumes and pictures that would take long to look through. */
  readonly threshold?: unknown;
  readonly notes: readonly string[];
}

/** Most values that are looked through for a threshold. */
const MOST_VALUES = 2 ** 26;

/** A folder of pictures, each of which is an input of its own. */
export interface FolderInfo {
  readonly input: string;
  readonly format: string;
  readonly pictures: readonly string[];
}

/** Opens a file, or a folder of slices, as commands do without options. */
export async function infoOfFile(input: string, raw: RawLayout | undefined): Promise<FileInfo | FolderInfo> {
  const pictures = await picturesIn(input);
  if (pictures && raw) throw new UsageError(`Expected no --shape for ${input}, which is a folder.`);
  if (pictures) return { input, format: "a folder of pictures", pictures };
  const picture = await openPicture(input, { ids: true, raw });
  try {
    return await infoOf(picture);
  } finally {
    await picture.close();
  }
}

async function infoOf({ input, pixels, space, about, ids, notes }: Picture): Promise<FileInfo> {
  const { width, height, depth = 1, channels = 1 } = pixels;
  const isShort = width * height * depth <= MOST_VALUES;
  const threshold = isShort && !ids ? await nonzeroOrOtsu(pixels) : undefined;
  return defined({
    input,
    ...about,
    width,
    height,
    depth: depth > 1 ? depth : undefined,
    taken: { type: "data" in pixels ? typeOfArray(pixels.data) : pixels.type, channels },
    ids: ids ? ids.length : undefined,
    space,
    threshold,
    notes: notes(),
  });
}

/** Numbers of at most six digits. */
const text = (numbers: readonly number[]): string => numbers.map((n) => Number(n.toPrecision(6))).join(" x ");

/** The size of a pixel, and who tells it. */
function sizeOfPixel({ axes, printed, crs }: Space): string {
  const sizes = spacingOf({ axes, taken: {} });
  const unit = axes[0].unit ?? "no unit";
  if (sizes) return `${text(sizes)} ${unit}${axes[2].size > 1 && sizes.length < 3 ? ", none along z" : ""}`;
  if (crs?.kind === "map" && crs.degrees) return "degrees, which have no one length";
  if (printed) return `none; ${text(printed.spacing)} ${printed.unit} on paper, which counts with --spacing file`;
  return "none; give --spacing";
}

function placeOf({ toWorld, crs, axes }: Space): string | undefined {
  if (!toWorld) return undefined;
  const first = text(toWorld.map((row) => row[3])).replaceAll(" x ", ", ");
  if (crs?.kind === "map") {
    const system = crs.epsg === undefined ? "a map of no EPSG code" : `the map EPSG ${crs.epsg}`;
    return `first pixel at ${first.split(", ").slice(0, 2).join(", ")} ${mapUnitOf(crs) ?? ""} of ${system}`;
  }
  const where = crs?.kind === "patient" ? " of the scanner or an atlas" : "";
  return `first pixel at ${first} ${axes[0].unit ?? ""}${where}`;
}

/** How a threshold is found without options, and why. */
function thresholdText({ threshold, taken }: FileInfo): string {
  const of = taken.channels > 1 && threshold !== "nonzero" ? " of the luma" : "";
  if (threshold === "nonzero") return "pixels that are not 0: it holds two values at most, one of them 0";
  return `pixels on one side of Otsu's threshold${of}: it holds more than two values, or none that is 0`;
}

export function fileAsText(info: FileInfo | FolderInfo): string {
  if ("pictures" in info) {
    const { input, pictures } = info;
    return `${input}: a folder of ${counted(pictures.length, "picture")}, from ${pictures[0]} to ${pictures.at(-1)}; skerry label takes each by itself, or with --volume all as slices of one volume`;
  }
  const { input, format, stored, channels, compression, palette, alpha, space, taken, threshold, notes } = info;
  const facts = [
    format,
    stored,
    channels === undefined ? undefined : counted(channels, "channel"),
    compression === undefined ? undefined : compression === "none" ? "not packed" : `packed by ${compression}`,
    palette === undefined ? undefined : `a palette of ${palette} colours`,
    alpha ? "with transparency" : undefined,
  ].filter((fact) => fact !== undefined);
  const others = space.axes.slice(3).map(({ name, size }) => `${size} ${name}s`);
  const place = placeOf(space);
  return [
    `${input}: ${facts.join(", ")}`,
    `size      ${sides({ width: info.width, height: info.height, depth: info.depth ?? 1 })} pixels`,
    ...(others.length > 0 ? [`holds     ${others.join(", ")}`] : []),
    `a pixel   ${sizeOfPixel(space)}`,
    ...(place === undefined ? [] : [`place     ${place}`]),
    info.ids === undefined
      ? `taken as  ${taken.type}, ${counted(taken.channels, "channel")}`
      : `taken as  ${counted(info.ids, "id")} of 64 bits, by --by; other commands refuse them`,
    ...(threshold === undefined ? [] : [`label     takes ${thresholdText(info)}`]),
    ...notes.map((note) => `note      ${note}`),
  ].join("\n");
}
