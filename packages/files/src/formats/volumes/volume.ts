// The readers of volumes share this: a file with what lies beside it, packed data, and the world of a patient, whose axes some formats turn
// the other way than NIfTI does.

import type { Source, Spacing } from "skerry";
import { defined } from "skerry/internal";
import type { AffineRow, ToWorld } from "../../affine.js";
import {
  type Bytes,
  bytesSource,
  checkLength,
  type Encoding,
  readFully,
  type Size,
  STORED_BYTES,
  type StoredType,
} from "../../bytes.js";
import { FileError, UsageError } from "../../errors.js";
import { fitted } from "../../fitted.js";
import type { Ids } from "../../integers.js";
import { isSheared, type Space, type SpaceAxis, spacingOf, type Taken } from "../../space.js";

/** How data is packed. */
export type Packing = "gzip" | "deflate";

/** A file that is opened as a volume, and its surroundings. */
export interface VolumeFile {
  /** Its name in messages. */
  readonly name: string;
  readonly bytes: Bytes;
  /** Opens the file of a name in its folder, in which a header says that its data is. */
  beside(name: string): Promise<Bytes>;
  /** The `size` bytes that packed data from a position on unpacks to; unpacked when they are first read. */
  unpacked(bytes: Bytes, from: number, packing: Packing, size: number): Bytes;
}

/** Options of the readers of volumes. */
export interface VolumeOptions {
  readonly nodata?: number | undefined;
  /** The volume of a file that holds several, from 0. */
  readonly time?: number | undefined;
  /** The value of voxels that hold several, from 0. */
  readonly channel?: number | undefined;
  /** Whether integers beyond 32 bits are ids, of which voxels hold the numbers. */
  readonly ids?: boolean | undefined;
  /** Whether values are ids, which may not be rounded. */
  readonly exact?: boolean | undefined;
  /** Whether a time is ignored in a file of one volume. */
  readonly lenient?: boolean | undefined;
}

/** A volume and what its file tells of it. */
export interface OpenedVolume {
  readonly source: Source & { unlike: number; ids?: Ids };
  readonly space: Space;
  /** NumPy's name of the stored type. */
  readonly stored: string;
  readonly compression: Packing | "none";
  /** Values of a voxel. */
  readonly channels: number;
  readonly notes: readonly string[];
}

/** Names of stored types, as NumPy calls them. */
export const STORED_NAMES: Readonly<Record<StoredType, string>> = {
  u8: "uint8",
  i8: "int8",
  u16: "uint16",
  i16: "int16",
  u32: "uint32",
  i32: "int32",
  f16: "float16",
  f32: "float32",
  f64: "float64",
  i64: "int64",
  u64: "uint64",
};

/** A transform whose world points to the patient's left and back, as that of DICOM and ITK does, in the world of NIfTI, and back. */
export const turned = ([x, y, z]: ToWorld): ToWorld =>
  [x.map((n) => 0 - n) as unknown as AffineRow, y.map((n) => 0 - n) as unknown as AffineRow, z] as const;

/** A transform of the directions of axes, with the length of a step each, and the place of the first voxel. */
export const placeOf = (steps: readonly (readonly number[])[], first: readonly number[]): ToWorld =>
  [0, 1, 2].map((row) => [...[0, 1, 2].map((axis) => steps[axis][row]), first[row]]) as unknown as ToWorld;

/** The first bytes of a file, at most so many. */
export async function beginning(bytes: Bytes, most: number, name: string): Promise<Uint8Array> {
  const start = new Uint8Array(Math.min(most, bytes.size));
  await readFully(bytes, start, 0, name);
  return start;
}

/** The time that is taken of several. */
export function timeOf({ time, lenient = false }: VolumeOptions, times: number, name: string): number {
  const taken = lenient && times === 1 ? 0 : (time ?? 0);
  if (taken < times) return taken;
  throw new UsageError(`Expected --time to be from 0 to ${times - 1} for ${name}, got ${taken}.`);
}

/** The channel that is taken of several. */
export function channelOf({ channel, lenient = false }: VolumeOptions, channels: number, name: string): number {
  const taken = lenient && channels === 1 ? 0 : (channel ?? 0);
  if (taken < channels) return taken;
  throw new UsageError(`Expected --channel to be from 0 to ${channels - 1} for ${name}, got ${taken}.`);
}

