// The layout of the values for a writer, and the function that delivers them: the same for every format.

import type { PixelArray, PixelType, Sink } from "skerry";
import type { Size } from "./bytes.js";
import { type Georeference, georeferenceAt } from "./formats/tiff/georeference.js";
import type { Calibration } from "./formats/tiff/series.js";
import type { Output } from "./output.js";

/** Types of values; bool comes as bytes of 0 and 1. */
export type ValueType = PixelType | "bool";

/** Position of voxels in the patient, from the header; passed on to written files. */
export interface Orientation {
  readonly version: 1 | 2;
  /** Values of pixdim, from qfac on. */
  readonly pixDims: readonly number[];
  readonly units: number;
  readonly qformCode: number;
  readonly sformCode: number;
  readonly quaternion: readonly [number, number, number];
  readonly offset: readonly [number, number, number];
  /** Rows of x, y and z. */
  readonly affine: readonly (readonly number[])[];
}

/**
 * The orientation of a part of a volume whose first voxel is (x, y, z).
 * @example
 * import { orientationAt } from "@skerry/files";
 * const affine = [[2, 0, 0, 0], [0, 2, 0, 0], [0, 0, 3, 0]];
 * const codes = { version: 1, units: 2, qformCode: 0, sformCode: 1 };
 * const whole = { ...codes, pixDims: [1, 2, 2, 3], quaternion: [0, 0, 0], offset: [0, 0, 0], affine };
 * console.log(orientationAt(whole, [1, 1, 1]).affine.map((row) => row[3])); // 2, 2, 3
 */
export function orientationAt(whole: Orientation, [x, y, z]: readonly [number, number, number]): Orientation {
  const { affine, quaternion, offset, pixDims } = whole;
  const [b, c, d] = quaternion;
  const a = Math.sqrt(Math.max(0, 1 - b * b - c * c - d * d));
  const [qfac, dx, dy, dz] = pixDims;
  const step = [dx * x, dy * y, (qfac < 0 ? -dz : dz) * z];
  const rotation = [
    [a * a + b * b - c * c - d * d, 2 * (b * c - a * d), 2 * (b * d + a * c)],
    [2 * (b * c + a * d), a * a + c * c - b * b - d * d, 2 * (c * d - a * b)],
    [2 * (b * d - a * c), 2 * (c * d + a * b), a * a + d * d - b * b - c * c],
  ];
  const moved = rotation.map((row, i) => offset[i] + row[0] * step[0] + row[1] * step[1] + row[2] * step[2]);
  return {
    ...whole,
    affine: affine.map((row, i) =>
      i < 3 ? [row[0], row[1], row[2], row[3] + row[0] * x + row[1] * y + row[2] * z] : row,
    ),
    offset: moved as unknown as Orientation["offset"],
  };
}

/** Place of an image, and the size of its pixels: taken from the input, passed on to written files. */
export interface Place {
  /** In the patient, for a NIfTI volume or a series of DICOM. */
  readonly orientation?: Orientation | undefined;
  /** On a map, for a GeoTIFF. */
  readonly georeference?: Georeference | undefined;
  /** Size of a pixel, in a unit. */
  readonly calibration?: Calibration | undefined;
  /** Position of the first pixel's centre along x, y and z, in the unit of the calibration, if the input has it. */
  readonly translation?: readonly [number, number, number] | undefined;
}

/**
 * The place of a part of an image whose first pixel is (x, y, z).
 * @example
 * import { placeOfPart } from "@skerry/files";
 * const place = { calibration: { spacing: [0.5, 0.5], unit: "mm" }, translation: [0, 0, 0] };
 * console.log(placeOfPart(place, [4, 2, 0]).translation); // 2, 1, 0
 */
export function placeOfPart(
  { orientation, georeference, calibration, translation }: Place,
  [x, y, z]: readonly [number, number, number],
): Place {
  const sides = calibration?.spacing ?? [];
  return {
    calibration,
    translation:
      translation && ([x, y, z].map((at, i) => translation[i] + at * (sides[i] ?? 1)) as unknown as typeof translation),
    orientation: orientation && orientationAt(orientation, [x, y, z]),
    georeference: georeference && georeferenceAt(georeference, x, y),
  };
}

/**
 * Whether y grows towards the front of the patient, so that slices are drawn with their last row on top.
 * @example
 * import { isUpright } from "@skerry/files";
 * console.log(isUpright({})); // false: images begin with their top row
 */
export function isUpright({ orientation }: Place): boolean {
  return (orientation?.affine[1][1] ?? -1) >= 0;
}

/** The fields of a layout that hold a place. */
export function placed({
  orientation,
  georeference,
  calibration,
}: Place = {}): Pick<Layout, "orientation" | "georeference" | "unit" | "spacing"> {
  const { spacing, unit } = calibration ?? {};
  return { orientation, georeference, unit, ...(spacing ? { spacing } : {}) };
}

/** Size, type and metadata of the values of a file. */
export interface Layout extends Size {
  readonly type: ValueType;
  /** 1 by default. */
  readonly channels?: 1 | 3 | 4 | undefined;
  readonly spacing?: readonly number[] | undefined;
  /** The unit of the spacing. */
  readonly unit?: string | undefined;
  /** Place on a map, for formats that store it. */
  readonly georeference?: Georeference | undefined;
  /** The value that means that a pixel was not measured. */
  readonly nodata?: number | undefined;
  /** Orientation of the input, for formats that store it. */
  readonly orientation?: Orientation | undefined;
  /** Whether values are labels, for formats that store it. */
  readonly labels?: boolean | undefined;
  /** A few words, for formats that have room for them. */
  readonly description?: string | undefined;
  /** Colours that values of one u8 channel stand for. */
  readonly palette?: readonly (readonly [number, number, number])[] | undefined;
}

/** Writes all values into a sink, in order. */
export type Fill = (sink: Sink<PixelArray>) => Promise<unknown>;

/** One way to write values: a row of {@link WRITERS}. */
export interface Writer {
  readonly types: readonly ValueType[];
  readonly channels: readonly number[];
  /** The most slices that a file holds. */
  readonly depth: number;
  /** Writes values of a layout, which `fill` delivers. */
  write(file: Output, layout: Layout, fill: Fill): Promise<void>;
}

/**
 * All values of an image of 8 or 16 bits in one array, for formats that are compressed as a whole.
 * @example
 * import { collected, fillOf } from "@skerry/files";
 * const layout = { width: 2, height: 1, depth: 1, type: "u8" };
 * console.log(await collected(layout, fillOf(Uint8Array.of(3, 4), layout))); // 3, 4
 */
export async function collected(
  { type, width, height, channels = 1 }: Layout,
  fill: Fill,
): Promise<Uint8Array | Uint16Array> {
  const values = width * height * channels;
  const data = type === "u16" ? new Uint16Array(values) : new Uint8Array(values);
  await fill({ write: (_z0, _z1, y0, _y1, part) => data.set(part, y0 * width * channels) });
  return data;
}

/**
 * A {@link Fill} of values in memory.
 * @example
 * import { fillOf, MemoryOutput, WRITERS } from "@skerry/files";
 * const file = new MemoryOutput();
 * const layout = { width: 2, height: 1, depth: 1, type: "u8" };
 * await WRITERS[".npy"][0].write(file, layout, fillOf(Uint8Array.of(3, 4), layout));
 */
export function fillOf(data: PixelArray, { height, depth }: Size): Fill {
  return async (sink) => sink.write(0, depth, 0, height, data);
}
