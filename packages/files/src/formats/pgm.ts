// Netpbm's binary PGM and PPM (P5, P6): reads images of 8 and 16 bits, row by row on demand; writes labels, masks and pixels. Values of
// 16 bits are big-endian.

import type { PixelArray, Source } from "skerry";
import { type Bytes, bytesSource, checkLength, latin1, readFully } from "../bytes.js";
import { FileError } from "../errors.js";
import type { Fill, Layout, ValueType } from "../layout.js";
import type { Output } from "../output.js";

/** White space and comments between the words of a header, and the header: width, height and maximum value. */
const GAP = "(?:[ \\t-\\r]|#[^\\n\\r]*[\\n\\r])+";
const HEADER = new RegExp(`^P[56]${GAP}(\\d+)${GAP}(\\d+)${GAP}(\\d+)[ \\t-\\r]`);
/** Netpbm's formats that are not read. */
const NETPBM: Readonly<Record<string, string>> = {
  P1: "a plain bitmap",
  P2: "a plain PGM, in letters",
  P3: "a plain PPM",
  P4: "a bitmap",
  P7: "a PAM",
};
/** Bytes at the start of a file that are searched for the header. Comments may be of any length; longer headers are rejected. */
const HEADER_BYTES = 1 << 16;

/** Whether the first bytes of a file are those of a binary PGM or PPM (P5, P6). */
export function isPgm(start: Uint8Array): boolean {
  return /^P[56][ \t-\r#]/.test(latin1(start.subarray(0, 3)));
}

/**
 * Opens an image, grey or of red, green and blue; of a file with several images the first. Values are read as stored, whatever maximum the header states.
 * @throws FileError if the file is not a binary PGM or PPM, or is truncated
 * @example
 * import { bufferBytes, fillOf, MemoryOutput, openPgm, writePgm } from "@skerry/files";
 * const file = new MemoryOutput();
 * const size = { width: 3, height: 2, depth: 1 };
 * await writePgm(file, { ...size, type: "u8" }, fillOf(new Uint8Array(6), size));
 * const source = await openPgm(bufferBytes(file.bytes()), "six.pgm");
 * console.log(source.width, source.height); // 3, 2
 */
export async function openPgm(bytes: Bytes, name: string, nodata?: number): Promise<Source & { channels: 1 | 3 }> {
  const start = new Uint8Array(Math.min(bytes.size, HEADER_BYTES));
  await readFully(bytes, start, 0, name);
  const header = HEADER.exec(latin1(start));
  const [plain] = /^P[1-7]/.exec(latin1(start.subarray(0, 2))) ?? [];
  if (!header && plain && NETPBM[plain]) {
    throw new FileError(`Expected ${name} to be a binary PGM or PPM (P5, P6), got ${plain}, ${NETPBM[plain]}.`);
  }
  if (!header)
    throw new FileError(`Expected ${name} to be a binary PGM or PPM (P5, P6), but it does not begin like one.`);
  const [width = 0, height = 0, most = 0] = header.slice(1).map(Number);
  if (!width || !height) throw new FileError(`Expected ${name} to have pixels in it, got ${width} x ${height}.`);
  if (!most || most > 65535) {
    throw new FileError(`Expected ${name} to hold values of at most 1 to 65535, got at most ${most}.`);
  }
  const type = most > 255 ? "u16" : "u8";
  const channels = plain === "P6" ? 3 : 1;
  // Channels of a pixel lie beside each other, as if rows were longer.
  const size = { width: width * channels, height, depth: 1 };
  checkLength(bytes, header[0].length, size, type, name);
  const source = bytesSource(bytes, header[0].length, size, { type, littleEndian: false, nodata }, name);
  return { ...source, width, channels };
}

/**
 * Writes values as they come; bool as 0 and 255.
 * @example
 * import { fillOf, MemoryOutput, writePgm } from "@skerry/files";
 * const file = new MemoryOutput();
 * const size = { width: 3, height: 2, depth: 1 };
 * await writePgm(file, { ...size, type: "u8" }, fillOf(new Uint8Array(6), size));
 */
export async function writePgm(file: Output, { type, width, height }: Layout, fill: Fill): Promise<void> {
  await file.write(`P5\n${width} ${height}\n${type === "u16" ? 65535 : 255}\n`);
  await fill({ write: (_z0, _z1, _y0, _y1, data) => file.write(storedBytes(data, type)) });
}

/** Values as the file stores them; 16-bit labels arrive as u32. */
function storedBytes(data: PixelArray, type: ValueType): Uint8Array {
  if (type === "u16") {
    const view = new DataView(new ArrayBuffer(2 * data.length));
    for (let i = 0; i < data.length; i++) view.setUint16(2 * i, data[i]);
    return new Uint8Array(view.buffer);
  }
  return Uint8Array.from(data, (value) => (type === "bool" && value ? 255 : value));
}
