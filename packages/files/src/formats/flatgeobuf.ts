// FlatGeobuf out: the features of GeoJSON in a binary file that GIS read by parts, through the package of the format's author.

import type { Outlines } from "skerry";
import type { Output } from "../output.js";
import { featuresOf, type GeoJsonOptions } from "./geojson.js";

/** Writes outlines; objects of which only lines are left are left out, since every feature has a geometry there. */
export async function writeFlatGeobuf(file: Output, outlines: Outlines, options: GeoJsonOptions = {}): Promise<void> {
  const { serialize } = await import("flatgeobuf/lib/mjs/geojson.js");
  const all = featuresOf(outlines, options);
  const features = Array.from({ length: all.length }, (_, i) => all.at(i)).filter(({ geometry }) => geometry !== null);
  if (features.length === 0) {
    // The package takes columns from the first feature, so that a file without any is made of its parts.
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
  ...{ geometryType: POLYGON, columns: null, envelope: null, featuresCount: 0, indexNodeSize: 0, crs: null },
  ...{ title: null, description: null, metadata: null },
};
