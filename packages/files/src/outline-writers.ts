// Every format of outlines, by the ending of the file's name. A new format is a file in formats/ and a row here. The command
// line, the page and their messages use this table.

import type { Outlines } from "skerry";
import type { Drawable } from "./drawable.js";
import { objectColour, palette } from "./drawing/colours.js";
import type { GeoJsonOptions } from "./formats/geojson.js";
import type { Output } from "./output.js";

/** Inputs of a drawing: outlines, the objects that they are of, and the name of their image. */
export interface Drawn {
  readonly outlines: Outlines;
  readonly components: Drawable;
  readonly image: string;
  /** Transform, coordinate system and attributes, for formats of maps. */
  readonly map?: GeoJsonOptions | undefined;
}

/** One way to write outlines: a row of {@link OUTLINE_WRITERS}. */
export interface OutlineWriter {
  /** The format in a few words, for help and for the page. */
  readonly title: string;
  /** Whether it holds coordinates of a map, and attributes of objects. */
  readonly map?: boolean;
  /** Writes outlines. */
  write(file: Output, drawn: Drawn): Promise<void>;
}

/** Writers of outlines by ending, in the order in which a message lists them. A format's code is loaded at its first use. */
export const OUTLINE_WRITERS: Readonly<Record<string, OutlineWriter>> = {
  ".geojson": {
    title: "GeoJSON",
    map: true,
    write: async (file, { outlines, map }) => (await import("./formats/geojson.js")).writeGeoJson(file, outlines, map),
  },
  ".fgb": {
    title: "FlatGeobuf",
    map: true,
    write: async (file, { outlines, map }) =>
      (await import("./formats/flatgeobuf.js")).writeFlatGeobuf(file, outlines, map),
  },
  ".svg": {
    title: "SVG",
    write: async (file, { outlines, components: { width, height } }) => {
      const { writeSvg } = await import("./formats/svg.js");
      const colours = palette();
      await writeSvg(file, outlines, { width, height, colourOf: (label) => objectColour(colours, label) });
    },
  },
  ".json": {
    title: "COCO polygons; objects with holes as run lengths",
    write: async (file, { outlines, components, image }) =>
      (await import("./formats/coco-polygons.js")).writeCocoPolygons(file, components, outlines, image),
  },
  ".zip": {
    title: "ImageJ regions",
    write: async (file, { outlines }) => (await import("./formats/roi.js")).writeRois(file, outlines),
  },
};
