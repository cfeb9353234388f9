// Lines of text, written in pieces.

import type { Output } from "../output.js";

/** Rows joined into pieces large enough to write at once. */
export async function writeLines(
  file: Output,
  count: number,
  line: (i: number) => string | Promise<string>,
): Promise<void> {
  let piece = "";
  for (let i = 0; i < count; i++) {
    piece += await line(i);
    if (piece.length > 1 << 18) {
      await file.write(piece);
      piece = "";
    }
  }
  await file.write(piece);
}
