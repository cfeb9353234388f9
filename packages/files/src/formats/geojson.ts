// Writes GeoJSON (RFC 7946), one feature per object. Outer rings are counterclockwise in the written coordinates, as the RFC
// requires. Without an affine map these are pixels, with y down.

import type { Outlines } from "skerry";
import type { Affine } from "../affine.js";
import { areaOf, shapesOf } from "../drawing/polygons.js";
import type { Output } from "../output.js";
import { checkWriting } from "../writing.js";
import { writeLines } from "./lines.js";

/** Options of `writeGeoJson()`. */
export interface GeoJsonOptions {
  /** Transform of pixels, e.g. to degrees; by default they stay pixels. */
  readonly affine?: Affine;
  /** Properties of each object beside its label. */
  readonly properties?: ((label: number) => Readonly<Record<string, unknown>>) | undefined;
  /** The EPSG code of the coordinate system. It is written as `crs`, like GDAL does, because RFC 7946 allows only degrees. */
  readonly epsg?: number | undefined;
}

/** A feature per object. */
export interface GeoJsonFeature {
  readonly type: "Feature";
  readonly id: number;
  readonly properties: Readonly<Record<string, unknown>>;
  readonly geometry:
    | { readonly type: "Polygon"; readonly coordinates: number[][][] }
    | { readonly type: "MultiPolygon"; readonly coordinates: number[][][][] }
    | null;
}

/** The features of outlines, each made on demand: Polygons, and MultiPolygons for objects of several parts. */
export function featuresOf(
  outlines: Outlines,
  options: GeoJsonOptions = {},
): { readonly length: number; at(i: number): GeoJsonFeature } {
  const { affine = [1, 0, 0, 0, 1, 0], properties } = options;
  const [a, b, c, d, e, f] = affine;
  // A mirroring map reverses the direction of rings.
  const isMirrored = a * e - b * d < 0;
  const ringOf = (ring: Int32Array, isHole: boolean): number[][] => {
    const corners: number[][] = [];
    for (let i = 0; i < ring.length; i += 2) {
      corners.push([a * ring[i] + b * ring[i + 1] + c, d * ring[i] + e * ring[i + 1] + f]);
    }
    // A simplification tolerance as large as an object may reverse a ring, too.
    if ((areaOf(ring) < 0 !== isHole) !== isMirrored) corners.reverse();
    corners.push(corners[0]);
    return corners;
  };
  const shapes = [...shapesOf(outlines)];
  const at = (i: number): GeoJsonFeature => {
    const { label, polygons } = shapes[i];
    const coordinates = polygons.map(({ outer, holes }) => [
      ringOf(outer, false),
      ...holes.map((hole) => ringOf(hole, true)),
    ]);
    const [first, ...others] = coordinates;
    const several = { type: "MultiPolygon", coordinates } as const;
    // A feature without a polygon has a null geometry (RFC 7946, 3.2).
    const geometry = others.length > 0 ? several : first ? ({ type: "Polygon", coordinates: first } as const) : null;
    return { type: "Feature", id: label, properties: { label, ...properties?.(label) }, geometry };
  };
  return { length: shapes.length, at };
}

/**
 * Writes outlines as a FeatureCollection.
 * @example
 * import { MemoryOutput, writeGeoJson } from "@skerry/files";
 * const file = new MemoryOutput();
 * await writeGeoJson(file, await blobs.outlines(), { properties: (label) => ({ even: label % 2 === 0 }) });
 * console.log(JSON.parse(new TextDecoder().decode(file.bytes())).features.length);
 */
export async function writeGeoJson(file: Output, outlines: Outlines, options: GeoJsonOptions = {}): Promise<void> {
  checkWriting("writeGeoJson", file, { of: outlines, field: "rings", call: "outlines()" });
  const { epsg } = options;
  const crs = epsg === undefined ? "" : `"crs":{"type":"name","properties":{"name":"urn:ogc:def:crs:EPSG::${epsg}"}},`;
  await file.write(`{"type":"FeatureCollection",${crs}"features":[\n`);
  const features = featuresOf(outlines, options);
  await writeLines(
    file,
    features.length,
    (i) => `${JSON.stringify(features.at(i))}${i < features.length - 1 ? "," : ""}\n`,
  );
  await file.write("]}\n");
}