/** The axes along which a file holds several values of a voxel and several volumes, and which of them was chosen. */
export function severalOf(
  { time, channel }: VolumeOptions,
  { channels, times }: { readonly channels: number; readonly times: number },
): { readonly taken: Taken; readonly others: SpaceAxis[] } {
  const axes: SpaceAxis[] = [
    { name: "channel", size: channels },
    { name: "time", size: times },
  ];
  const taken: Taken = defined({ time: times > 1 ? time : undefined, channel: channels > 1 ? channel : undefined });
  return { taken, others: axes.filter(({ size }) => size > 1) };
}

/** Notes for the user on the grid of a volume. */
export const gridNotes = (space: Space, name: string): readonly string[] =>
  isSheared(space)
    ? [`${name} has a sheared grid: lengths and distances along its axes are not those of the space it defines`]
    : [];

/** Refuses a place of which a number is missing, or that has no extent along an axis. */
export function checkPlace(toWorld: ToWorld, name: string): void {
  const isWhole = toWorld.every((row) => row.length === 4 && row.every(Number.isFinite));
  const isFlat = [0, 1, 2].some((axis) => toWorld.every((row) => row[axis] === 0));
  if (isWhole && !isFlat) return;
  throw new FileError(
    `Expected ${name} to tell a direction for each axis and a first voxel, got ${JSON.stringify(toWorld)}.`,
  );
}

/** Values of a file in its own order: x fastest, the values of a voxel beside each other, then slices and volumes. */
interface Stored {
  readonly bytes: Bytes;
  /** The first byte of the first volume. */
  readonly from: number;
  readonly size: Size;
  readonly type: StoredType;
  readonly littleEndian: boolean;
  readonly channels: number;
  readonly times: number;
  readonly compression: Packing | "none";
}

/**
 * The volume that options take of those of a file. Its `space` knows nothing of the choice.
 * @throws FileError if the file ends within it
 * @throws UsageError if it lacks the time or the channel
 */
export async function volumeOf(
  stored: Stored,
  space: Space,
  options: VolumeOptions,
  name: string,
): Promise<OpenedVolume> {
  const { bytes, from, size, type, littleEndian, channels, times, compression } = stored;
  const time = timeOf(options, times, name);
  const channel = channelOf(options, channels, name);
  const wide = { ...size, width: size.width * channels };
  const offset = from + time * bytesOf(size, type, channels);
  checkLength(bytes, offset, wide, type, name);
  const { nodata, exact, ids = false } = options;
  const encoding = await fitted(bytes, offset, wide, { type, littleEndian, nodata, exact }, name, ids);
  const spacing = spacingOf(space);
  const sized = spacing?.length === 3 ? { ...size, spacing } : size;
  const source = channelSource(bytes, offset, sized, encoding, { channel, channels, name });
  const { taken, others } = severalOf(options, { channels, times });
  return {
    source,
    space: { ...space, taken, axes: [...space.axes, ...others] },
    stored: STORED_NAMES[type],
    compression,
    channels,
    notes: gridNotes(space, name),
  };
}

/** Refuses sides that are no whole numbers from 1. */
export function checkSides(sides: readonly number[], name: string): void {
  if (sides.length > 0 && sides.every((side) => Number.isInteger(side) && side > 0)) return;
  throw new FileError(`Expected ${name} to have sides of at least 1, got ${sides.join(" x ") || "none"}.`);
}

/** A Source of one of several values of each voxel, which lie beside each other. */
function channelSource(
  bytes: Bytes,
  offset: number,
  size: Size & { readonly spacing?: Spacing },
  encoding: Encoding,
  { channel, channels, name }: { readonly channel: number; readonly channels: number; readonly name: string },
): Source & { unlike: number; ids?: Ids } {
  const { width, height, depth } = size;
  if (channels === 1) return bytesSource(bytes, offset, size, encoding, name);
  const all = bytesSource(bytes, offset, { width: width * channels, height, depth }, encoding, name);
  return {
    ...all,
    ...size,
    get unlike() {
      return all.unlike;
    },
    async read(z0, z1, y0, y1, into, call) {
      const beside = new (into.constructor as new (length: number) => typeof into)(into.length * channels);
      await all.read(z0, z1, y0, y1, beside, call);
      for (let i = 0, at = channel; i < into.length; i++, at += channels) into[i] = beside[at];
    },
  };
}

/** Bytes that values of a size take in a file. */
export const bytesOf = ({ width, height, depth }: Size, type: StoredType, channels: number): number =>
  width * height * depth * channels * STORED_BYTES[type];
