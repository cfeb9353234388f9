// The directories of a TIFF or BigTIFF: what samples mean and how they lie. Decoders of pixels do not tell signed values from
// unsigned ones, or channels from slices, so readers look here first.

/** Fields of one directory, about its page. */
export interface TiffDirectory {
  readonly width: number;
  readonly height: number;
  /** Bits of a sample. */
  readonly bits: number;
  /** 1 unsigned, 2 signed, 3 floats, 4 undefined, 5 and 6 complex. */
  readonly sampleFormat: number;
  readonly samples: number;
  /** 0 white is zero, 1 black is zero, 2 RGB, 3 palette, ... */
  readonly photometric: number;
  /** Samples of a pixel lie in planes of their own. */
  readonly planar: boolean;
  readonly tiled: boolean;
  /** ImageDescription. */
  readonly description: string;
  /** Values of SampleFormat in the file: position, and how many u16. */
  readonly formatAt: readonly [number, number] | undefined;
  readonly littleEndian: boolean;
}

const UNSIGNED = 1;
const SIGNED = 2;
const FLOATS = 3;

/** Bytes of a value by field type. */
const FIELD_BYTES = [0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8, 4, 0, 0, 8, 8, 8];

/** Whether a file begins like a TIFF or a BigTIFF. */
export function isTiff(start: Uint8Array): boolean {
  return ["II*\0", "MM\0*", "II+\0", "MM\0+"].includes(String.fromCharCode(...start.subarray(0, 4)));
}

/** Every directory of the chain, up to the first that does not lie in the file. */
export function tiffDirectories(file: Uint8Array): readonly TiffDirectory[] {
  const found: TiffDirectory[] = [];
  if (!isTiff(file)) return found;
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const little = file[0] === 0x49;
  const big = view.getUint16(2, little) === 43;
  const long = (at: number): number => (big ? Number(view.getBigUint64(at, little)) : view.getUint32(at, little));
  const seen = new Set<number>();
  try {
    for (let at = long(big ? 8 : 4); at > 0 && !seen.has(at); ) {
      seen.add(at);
      const entries = big ? Number(view.getBigUint64(at, little)) : view.getUint16(at, little);
      const [first, step] = [at + (big ? 8 : 2), big ? 20 : 12];
      const fields = new Map<number, Field>();
      for (let i = 0; i < entries; i++) {
        const entry = first + i * step;
        const [tag, type] = [view.getUint16(entry, little), view.getUint16(entry + 2, little)];
        const count = long(entry + 4);
        const valueAt = entry + (big ? 12 : 8);
        const inside = count * (FIELD_BYTES[type] ?? 0) <= (big ? 8 : 4);
        fields.set(tag, { type, count, at: inside ? valueAt : long(valueAt) });
      }
      found.push(directoryOf(fields, view, little));
      at = long(first + entries * step);
    }
  } catch (error) {
    // A chain that leaves the file ends there; decoders say what is wrong with the pixels.
    if (!(error instanceof RangeError)) throw error;
  }
  return found;
}

interface Field {
  readonly type: number;
  readonly count: number;
  /** Position of the values. */
  readonly at: number;
}

function directoryOf(fields: ReadonlyMap<number, Field>, view: DataView, little: boolean): TiffDirectory {
  const number = (tag: number, otherwise: number): number => {
    const field = fields.get(tag);
    if (!field || field.at + (FIELD_BYTES[field.type] ?? 0) > view.byteLength) return otherwise;
    if (field.type === 1) return view.getUint8(field.at);
    if (field.type === 3) return view.getUint16(field.at, little);
    if (field.type === 4) return view.getUint32(field.at, little);
    return field.type === 16 ? Number(view.getBigUint64(field.at, little)) : otherwise;
  };
  const format = fields.get(339);
  const text = fields.get(270);
  const inside = text && text.at + text.count <= view.byteLength;
  return {
    ...{ width: number(256, 0), height: number(257, 0), bits: number(258, 1), samples: number(277, 1) },
    ...{ sampleFormat: number(339, UNSIGNED), photometric: number(262, 1), planar: number(284, 1) === 2 },
    tiled: fields.has(322),
    description: inside
      ? Array.from(new Uint8Array(view.buffer, view.byteOffset + text.at, text.count), (c) =>
          String.fromCharCode(c),
        ).join("")
      : "",
    formatAt: format?.type === 3 ? [format.at, format.count] : undefined,
    littleEndian: little,
  };
}

