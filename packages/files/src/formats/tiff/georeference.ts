// The place of a GeoTIFF's pixels on a map (OGC 19-008r4): the affine map from corners of pixels to coordinates, the code of the
// coordinate system, and its unit. The entries of the input are kept as they are, so that outputs lie exactly on it.

import { defined } from "skerry/internal";
import type { Affine, AffineRow, ToWorld } from "../../affine.js";
import type { MapCrs } from "../../space.js";
import type { Directory } from "./directories.js";
import type { Entry } from "./entries.js";
import { PIXEL_IS_POINT, RASTER_TYPE } from "./entries.js";
import { TAG } from "./tags.js";

/** A place on a map, and its coordinate system. */
export interface Georeference {
  readonly toWorld: ToWorld;
  readonly crs: MapCrs;
}

/** Keys of the directory of GeoTIFF's keys. */
const KEY = {
  modelType: 1024,
  rasterType: RASTER_TYPE,
  geographic: 2048,
  projected: 3072,
  linearUnits: 3076,
  unitSize: 3077,
} as const;
const [GEOGRAPHIC, USER_DEFINED] = [2, 32767];
/** Metres per linear unit, by EPSG code. */
const METRES: Readonly<Record<number, number>> = {
  9001: 1,
  9002: 0.3048,
  9003: 1200 / 3937,
  9005: 0.3047972654,
  9036: 1000,
  9014: 1.8288,
  9030: 1852,
  9093: 1609.344,
};

/** Whether a projected system, of which only the EPSG code is known, is in metres: true for a small table of codes. */
function isMetric(epsg: number): boolean {
  const ranges = [
    // WGS 84, ETRS89 and NAD83 in zones of UTM, and national grids of metres.
    [32601, 32660],
    [32701, 32760],
    [25828, 25838],
    [26901, 26923],
    [23028, 23038],
    [31466, 31469],
    [28348, 28358],
    ...[3857, 3035, 2154, 2056, 21781, 27700, 28992, 31370, 5514, 3006, 3067, 2193, 3395, 6933, 3031, 3413].map(
      (code) => [code, code],
    ),
  ];
  return ranges.some(([from, to]) => epsg >= from && epsg <= to);
}

/** Reads the place of a page on the map, whose pixels are `across` times as wide and `down` times as high as those of the tags; undefined without one. */
export async function readGeoreference(directory: Directory, across = 1, down = 1): Promise<Georeference | undefined> {
  const [scale, ties, matrix, keys] = [
    await directory.numbers(TAG.pixelScale),
    await directory.numbers(TAG.tiePoints),
    await directory.numbers(TAG.transformation),
    await directory.numbers(TAG.geoKeys),
  ];
  const key = (id: number): number | undefined => {
    for (let i = 4; keys && i + 3 < keys.length; i += 4) if (keys[i] === id && keys[i + 1] === 0) return keys[i + 3];
    return undefined;
  };
  const affine = affineOf(scale, ties, matrix);
  if (!affine) return undefined;
  const isPoint = key(KEY.rasterType) === PIXEL_IS_POINT;
  const degrees = key(KEY.modelType) === GEOGRAPHIC;
  const code = degrees ? key(KEY.geographic) : (key(KEY.projected) ?? key(KEY.geographic));
  const epsg = code === undefined || code === USER_DEFINED || code === 0 ? undefined : code;
  const doubles = await directory.numbers(TAG.geoDoubles);
  const entries = [
    ...entry(TAG.pixelScale, scale),
    ...entry(TAG.tiePoints, ties),
    ...entry(TAG.transformation, matrix),
    ...entry(TAG.geoKeys, keys, true),
    ...entry(TAG.geoDoubles, doubles, true),
    ...entry(TAG.geoText, (await directory.text(TAG.geoText)) || undefined, true),
  ];
  const ofFirst = { affine, isPoint, entries };
  const ofRead = across === 1 && down === 1 ? ofFirst : ofLevel(ofFirst, across, down);
  return {
    toWorld: centresOf(ofRead),
    crs: {
      kind: "map",
      epsg,
      degrees,
      entries: ofRead.entries,
      metres: degrees ? undefined : metresOf(key(KEY.linearUnits), unitSizeOf(keys, doubles), epsg),
    },
  };
}

