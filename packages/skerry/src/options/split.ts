// The options of `split()`, `watershed()` and `absorb()`.

import { type Bits, type Pixels, type Size, sizeText } from "../core/pixels.js";
import type { AbsorbPlan, WatershedPlan } from "../core/plans.js";
import { InvalidArgument, Unsupported } from "../types/errors.js";
import type { Image, Points, Raster } from "../types/raster.js";
import type { AbsorbOptions, SplitOptions } from "../types/split.js";
import { atLeastZero, flag, oneOf, unexpected } from "./arguments.js";
import { checkPoints, isPoints, sameSize } from "./pixels.js";

/** Checks a raster and returns its pixels. */
type Read = (input: Raster | Image, name: string) => Pixels;

/** The watershed that splits objects of a size. */
export function planSplit(
  { by = "distance", h, markers, physical = false }: SplitOptions,
  size: Size,
  spacing: readonly [number, number, number],
  read: Read,
): WatershedPlan {
  flag("physical", physical);
  if (h !== undefined && markers !== undefined) {
    throw new InvalidArgument("Expected h or markers, got both.", { argument: "h" });
  }
  if (typeof by === "string" && by !== "distance") throw unexpected("by", '"distance" or a raster', by);
  const raster = by === "distance" ? undefined : heightsOf(read(by, "by"), size, "by");
  return {
    raster,
    dark: false,
    spacing: physical ? spacing : [1, 1, 1],
    h: h === undefined ? 1 : atLeastZero("h", h),
    markers: markers === undefined ? undefined : planMarkers(markers, size, read),
  };
}

/** A raster of one value per pixel, of the same size. */
export function heightsOf(pixels: Pixels, size: Size, name: string): Pixels {
  const { shape } = pixels;
  if (!sameSize(shape, size)) {
    throw new InvalidArgument(`Expected ${name} to be ${sizeText(size)} like the objects, got ${sizeText(shape)}.`, {
      argument: name,
    });
  }
  if (shape.nodata !== undefined) throw new Unsupported(`Expected no nodata in ${name}.`);
  return pixels;
}

/** Markers as u32: a label image of any whole type, or points, each with a number of its own. */
export function planMarkers(markers: Raster | Image | Points, size: Size, read: Read): Pixels {
  if (typeof markers !== "object" || markers === null || Array.isArray(markers)) {
    throw unexpected("markers", "a label image or { points }", markers);
  }
  if (isPoints(markers)) return numbered(checkPoints(markers), markers, size);
  const pixels = heightsOf(read(markers, "markers"), size, "markers");
  const { type, channels } = pixels.shape;
  if (channels !== 1 || type !== "u32") {
    if (pixels.kind !== "array" || channels !== 1 || type === "f32") {
      throw new InvalidArgument(`Expected markers of 1 channel of whole numbers, got ${channels} of ${type}.`, {
        argument: "markers",
      });
    }
    const data = Uint32Array.from(pixels.data);
    return { kind: "array", shape: { ...pixels.shape, type: "u32" }, data };
  }
  return pixels;
}

function numbered(bits: Bits, { points }: Points, size: Size): Pixels {
  if (!sameSize(bits, size)) {
    throw new InvalidArgument(`Expected markers in ${sizeText(size)} like the objects, got ${sizeText(bits)}.`, {
      argument: "markers",
    });
  }
  const { width, height, depth } = size;
  const data = new Uint32Array(width * height * depth);
  points.forEach(([x, y, z = 0], i) => {
    data[(z * height + y) * width + x] = i + 1;
  });
  return { kind: "array", shape: { width, height, depth, channels: 1, type: "u32" }, data };
}

export function planAbsorb({ minArea, into = "border" }: AbsorbOptions): AbsorbPlan {
  oneOf("into", into, ["border", "largest"]);
  return { minArea: atLeastZero("minArea", minArea), into };
}