/** Why the pixels of a TIFF are not read, with a way out; undefined if they are. */
export function tiffRefusal(directories: readonly TiffDirectory[], name: string): string | undefined {
  const [page] = directories;
  if (!page) return undefined;
  const { bits, sampleFormat } = page;
  const convert = "convert it to 32-bit floats or integers";
  if (sampleFormat === FLOATS && bits !== 32) {
    return `Expected ${name} to hold floats of 32 bits, got ${bits}; ${convert}.`;
  }
  if (sampleFormat > 4) return `Expected ${name} to hold real numbers, got complex ones; ${convert}.`;
  if (bits > 32) return `Expected ${name} to hold samples of at most 32 bits, got ${bits}; ${convert}.`;
  return undefined;
}

/** Why the pages of a TIFF are no volume; undefined if they may be its slices. */
export function stackRefusal(directories: readonly TiffDirectory[], name: string): string | undefined {
  const { channels, times } = sequenceOf(directories[0]?.description ?? "");
  const several = [...(channels > 1 ? [`${channels} channels`] : []), ...(times > 1 ? [`${times} times`] : [])];
  if (several.length === 0) return undefined;
  return `Expected ${name} to hold slices of one channel and one time, got ${several.join(" and ")}; save each as a file of its own.`;
}

/** Channels and times by the description that ImageJ or OME writes; 1 where it says nothing. */
function sequenceOf(description: string): { channels: number; times: number } {
  const numberIn = (pattern: RegExp): number => Number(pattern.exec(description)?.[1] ?? 1);
  if (description.startsWith("ImageJ=")) {
    return { channels: numberIn(/^channels=(\d+)/m), times: numberIn(/^frames=(\d+)/m) };
  }
  if (/<(?:\w+:)?OME\b/.test(description)) {
    return { channels: numberIn(/\bSizeC="(\d+)"/), times: numberIn(/\bSizeT="(\d+)"/) };
  }
  return { channels: 1, times: 1 };
}

/**
 * The file with signed samples declared unsigned, for decoders that shift or clamp signed ones: their bits come back as they
 * are stored, and {@link signedPixels} takes them for what they are. The same bytes if nothing is signed.
 */
export function asUnsigned(file: Uint8Array, directories: readonly TiffDirectory[]): Uint8Array {
  if (!directories.some(({ sampleFormat }) => sampleFormat === SIGNED)) return file;
  const copy = Uint8Array.from(file);
  const view = new DataView(copy.buffer);
  for (const { formatAt, littleEndian } of directories) {
    if (!formatAt) continue;
    const [at, count] = formatAt;
    for (let i = 0; i < count && at + 2 * i + 2 <= copy.length; i++) view.setUint16(at + 2 * i, UNSIGNED, littleEndian);
  }
  return copy;
}

type Unsigned = Uint8Array | Uint16Array | Uint32Array;

/** Unsigned samples as the signed ones that they stand for; of 8 bits as 16. */
export function signedPixels(data: Unsigned): Int16Array | Int32Array {
  const { buffer, byteOffset, length } = data;
  if (data instanceof Uint8Array) return Int16Array.from(new Int8Array(buffer, byteOffset, length));
  return data instanceof Uint16Array
    ? new Int16Array(buffer, byteOffset, length)
    : new Int32Array(buffer, byteOffset, length);
}

/** Whether the samples of the first page are signed. */
export function isSigned(directories: readonly TiffDirectory[]): boolean {
  return directories[0]?.sampleFormat === SIGNED;
}
