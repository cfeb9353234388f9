// CRC-32C (Castagnoli 1993), which Zarr's shards and its codec `crc32c` end with.

/** The polynomial 0x1edc6f41, its bits reversed. */
const POLYNOMIAL = 0x82f63b78;

/** Table k has the checksum of each byte with k zero bytes behind it, so that four bytes are taken at once (Kounavis and Berry 2005). */
const TABLES = [0, 1, 2, 3].map(() => new Uint32Array(256));
for (let byte = 0; byte < 256; byte++) {
  let rest = byte;
  for (let bit = 0; bit < 8; bit++) rest = rest & 1 ? (rest >>> 1) ^ POLYNOMIAL : rest >>> 1;
  TABLES[0][byte] = rest;
}
for (let k = 1; k < 4; k++) {
  for (let byte = 0; byte < 256; byte++) {
    const before = TABLES[k - 1][byte];
    TABLES[k][byte] = TABLES[0][before & 255] ^ (before >>> 8);
  }
}
const [TABLE_0, TABLE_1, TABLE_2, TABLE_3] = TABLES;

/** The CRC-32C of bytes, as an unsigned number. */
export function crc32c(bytes: Uint8Array): number {
  let rest = 0xffffffff;
  let at = 0;
  for (const end = bytes.length & ~3; at < end; at += 4) {
    rest ^= bytes[at] | (bytes[at + 1] << 8) | (bytes[at + 2] << 16) | (bytes[at + 3] << 24);
    rest =
      TABLE_3[rest & 255] ^ TABLE_2[(rest >>> 8) & 255] ^ TABLE_1[(rest >>> 16) & 255] ^ TABLE_0[(rest >>> 24) & 255];
  }
  for (; at < bytes.length; at++) rest = TABLE_0[(rest ^ bytes[at]) & 255] ^ (rest >>> 8);
  return (rest ^ 0xffffffff) >>> 0;
}

/** Bytes followed by their checksum. */
export function withChecksum(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(bytes.length + 4);
  all.set(bytes);
  new DataView(all.buffer).setUint32(bytes.length, crc32c(bytes), true);
  return all;
}

/**
 * Bytes without the checksum that follows them.
 * @throws Error if the checksum does not match
 */
export function withoutChecksum(bytes: Uint8Array): Uint8Array {
  if (bytes.length < 4) throw new Error("it is too short for a checksum");
  const content = bytes.subarray(0, bytes.length - 4);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (view.getUint32(content.length, true) !== crc32c(content)) throw new Error("its checksum does not fit");
  return content;
}
