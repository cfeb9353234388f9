// Writes FlatGeobuf: the features of GeoJSON in a binary file that GIS software reads in parts, with the package of the format's
// author.

import type { Outlines } from "skerry";
import type { Output } from "../output.js";
import { checkWriting } from "../writing.js";
import { featuresOf, type GeoJsonOptions } from "./geojson.js";

/**
 * Writes outlines as FlatGeobuf. Objects without a polygon are left out, because a feature needs a geometry there.
 * @example
 * import { MemoryOutput, writeFlatGeobuf } from "@skerry/files";
 * const file = new MemoryOutput();
 * const affine = [20, 0, 500000, 0, -20, 5100000]; // pixels of 20 m
 * await writeFlatGeobuf(file, await blobs.outlines(), { affine, epsg: 32633 });
 */
export async function writeFlatGeobuf(file: Output, outlines: Outlines, options: GeoJsonOptions = {}): Promise<void> {
  checkWriting("writeFlatGeobuf", file, { of: outlines, field: "rings", call: "outlines()" });
  const { serialize } = await import("flatgeobuf/lib/mjs/geojson.js");
  const all = featuresOf(outlines, options);
  const features = Array.from({ length: all.length }, (_, i) => all.at(i)).filter(({ geometry }) => geometry !== null);
  if (features.length === 0) {
    // The package takes columns from the first feature. Without features the file is assembled from magic bytes and a header.
    const { buildHeader } = await import("flatgeobuf/lib/mjs/generic/featurecollection.js");
    const { magicbytes } = await import("flatgeobuf/lib/mjs/constants.js");
    await file.write(magicbytes);
    await file.write(buildHeader(EMPTY, options.epsg ?? 0));
    return;
  }
  const collection = { type: "FeatureCollection", features };
  await file.write(serialize(collection as unknown as Parameters<typeof serialize>[0], options.epsg ?? 0));
}

const POLYGON = 3;
/** The header of a file without features. */
const EMPTY = {
  geometryType: POLYGON,
  columns: null,
  envelope: null,
  featuresCount: 0,
  indexNodeSize: 0,
  crs: null,
  title: null,
  description: null,
  metadata: null,
};
