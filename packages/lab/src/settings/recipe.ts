// The settings of the page: one plain object that determines the result and holds no pixels. The history, links and the
// browser's storage keep it.

import type { Edit } from "skerry";
import type { Projection } from "skerry/internal";
import { COLOURS, type ColoursRecipe } from "./colours.js";
import { DISTANCE, type DistanceRecipe } from "./distance.js";
import type { FigureSettings } from "./figure.js";
import { FILL, type FillRecipe, type FillSettings, type Stroke } from "./fill.js";
import { OBJECTS, type ObjectsRecipe } from "./objects.js";
import type { Spot } from "./spots.js";

/** Names of the tools, in the order of their tabs. */
export const TOOL_NAMES = ["objects", "fill", "distance", "colours"] as const;
export type ToolName = (typeof TOOL_NAMES)[number];

/** A fence: pixels outside it are left out. It is stored as the recipe that made it. */
export type Fence =
  | {
      readonly tool: "objects";
      readonly objects: ObjectsRecipe;
      readonly spots: readonly Spot[];
      readonly within?: Fence | undefined;
    }
  | {
      readonly tool: "fill";
      readonly fill: FillSettings & { readonly strokes: readonly Stroke[] };
      readonly within?: Fence | undefined;
    }
  | {
      readonly tool: "colours";
      readonly colours: ColoursRecipe;
      /** A pixel of each class. */
      readonly spots: readonly Spot[];
      readonly within?: Fence | undefined;
    };

/** The size of a pixel. */
export interface Scale {
  /** Its side along x and, unless `down` says otherwise, along y. */
  readonly size: number;
  /** Its side along y, of pixels that are not square. */
  readonly down?: number | undefined;
  /** Whether it was set for every file that tells none. */
  readonly isForAll?: boolean | undefined;
  /** Whether it was set for another picture: a file that tells its own overrides it. */
  readonly isCarried?: boolean | undefined;
  /** Whether lengths are in `unit` of a size that the file tells, which is not known yet: `size` is 1, and `unit` is empty for the file's own. */
  readonly isOfFile?: boolean | undefined;
  readonly unit: string;
}

/** Axes along which a file holds several images. */
export const TAKEN_AXES = ["page", "time", "channel", "level"] as const;

/**
 * Numbers along the axes of a file, from 0: its page, or the slice of a volume, its time, the channel and the level of OME-Zarr. One image of all
 * slices has a name in place of a page.
 */
export type Taken = {
  readonly [axis in (typeof TAKEN_AXES)[number]]?: number | (axis extends "page" ? Projection : never) | undefined;
};

/** Voxels that touch: by faces, by edges as well, or by corners as well. */
export const VOXEL_NEIGHBOURS = [6, 18, 26] as const;

/** Settings of a whole volume, beside those of the tools. */
export interface VolumeSettings {
  readonly connectivity?: (typeof VOXEL_NEIGHBOURS)[number] | undefined;
  /** The voxel from which a fill grows, and the largest difference from its value. */
  readonly seed?: readonly [x: number, y: number, z: number] | undefined;
  readonly tolerance?: number | undefined;
  /** Corrections of its objects by hand, in order. */
  readonly edits?: readonly Edit[] | undefined;
}

export interface Recipe {
  /** A sample's name, or the name or address of a file that the user opened. */
  readonly source: string;
  /** The sides of the picture were divided by this number when the file was opened; usually 1. */
  readonly shrink: number;
  /** The image that is taken of a file that holds several; undefined for the first. */
  readonly taken?: Taken | undefined;
  readonly tool: ToolName;
  readonly objects: ObjectsRecipe;
  readonly fill: FillRecipe;
  readonly distance: DistanceRecipe;
  readonly colours: ColoursRecipe;
  /** Undefined if lengths are in pixels. */
  readonly scale?: Scale | undefined;
  readonly within?: Fence | undefined;
  /** How the whole volume is worked on, of which a slice is shown; undefined for the usual way. */
  readonly volume?: VolumeSettings | undefined;
  /** Lines that were measured, between the centres of two pixels. */
  readonly measures?: readonly (readonly [Spot, Spot])[] | undefined;
  /** How figures are drawn; undefined for the usual way. */
  readonly figure?: FigureSettings | undefined;
}

/** A sample and its default settings. */
export interface Sample {
  readonly source: string;
  readonly file: string;
  /** The folder in the repository of which the file is a ZIP. */
  readonly folder?: string;
  readonly tool: ToolName;
  readonly objects?: Partial<ObjectsRecipe>;
  readonly fill?: Partial<FillRecipe>;
}

export const SAMPLES: readonly Sample[] = [
  {
    source: "galaxies",
    file: "hubble_deep_field.jpg",
    tool: "objects",
    objects: { rule: "bright", method: "fixed", threshold: 60, minArea: 6 },
  },
  { source: "cells", file: "cells.png", tool: "objects", objects: { split: 1, minArea: 20 } },
  {
    source: "board",
    file: "board.png",
    tool: "objects",
    objects: { rule: "both", method: "fixed", lower: 60, threshold: 200, connectivity: 8, minArea: 5 },
  },
  {
    source: "pebbles",
    file: "pebbles.png",
    tool: "objects",
    objects: { rule: "both", method: "fixed", lower: 146, threshold: 215, minArea: 20 },
  },
  {
    source: "maze",
    file: "maze.png",
    tool: "fill",
    fill: { strokes: [{ mode: "new", x: 8, y: 8, tolerance: 24 }] },
  },
  {
    source: "coffee",
    file: "coffee.png",
    tool: "fill",
    fill: { tolerance: 40, strokes: [{ mode: "new", x: 350, y: 150, tolerance: 40 }] },
  },
  { source: "head", file: "head.nii.gz", tool: "distance", objects: { fillHoles: true, minArea: 100 } },
  { source: "nuclei", file: "cells.ozx", folder: "cells.zarr", tool: "objects" },
];

/** The sample of a name; undefined for the user's own pictures. */
export const sampleNamed = (source: string): Sample | undefined => SAMPLES.find((sample) => sample.source === source);

/** The recipe that a sample opens with. */
export function recipeFor({ source, tool, objects, fill }: Sample): Recipe {
  return { ...ownRecipe(source, tool), objects: { ...OBJECTS, ...objects }, fill: { ...FILL, ...fill } };
}

/** The recipe that a picture of the user's opens with. */
export function ownRecipe(source: string, tool: ToolName, shrink = 1, taken?: Taken): Recipe {
  return {
    source,
    shrink,
    taken,
    tool,
    objects: OBJECTS,
    fill: FILL,
    distance: DISTANCE,
    colours: COLOURS,
  };
}
