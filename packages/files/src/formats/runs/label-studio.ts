// Label Studio's brush masks: values of RGBA, four equal ones for each pixel, packed bit by bit. A header tells the number of values,
// the bits of a value and four sizes of lengths. Each record is a bit, 1 for one value that repeats and 0 for as many values as it
// tells, two bits that choose a size, the length minus 1 in so many bits, and the value or the values.

/** Bits of the four sizes of lengths, and of a value. */
const [SIZES, VALUE_BITS] = [[3, 4, 8, 16], 8] as const;

/** Channels of a pixel. */
const CHANNELS = 4;

/** Reads numbers of any bits, the highest bit first. */
class BitReader {
  #at = 0;
  readonly #bytes: ArrayLike<number>;

  constructor(bytes: ArrayLike<number>) {
    this.#bytes = bytes;
  }

  /** @throws RangeError past the end */
  read(bits: number): number {
    let value = 0;
    for (let i = 0; i < bits; i++, this.#at++) {
      const byte = this.#bytes[this.#at >> 3];
      if (byte === undefined) throw new RangeError("it ends early");
      value = value * 2 + ((byte >> (7 - (this.#at & 7))) & 1);
    }
    return value;
  }
}

/**
 * Calls `run` with each range of pixels that are set.
 * @throws RangeError if the bytes end early, or hold another number of pixels
 */
export function readBrush(packed: ArrayLike<number>, pixels: number, run: (from: number, to: number) => void): void {
  const bits = new BitReader(packed);
  const count = bits.read(32);
  if (count !== pixels * CHANNELS) throw new RangeError(`it holds ${count / CHANNELS} pixels, not ${pixels}`);
  const valueBits = bits.read(5) + 1;
  const sizes = SIZES.map(() => bits.read(4) + 1);
  // Alpha, the last value of a pixel, tells whether it is set.
  const set = (from: number, to: number): void => {
    const [first, end] = [Math.ceil((from - CHANNELS + 1) / CHANNELS), Math.floor(to / CHANNELS)];
    if (end > first) run(first, end);
  };
  for (let at = 0; at < count; ) {
    const repeats = bits.read(1) === 1;
    const length = bits.read(sizes[bits.read(2)]) + 1;
    if (repeats) {
      if (bits.read(valueBits) !== 0) set(at, at + length);
    } else {
      for (let i = at; i < at + length; i++) if (bits.read(valueBits) !== 0) set(i, i + 1);
    }
    at += length;
  }
}

/** Packs runs of set pixels, in order: [from, to), from, to, and so on. */
export function packBrush(ranges: readonly number[], pixels: number): number[] {
  const bytes: number[] = [];
  let free = 0;
  const write = (value: number, bits: number): void => {
    for (let bit = bits - 1; bit >= 0; bit--) {
      if (free === 0) {
        bytes.push(0);
        free = 8;
      }
      free--;
      if (Math.floor(value / 2 ** bit) % 2 === 1) bytes[bytes.length - 1] += 1 << free;
    }
  };
  write(pixels * CHANNELS, 32);
  write(VALUE_BITS - 1, 5);
  for (const size of SIZES) write(size - 1, 4);
  const repeat = (value: number, values: number): void => {
    for (let rest = values; rest > 0; ) {
      const choice = Math.max(
        0,
        SIZES.findIndex((size) => rest <= 2 ** size),
      );
      const size = rest > 2 ** SIZES[3] ? 3 : choice;
      const length = Math.min(rest, 2 ** SIZES[size]);
      write(1, 1);
      write(size, 2);
      write(length - 1, SIZES[size]);
      write(value, VALUE_BITS);
      rest -= length;
    }
  };
  let last = 0;
  for (let i = 0; i < ranges.length; i += 2) {
    const [from, to] = [ranges[i], ranges[i + 1]];
    repeat(0, (from - last) * CHANNELS);
    repeat(255, (to - from) * CHANNELS);
    last = to;
  }
  repeat(0, (pixels - last) * CHANNELS);
  return bytes;
}
