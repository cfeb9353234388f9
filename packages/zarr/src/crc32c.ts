// CRC-32C (Castagnoli 1993), which Zarr's shards and its codec `crc32c` end with.

/** The polynomial 0x1edc6f41, its bits reversed. */
const POLYNOMIAL = 0x82f63b78;

const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let rest = byte;
  for (let bit = 0; bit < 8; bit++) rest = rest & 1 ? (rest >>> 1) ^ POLYNOMIAL : rest >>> 1;
  return rest >>> 0;
});

/** The checksum of bytes, as an unsigned number. */
export function crc32c(bytes: Uint8Array): number {
  let rest = 0xffffffff;
  for (const byte of bytes) rest = TABLE[(rest ^ byte) & 255] ^ (rest >>> 8);
  return (rest ^ 0xffffffff) >>> 0;
}

/** Bytes with their checksum behind. */
export function withChecksum(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(bytes.length + 4);
  all.set(bytes);
  new DataView(all.buffer).setUint32(bytes.length, crc32c(bytes), true);
  return all;
}

/**
 * Bytes without the checksum behind them.
 * @throws Error if it does not fit them
 */
export function withoutChecksum(bytes: Uint8Array): Uint8Array {
  if (bytes.length < 4) throw new Error("it is too short for a checksum");
  const own = bytes.subarray(0, bytes.length - 4);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (view.getUint32(own.length, true) !== crc32c(own)) throw new Error("its checksum does not fit");
  return own;
}
