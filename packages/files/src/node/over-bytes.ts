// Pictures over bytes that stay open while they are read.

import type { Bytes } from "../bytes.js";
import { axisOf, type Space } from "../space.js";
import type { Picture, PictureOptions } from "./picture.js";
import type { Opened } from "./reader.js";

/** Opens a picture over bytes. The bytes are closed with the picture, or at once if `open` fails. */
export async function overBytes(bytes: Bytes, open: (bytes: Bytes) => Promise<Opened>): Promise<Opened> {
  try {
    return { ...(await open(bytes)), close: () => bytes.close() };
  } catch (error) {
    await bytes.close();
    throw error;
  }
}

/** The note on values that were rounded to float32. */
export function roundedNote(source: { readonly unlike: number }, shown: string): Picture["notes"] {
  return () =>
    source.unlike > 0 ? [`${shown}: ${source.unlike} float64 values do not fit float32 and were rounded`] : [];
}

/** The number of a channel; undefined for one that has a name. */
export const numbered = (channel: PictureOptions["channel"]): number | undefined =>
  typeof channel === "number" ? channel : undefined;

/** Notes on volumes of which one was taken without being asked for. */
export const severalNotes = (space: Space, shown: string): string[] =>
  (["time", "channel"] as const).flatMap((axis) => {
    const size = axisOf(space, axis)?.size ?? 1;
    return size > 1 && space.taken[axis] === undefined
      ? [`${shown} has ${size} ${axis}s; the first one is used (--${axis} N takes another)`]
      : [];
  });
