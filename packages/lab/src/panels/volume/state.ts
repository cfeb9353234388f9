// The volume that is looked at in three planes: its values, the point where the planes meet, how it is shown, and what was found in it.

import { computed, signal } from "@preact/signals";
import type { Components, DistanceMap, Edit, Image, Regions } from "skerry";
import type { EditName } from "skerry/internal";
import { type Opened, Refused } from "../../files/open.js";
import type { Plane } from "../../files/planes.js";
import type { FinestFound } from "../../files/zarr.js";
import type { Chosen } from "../../settings/objects.js";
import type { VolumeSettings } from "../../settings/recipe.js";
import { type ChangeOptions, change, recipe } from "../../state/lab.js";
import { TEXT } from "../../words/text.js";

/** A point of a volume, in voxels. */
export type Point = readonly [x: number, y: number, z: number];

/** A volume on the engine. */
export interface Held {
  readonly opened: Opened;
  readonly sizes: Point;
  /** Sides of a voxel, for looks alone where the file tells none. */
  readonly sides: Point;
  /** The unit of lengths and volumes; undefined if they are counted in voxels. */
  readonly unit: string | undefined;
  readonly planes: readonly [Plane, Plane, Plane];
  readonly image: Image;
  readonly low: number;
  readonly high: number;
}

/** Tools that work in whole volumes. */
export const KINDS = ["objects", "fill", "distance"] as const;
export type Kind = (typeof KINDS)[number];

/** The tool of the page, or objects if it has none for volumes. */
export const kindNow = (): Kind => KINDS.find((kind) => kind === recipe.value.tool) ?? "objects";

/** Results in the whole volume. */
export interface Result {
  readonly kind: Kind;
  readonly components: Components;
  readonly map: DistanceMap | undefined;
  /** The largest distance that is not infinite. */
  readonly farthest: number;
  readonly chosen: Chosen;
  /** Corrections without effect. */
  readonly idle: readonly number[];
  readonly milliseconds: number;
}

/** The labels, or the distances, of the three planes through a point. */
export interface Seen {
  readonly kind: "labels" | "distances";
  readonly planes: readonly (Uint32Array | Float32Array)[];
  /** The largest distance of the volume, and the step of lines; 0 without lines. */
  readonly farthest?: number;
  readonly lines?: number;
}

export const held = signal<Held | undefined>(undefined);
export const refused = signal("");
export const point = signal<Point>([0, 0, 0]);
/** Tells why something failed. */
export function refuse(error: unknown): void {
  refused.value =
    error instanceof Refused ? TEXT.refused(recipe.value.source, error.refusal) : (error as Error).message;
}
/** The values that are shown as black and as white. */
export const shades = signal<readonly [number, number]>([0, 255]);
export const connectivity = computed(() => recipe.value.volume?.connectivity ?? 6);
/** The voxel from which a fill grows, and the largest difference from its value: by default a tenth of the range that is shown first. */
export const seed = computed<Point | undefined>(() => recipe.value.volume?.seed);
export const usualTolerance = signal(0);
export const tolerance = computed(() => recipe.value.volume?.tolerance ?? usualTolerance.value);

export function changeVolume(next: VolumeSettings, options?: ChangeOptions): void {
  change({ volume: { ...recipe.value.volume, ...next } }, `volume ${Object.keys(next)}`, options);
}
/** Corrections of the objects by hand. */
export const edits = computed(() => recipe.value.volume?.edits ?? NO_EDITS);
const NO_EDITS: readonly Edit[] = [];
/** The tool of a press in the plane along z; undefined if it moves the planes. */
export const hand = signal<EditName | undefined>(undefined);
/** Places of a line that is drawn, or was begun by a click. */
export const begun = signal<readonly Point[]>([]);
export const result = signal<Result | undefined>(undefined);
/** The sizes and places of the objects that are shown; undefined until they are measured. */
export const measured = signal<Regions | undefined>(undefined);
export const seen = signal<Seen | undefined>(undefined);
export const isBusy = signal(false);
/** A fill of the finest level of OME-Zarr: how many chunks it has read so far, or what it found. */
export const finest = signal<
  | { readonly read: number; readonly found?: undefined }
  | { readonly read: number; readonly found: FinestFound }
  | undefined
>(undefined);