function entry(tag: number, values: Entry["values"] | undefined, isSystem = false): Entry[] {
  return values === undefined ? [] : [defined({ tag, values, isSystem: isSystem || undefined })];
}

/** Place by the tags: coordinates of centres (PixelIsPoint) or corners of pixels. */
interface Tags {
  readonly affine: Affine;
  readonly isPoint: boolean;
  readonly entries: readonly Entry[];
}

/** Coordinates of the centres of pixels. */
function centresOf({ affine: [a, b, c, d, e, f], isPoint }: Tags): ToWorld {
  const half = isPoint ? 0 : 0.5;
  const rows: AffineRow[] = [
    [a, b, 0, c + half * (a + b)],
    [d, e, 0, f + half * (d + e)],
    [0, 0, 1, 0],
  ];
  return rows as unknown as ToWorld;
}

function affineOf(
  scale: readonly number[] | undefined,
  ties: readonly number[] | undefined,
  matrix: readonly number[] | undefined,
): Affine | undefined {
  if (matrix && matrix.length >= 8) return [matrix[0], matrix[1], matrix[3], matrix[4], matrix[5], matrix[7]];
  if (!scale || !ties || scale.length < 2 || ties.length < 6 || !(scale[0] !== 0 && scale[1] !== 0)) return undefined;
  const [i, j, , x, y] = ties;
  // Mirrored images have a negative side along x. A negative one along y is taken for a fault of the writer, as GDAL does.
  const [across, down] = [scale[0], Math.abs(scale[1])];
  return [across, 0, x - i * across, 0, -down, y + j * down];
}

/** The size of a unit that has no code, in metres. */
function unitSizeOf(keys: readonly number[] | undefined, doubles: readonly number[] | undefined): number | undefined {
  for (let i = 4; keys && i + 3 < keys.length; i += 4) {
    if (keys[i] === KEY.unitSize && keys[i + 1] === TAG.geoDoubles) return doubles?.[keys[i + 3]];
  }
  return undefined;
}

function metresOf(unit: number | undefined, size: number | undefined, epsg: number | undefined): number | undefined {
  if (unit === USER_DEFINED && size !== undefined) return size;
  if (unit !== undefined && METRES[unit] !== undefined) return METRES[unit];
  return epsg !== undefined && isMetric(epsg) ? 1 : undefined;
}

/** The sides of a pixel in metres; undefined where the file does not tell the unit, or coordinates are degrees. */
export function metresOfPixels({
  toWorld: [[a, b], [d, e]],
  crs: { metres },
}: Georeference): [number, number] | undefined {
  return metres === undefined ? undefined : [Math.hypot(a, d) * metres, Math.hypot(b, e) * metres];
}

/** The tags of a smaller version, whose pixels are `x` times as wide and `y` times as high: the corner of the first pixel stays. */
function ofLevel({ affine: [a, b, c, d, e, f], isPoint, entries }: Tags, x: number, y: number): Tags {
  // The first one of centres moves from half a pixel of the whole to half a larger one.
  const half = isPoint ? 0.5 : 0;
  const first = [c + half * (a * (x - 1) + b * (y - 1)), f + half * (d * (x - 1) + e * (y - 1))];
  const sized = (values: readonly number[], tag: number): readonly number[] => {
    const by = [x, y];
    if (tag === TAG.pixelScale) return values.map((value, i) => value * (by[i] ?? 1));
    if (tag === TAG.tiePoints) return [0, 0, 0, ...first, values[5] ?? 0];
    if (tag === TAG.transformation)
      return values.map((value, i) =>
        i === 3 ? first[0] : i === 7 ? first[1] : i < 8 && i % 4 < 2 ? value * by[i % 4] : value,
      );
    return values;
  };
  return {
    affine: [a * x, b * y, first[0], d * x, e * y, first[1]],
    isPoint,
    entries: entries.map((entry) =>
      typeof entry.values === "string" ? entry : { ...entry, values: sized(entry.values, entry.tag) },
    ),
  };
}
