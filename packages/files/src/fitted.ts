// 64-bit integers of a file: the type of 32 bits that holds them all, which one pass over the values finds; or for label images, whose
// values only tell objects apart, the list of their ids. NumPy's integers have 64 bits unless someone asks for fewer.

import { type Bytes, type Encoding, readFully, type Size } from "./bytes.js";
import { FileError } from "./errors.js";
import { type Ids, listOfIds } from "./integers.js";

/** Bytes that are read at a time. */
const BAND_BYTES = 1 << 22;

/** The words of 64-bit values: the high one, then the low one. */
async function eachValue(
  bytes: Bytes,
  offset: number,
  { size: { width, height, depth }, littleEndian, name }: { size: Size; littleEndian: boolean; name: string },
  visit: (high: number, low: number, index: number) => void,
): Promise<void> {
  const count = width * height * depth;
  const band = new Uint8Array(Math.min(BAND_BYTES, 8 * count));
  const view = new DataView(band.buffer);
  const [first, second] = littleEndian ? [4, 0] : [0, 4];
  for (let at = 0; at < count; at += band.length / 8) {
    const values = Math.min(band.length / 8, count - at);
    await readFully(bytes, band.subarray(0, 8 * values), offset + 8 * at, name);
    for (let i = 0; i < values; i++) {
      visit(view.getUint32(8 * i + first, littleEndian), view.getUint32(8 * i + second, littleEndian), at + i);
    }
  }
}

/** A 64-bit integer of its words. */
function bigOf(signed: boolean, high: number, low: number): bigint {
  const value = (BigInt(high) << 32n) | BigInt(low);
  return signed ? BigInt.asIntN(64, value) : value;
}

/**
 * The encoding of 64-bit integers as u32 or i32, if one of them holds all values. With `ids`, larger ones become the list of their ids,
 * and pixels numbers in it. O(values), and the memory of the ids.
 * @throws FileError with the first value that neither holds, and its place
 */
export async function fitted(
  bytes: Bytes,
  offset: number,
  size: Size,
  encoding: Encoding,
  name: string,
  ids: boolean,
): Promise<Encoding> {
  const { type, littleEndian, slope = 1, intercept = 0 } = encoding;
  if ((type !== "i64" && type !== "u64") || slope !== 1 || intercept !== 0) return encoding;
  const signed = type === "i64";
  const seen = { negative: -1, unsigned: -1, wide: -1 };
  const values = { size, littleEndian, name };
  await eachValue(bytes, offset, values, (high, low, index) => {
    if (high === 0) {
      if (low >= 2 ** 31 && seen.unsigned < 0) seen.unsigned = index;
    } else if (signed && high === 0xffffffff && low >= 2 ** 31) {
      if (seen.negative < 0) seen.negative = index;
    } else if (seen.wide < 0) seen.wide = index;
  });
  const { negative, unsigned, wide } = seen;
  if (wide < 0 && negative < 0) return { ...encoding, as: "u32" };
  if (wide < 0 && unsigned < 0) return { ...encoding, as: "i32" };
  if (ids) return { ...encoding, as: "u32", ids: await idsOf(bytes, offset, values, signed) };
  const beyond = wide >= 0 ? wide : Math.max(negative, unsigned);
  const word = new Uint8Array(8);
  await readFully(bytes, word, offset + 8 * beyond, name);
  const view = new DataView(word.buffer);
  const found = signed ? view.getBigInt64(0, littleEndian) : view.getBigUint64(0, littleEndian);
  const { width, height, depth } = size;
  const place = [beyond % width, Math.floor(beyond / width) % height, Math.floor(beyond / width / height)];
  throw new FileError(
    `Expected the 64-bit integers of ${name} to lie from 0 to 4294967295, or all from -2147483648 to 2147483647, got ${found} at ${place.slice(0, depth > 1 ? 3 : 2).join(",")}; skerry label --by labels takes ids of 64 bits.`,
  );
}

/** All values but 0, each once, in ascending order. */
async function idsOf(
  bytes: Bytes,
  offset: number,
  values: { size: Size; littleEndian: boolean; name: string },
  signed: boolean,
): Promise<Ids> {
  const all = new Set<bigint>();
  let [lastHigh, lastLow] = [0, 0];
  await eachValue(bytes, offset, values, (high, low) => {
    if (high === lastHigh && low === lastLow) return;
    [lastHigh, lastLow] = [high, low];
    all.add(bigOf(signed, high, low));
  });
  return listOfIds(all, signed);
}
