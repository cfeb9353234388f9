// PackBits of TIFF 6.0 (section 9): runs of one byte, and bytes as they are.

/** Unpacks up to `size` bytes; the result is shorter where the packed ones end early. */
export function decodePackBits(packed: Uint8Array, size: number): Uint8Array {
  const out = new Uint8Array(size);
  let written = 0;
  for (let i = 0; i < packed.length && written < size; ) {
    const head = packed[i++];
    if (head < 128) {
      const part = packed.subarray(i, i + Math.min(head + 1, size - written));
      out.set(part, written);
      written += part.length;
      i += head + 1;
    } else if (head > 128 && i < packed.length) {
      const end = Math.min(size, written + 257 - head);
      out.fill(packed[i++], written, end);
      written = end;
    }
  }
  return written < size ? out.subarray(0, written) : out;
}
