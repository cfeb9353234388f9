// Pictures over bytes that stay open while they are read.

import type { Bytes } from "../bytes.js";
import type { Picture } from "./picture.js";
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
