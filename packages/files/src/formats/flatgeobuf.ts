// FlatGeobuf out: the features of GeoJSON in a binary file that GIS read by parts, through the package of the format's author.

import type { Outlines } from "skerry";
import type { Output } from "../output.js";
import { featuresOf, type GeoJsonOptions } from "./geojson.js";

/** Writes outlines; objects of which only lines are left are left out, since every feature has a geometry there. */
export async function writeFlatGeobuf(file: Output, outlines: Outlines, options: GeoJsonOptions = {}): Promise<void> {
  const { serialize } = await import("flatgeobuf/lib/mjs/geojson.js");
  const all = featuresOf(outlines, options);
  const features = Array.from({ length: all.length }, (_, i) => all.at(i)).filter(({ geometry }) => geometry !== null);
  // A file without features has no columns either, but the package takes them from the first one.
  const none = { type: "Feature", properties: { label: 0 }, geometry: { type: "Polygon", coordinates: [[]] } };
  const collection = { type: "FeatureCollection", features: features.length > 0 ? features : [none] };
  await file.write(serialize(collection as unknown as Parameters<typeof serialize>[0], options.epsg ?? 0));
}
