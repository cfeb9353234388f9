// LZW of TIFF 6.0 (section 13), in TIFF's bit order and in the older one of files before TIFF 5. Decoders on npm stop silently at
// an invalid code; here it is an error.

const [CLEAR, END, FIRST, MOST_CODES] = [256, 257, 258, 4096];

/**
 * Unpacks up to `size` bytes.
 * @returns the unpacked bytes, fewer than `size` if the codes end early
 * @throws RangeError at a code that has no string yet
 */
export function decodeLzw(packed: Uint8Array, size: number): Uint8Array {
  const out = new Uint8Array(size);
  // Old files store the lowest bit first, so their first code, 256, is a zero byte and an odd one.
  const lowFirst = packed[0] === 0 && (packed[1] & 1) === 1;
  // A string of the table is a range of the output: the previous string and one byte more.
  const at = new Uint32Array(MOST_CODES);
  const lengths = new Uint16Array(MOST_CODES);
  let next = FIRST;
  let width = 9;
  let bits = 0;
  let held = 0;
  let written = 0;
  let previous = -1;
  for (let i = 0; written < size; ) {
    while (held < width && i < packed.length) {
      bits = lowFirst ? bits | (packed[i++] << held) : ((bits << 8) | packed[i++]) & 0xffffff;
      held += 8;
    }
    if (held < width) break;
    const code = lowFirst ? bits & ((1 << width) - 1) : (bits >>> (held - width)) & ((1 << width) - 1);
    if (lowFirst) bits >>>= width;
    held -= width;
    if (code === END) break;
    if (code === CLEAR) {
      next = FIRST;
      width = 9;
      previous = -1;
      continue;
    }
    // The previous string and the first byte of this one make a new string. Its bytes are in the output already, except the last,
    // which comes next. If this code is the new string itself, the loop below copies that byte after it was written.
    if (previous >= 0 && next < MOST_CODES) {
      at[next] = previous;
      lengths[next] = written - previous + 1;
      next++;
    }
    previous = written;
    if (code < CLEAR) out[written++] = code;
    else if (code < next) {
      const length = Math.min(lengths[code], size - written);
      for (let k = 0, source = at[code]; k < length; k++) out[written++] = out[source++];
    } else throw new RangeError(`code ${code} of ${next}`);
    // TIFF widens codes one code early; the older order does not.
    const grown = lowFirst ? next : next + 1;
    if (grown >= 1 << width && width < 12) width++;
  }
  return written < size ? out.subarray(0, written) : out;
}
