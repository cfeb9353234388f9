// Packed data unpacked by DecompressionStream, which browsers and Node have.

/** The first bytes that packed ones unpack to, at most so many. Rejects with the stream's error if they are damaged or cut off. */
export async function unpackStream(
  packed: ReadableStream<Uint8Array<ArrayBuffer>>,
  packing: "gzip" | "deflate",
  most: number,
): Promise<Uint8Array> {
  const reader = packed.pipeThrough(new DecompressionStream(packing)).getReader();
  const out = new Uint8Array(most);
  let length = 0;
  while (length < most) {
    const { done, value } = await reader.read();
    if (done) return out.subarray(0, length);
    const part = value.subarray(0, most - length);
    out.set(part, length);
    length += part.length;
  }
  // The rest is padding, or a checksum that covers bytes beyond `most`, too.
  await reader.cancel().catch(() => undefined);
  return out;
}
