// Other files that a recipe names beside its input: [name=]FILE[:selection], as in marker=stack.tif:1 or atlas.nii:time=2.

import type { ChannelName } from "skerry";
import { CHANNELS, PROJECTIONS, type Projection } from "skerry/internal";

/** The part of a recipe that names images beside the input. */
interface Measured {
  readonly input?: { readonly intensity?: readonly string[] };
}

/** The image that is taken of a file that holds several. */
export interface Selection {
  readonly channel?: ChannelName | undefined;
  readonly time?: number | undefined;
  readonly page?: number | Projection | undefined;
  readonly level?: number | undefined;
}

/** A file beside the input. */
export interface BesideFile extends Selection {
  /** The name, a suffix of its columns. */
  readonly name: string;
  readonly path: string;
  /** The text as it is written, without the name: the path, if a file of that name exists. */
  readonly written: string;
  /** Whether it was named, rather than by its file. */
  readonly named: boolean;
}

/** Fields of a recipe's input that name files beside it. */
export const BESIDE_FIELDS = ["within", "intensity", "union", "intersection", "difference"] as const;

/** Keys of selections. */
export const SELECTION_KEYS = ["channel", "time", "page", "level"] as const;

/** A selection: the number of a channel, the name of one, or key=value. */
const SELECTION = new RegExp(
  `^(?:\\d+|${CHANNELS.join("|")}|(?:${SELECTION_KEYS.join("|")})=[^:,=]+(?:,(?:${SELECTION_KEYS.join("|")})=[^:,=]+)*)$`,
);

/** A name before the file: letters, digits and _. */
const NAME = /^([\p{L}\p{N}_]+)=(.+)$/su;

/** The channel of a text; undefined for none. */
function channelOf(text: string): ChannelName | undefined {
  if (/^\d+$/.test(text)) return Number(text);
  return CHANNELS.find((name) => name === text);
}

/** The parts of a selection; undefined if it is none. */
function selectionOf(text: string): Selection | undefined {
  if (!SELECTION.test(text)) return undefined;
  if (!text.includes("=")) return { channel: channelOf(text) };
  const entries = text.split(",").map((pair) => {
    const [key, value] = pair.split("=") as [(typeof SELECTION_KEYS)[number], string];
    const named = key === "channel" ? channelOf(value) : /^\d+$/.test(value) ? Number(value) : undefined;
    return [key, named ?? (key === "page" ? PROJECTIONS.find((name) => name === value) : undefined)] as const;
  });
  const isKnown =
    entries.every(([, value]) => value !== undefined) && new Set(entries.map(([key]) => key)).size === entries.length;
  return isKnown ? Object.fromEntries(entries) : undefined;
}

/** Whether a colon after a text belongs to the text: to a drive, or to the host of a URL. */
const keepsColon = (path: string): boolean => /^[a-z]$/i.test(path) || /^[a-z][a-z0-9+.-]*:\/*[^/]*$/i.test(path);

/**
 * The parts of `[name=]FILE[:selection]`; undefined for a text without a file. The selection is what follows the last colon, if it is a number,
 * the name of a channel or key=value; colons of drives and URLs stay.
 */
export function parseBeside(text: string): BesideFile | undefined {
  const [, given, rest = text] = NAME.exec(text) ?? [];
  // A half of NAME=FILE is missing.
  if (rest === "" || (given === undefined && /^=|^[\p{L}\p{N}_]+=$/u.test(text))) return undefined;
  const at = rest.lastIndexOf(":");
  const selection = at > 0 && !keepsColon(rest.slice(0, at)) ? selectionOf(rest.slice(at + 1)) : undefined;
  const path = selection ? rest.slice(0, at) : rest;
  const stem = (path.split(/[/\\]/).pop() ?? path).replace(/\.nii\.gz$|(\.ome)?\.zarr$|\.[^.]*$/i, "");
  const name = given ?? [stem, ...Object.values(selection ?? {})].join("_");
  return { ...selection, name, path, written: rest, named: given !== undefined };
}

/** The intensity images that a recipe names. */
export function intensityFiles({ input = {} }: Measured): readonly BesideFile[] {
  return (input.intensity ?? []).flatMap((text) => parseBeside(text) ?? []);
}

/** Whether column names end in the name of their image: if there are several images, or one has a name. */
export function namesIntensity({ input = {} }: Measured): boolean {
  const all = input.intensity ?? [];
  return all.length > 1 || all.some((text) => parseBeside(text)?.named);
}
