// MGH, the format of FreeSurfer (https://surfer.nmr.mgh.harvard.edu/fswiki/FsTutorial/MghFormat): a header of 284 bytes and values, the high
// byte first. Callers unpack .mgz.

import type { StoredType } from "../../bytes.js";
import { FileError } from "../../errors.js";
import { spaceOf } from "../../space.js";
import {
  beginning,
  bytesOf,
  checkSides,
  type OpenedVolume,
  placeOf,
  type VolumeFile,
  type VolumeOptions,
  volumeOf,
} from "./volume.js";

const TYPES: Readonly<Record<number, StoredType>> = { 0: "u8", 1: "i32", 3: "f32", 4: "i16", 10: "u16" };

/** Bytes before the values. */
export const MGH_HEADER_BYTES = 284;

const viewOf = (start: Uint8Array): DataView => new DataView(start.buffer, start.byteOffset, start.byteLength);

/** Whether the first bytes of an unpacked file are a header of MGH: version 1, sides, a type that is known. */
export function isMgh(start: Uint8Array): boolean {
  if (start.length < 30) return false;
  const view = viewOf(start);
  const sides = [4, 8, 12, 16].map((at) => view.getInt32(at));
  return view.getInt32(0) === 1 && sides.every((side) => side > 0 && side < 2 ** 24) && view.getInt32(20) in TYPES;
}

/** The length of an unpacked file in bytes up to its last value. */
export function mghBytes(start: Uint8Array): number {
  const view = viewOf(start);
  const [width, height, depth, times] = [4, 8, 12, 16].map((at) => view.getInt32(at));
  return MGH_HEADER_BYTES + times * bytesOf({ width, height, depth }, TYPES[view.getInt32(20)] ?? "u8", 1);
}

/**
 * Opens an unpacked volume; `time` selects one of several.
 * @throws FileError if the file is damaged, or has a type that is not read
 * @throws UsageError if it lacks the time
 */
export async function openMgh(file: VolumeFile, options: VolumeOptions = {}): Promise<OpenedVolume> {
  const { name, bytes } = file;
  const start = await beginning(bytes, MGH_HEADER_BYTES, name);
  if (!isMgh(start))
    throw new FileError(`Expected ${name} to be a file of FreeSurfer's MGH, but it does not begin like one.`);
  if (start.length < MGH_HEADER_BYTES) throw new FileError(`Could not read ${name}: it ended early.`);
  const view = viewOf(start);
  const [width, height, depth, times] = [4, 8, 12, 16].map((at) => view.getInt32(at));
  checkSides([width, height, depth, times], name);
  const size = { width, height, depth };
  const type = TYPES[view.getInt32(20)];
  const float = (i: number): number => view.getFloat32(30 + 4 * i);
  // Without a place of its own a volume is coronal, and its voxels have sides of 1 mm.
  const isPlaced = view.getInt16(28) > 0;
  const sides = isPlaced ? [float(0), float(1), float(2)] : [1, 1, 1];
  const cosines = isPlaced
    ? [0, 1, 2].map((axis) => [0, 1, 2].map((row) => float(3 + 3 * axis + row)))
    : [
        [-1, 0, 0],
        [0, 0, -1],
        [0, 1, 0],
      ];
  const middle = isPlaced ? [float(12), float(13), float(14)] : [0, 0, 0];
  const steps = cosines.map((cosine, axis) => cosine.map((n) => n * sides[axis]));
  const first = middle.map((at, row) =>
    steps.reduce((sum, step, axis) => sum - (step[row] * [width, height, depth][axis]) / 2, at),
  );
  const space = spaceOf({
    size,
    spacing: sides,
    unit: "mm",
    toWorld: placeOf(steps, first),
    crs: { kind: "patient", version: 1, sform: 1 },
  });
  const stored = { bytes, from: MGH_HEADER_BYTES, size, type, littleEndian: false, channels: 1, times };
  return volumeOf({ ...stored, compression: "none" }, space, options, name);
}
