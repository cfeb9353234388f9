// Netpbm's binary PGM (P5): grey images of 8 and 16 bits in, read from the file row by row as they are asked for; labels, masks
// and pixels out. 16 bits have the higher byte first.

import type { PixelArray, Source } from "skerry";
import { type Bytes, bytesSource, checkLength, latin1, readFully } from "../bytes.js";
import { FileError } from "../errors.js";
import type { Fill, Layout, ValueType } from "../layout.js";
import type { Output } from "../output.js";

/** White space and comments between the words of a header, and the header: width, height and the most that a value may be. */
const GAP = "(?:[ \\t-\\r]|#[^\\n\\r]*[\\n\\r])+";
const HEADER = new RegExp(`^P5${GAP}(\\d+)${GAP}(\\d+)${GAP}(\\d+)[ \\t-\\r]`);
/** Bytes at the start of a file that hold any header; comments may be of any length, but nobody writes more. */
const HEADER_BYTES = 1 << 16;

/** Whether a file begins as a PGM or PPM file does. */
export function isPgm(start: Uint8Array): boolean {
  return /^P5[ \t-\r#]/.test(latin1(start.subarray(0, 3)));
}

/** Opens an image, of a file that holds several the first; values come as they are stored, whatever the most is. */
export async function openPgm(bytes: Bytes, name: string, nodata?: number): Promise<Source> {
  const start = new Uint8Array(Math.min(bytes.size, HEADER_BYTES));
  await readFully(bytes, start, 0, name);
  const header = HEADER.exec(latin1(start));
  if (!header) throw new FileError(`Expected ${name} to be a binary PGM file (P5), but it does not begin like one.`);
  const [width = 0, height = 0, most = 0] = header.slice(1).map(Number);
  if (!width || !height) throw new FileError(`Expected ${name} to have pixels in it, got ${width} x ${height}.`);
  if (!most || most > 65535) {
    throw new FileError(`Expected ${name} to hold values of at most 1 to 65535, got at most ${most}.`);
  }
  const type = most > 255 ? "u16" : "u8";
  const size = { width, height, depth: 1 };
  checkLength(bytes, header[0].length, size, type, name);
  return bytesSource(bytes, header[0].length, size, { type, littleEndian: false, nodata }, name);
}

/** Writes values as they come; bool as black and white. */
export async function writePgm(file: Output, { type, width, height }: Layout, fill: Fill): Promise<void> {
  await file.write(`P5\n${width} ${height}\n${type === "u16" ? 65535 : 255}\n`);
  await fill({ write: (_z0, _z1, _y0, _y1, data) => file.write(storedBytes(data, type)) });
}

/** Values as the file has them; labels of 16 bits come in 32. */
function storedBytes(data: PixelArray, type: ValueType): Uint8Array {
  if (type === "u16") {
    const view = new DataView(new ArrayBuffer(2 * data.length));
    for (let i = 0; i < data.length; i++) view.setUint16(2 * i, data[i]);
    return new Uint8Array(view.buffer);
  }
  return Uint8Array.from(data, (value) => (type === "bool" && value ? 255 : value));
}
