// Pictures over bytes that stay open while they are read.

import type { Bytes } from "../bytes.js";
import type { Picture } from "./picture.js";
import type { Opened } from "./reader.js";

/** Result of `open` for bytes, which are closed with it, or at once if it fails. */
export async function overBytes(bytes: Bytes, open: (bytes: Bytes) => Promise<Opened>): Promise<Opened> {
  try {
    return { ...(await open(bytes)), close: () => bytes.close() };
  } catch (error) {
    await bytes.close();
    throw error;
  }
}

/** A note when values had to be rounded on the way. */
export function roundedNote(source: { readonly unlike: number }, shown: string): Picture["notes"] {
  return () =>
    source.unlike > 0 ? [`${shown}: ${source.unlike} float64 values do not fit float32 and were rounded`] : [];
}
