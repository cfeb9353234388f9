// Other images whose values are measured under objects: paths of files, with an optional channel and name, as in
// marker=stack.tif:1.

import type { ChannelName } from "skerry";
import { CHANNELS } from "skerry/internal";

/** The part of a recipe that names images beside the input. */
interface Measured {
  readonly input?: { readonly intensity?: readonly string[] };
}

/** An image beside the input. */
export interface IntensityFile {
  /** The name, a suffix of its columns. */
  readonly name: string;
  readonly path: string;
  readonly channel?: ChannelName | undefined;
}

const PATTERN = new RegExp(`^(?:([A-Za-z_][A-Za-z0-9_-]*)=)?(.+?)(?::(\\d+|${CHANNELS.join("|")}))?$`, "s");

/** The parts of `[NAME=]FILE[:CHANNEL]`; undefined for a text without a file. */
export function parseIntensity(text: string): (IntensityFile & { readonly named: boolean }) | undefined {
  const [, given, path, said] = PATTERN.exec(text) ?? [];
  if (path === undefined) return undefined;
  const channel = said === undefined ? undefined : /^\d/.test(said) ? Number(said) : (said as ChannelName);
  const stem = (path.split(/[/\\]/).pop() ?? path).replace(/\.nii\.gz$|(\.ome)?\.zarr$|\.[^.]*$/i, "");
  const name = given ?? `${stem}${channel === undefined ? "" : `_${channel}`}`;
  return { name, path, channel, named: given !== undefined };
}

/**
 * The intensity images that a recipe names.
 * @example
 * import { intensityFiles } from "@skerry/recipe";
 * const [file] = intensityFiles({ input: { intensity: ["marker=cells.tif:1"] } });
 * console.log(file.name, file.path, file.channel); // marker cells.tif 1
 */
export function intensityFiles({ input = {} }: Measured): readonly IntensityFile[] {
  return (input.intensity ?? []).flatMap((text) => parseIntensity(text) ?? []);
}

/**
 * Whether column names end in the name of their image: if there are several images, or one has a name.
 * @example
 * import { namesIntensity } from "@skerry/recipe";
 * console.log(namesIntensity({ input: { intensity: ["cells.tif"] } })); // false: one image without a name
 */
export function namesIntensity({ input = {} }: Measured): boolean {
  const all = input.intensity ?? [];
  return all.length > 1 || all.some((text) => parseIntensity(text)?.named);
}
