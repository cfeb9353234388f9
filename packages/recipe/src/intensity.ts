// Other images whose values are measured under objects: files by their paths, with a channel and a name where those were said, as in
// marker=stack.tif:1.

import type { ChannelName } from "skerry";

/** The part of a recipe that names images beside the input. */
interface Measured {
  readonly input?: { readonly intensity?: readonly string[] };
}

/** An image beside the input. */
export interface IntensityFile {
  /** The name that its columns end in. */
  readonly name: string;
  readonly path: string;
  readonly channel?: ChannelName | undefined;
}

const CHANNELS = "luma|red|green|blue|alpha|hematoxylin|eosin|dab";
const PATTERN = new RegExp(`^(?:([A-Za-z_][A-Za-z0-9_-]*)=)?(.+?)(?::(\\d+|${CHANNELS}))?$`, "s");

/** The parts of `[NAME=]FILE[:CHANNEL]`; undefined for a text without a file. */
export function parseIntensity(text: string): (IntensityFile & { readonly named: boolean }) | undefined {
  const [, given, path, said] = PATTERN.exec(text) ?? [];
  if (path === undefined) return undefined;
  const channel = said === undefined ? undefined : /^\d/.test(said) ? Number(said) : (said as ChannelName);
  const stem = (path.split(/[/\\]/).pop() ?? path).replace(/\.nii\.gz$|(\.ome)?\.zarr$|\.[^.]*$/i, "");
  const name = given ?? `${stem}${channel === undefined ? "" : `_${channel}`}`;
  return { name, path, channel, named: given !== undefined };
}

/** The images of a recipe. */
export function intensityFiles({ input = {} }: Measured): readonly IntensityFile[] {
  return (input.intensity ?? []).flatMap((text) => parseIntensity(text) ?? []);
}

/** Whether columns tell which image they are of: where there are several, or one has a name. */
export function namesIntensity({ input = {} }: Measured): boolean {
  const all = input.intensity ?? [];
  return all.length > 1 || all.some((text) => parseIntensity(text)?.named);
}
