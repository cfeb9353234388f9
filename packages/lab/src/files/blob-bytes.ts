// The bytes of a file that a user gave, read on demand.

import type { Bytes } from "@skerry/files";

export function blobBytes(blob: Blob): Bytes {
  return {
    size: blob.size,
    async read(into, position) {
      const part = new Uint8Array(await blob.slice(position, position + into.length).arrayBuffer());
      into.set(part);
      return part.length;
    },
    close: async () => undefined,
  };
}
