// Reads and writes OME-Zarr metadata: the arrays that are the levels of an image, their axes and the size of a pixel. Version 0.4
// is stored in the attributes of Zarr 2, versions 0.5 and 0.6 under `ome` in those of Zarr 3.

import { defined } from "skerry/internal";
import type { ToWorld } from "../affine.js";
import type { Crs } from "../space.js";
import { ZarrError } from "./errors.js";

/** Versions of OME-Zarr that are written. */
export type OmeVersion = "0.4" | "0.5";

/** An axis of an image. */
export interface Axis {
  /** t, c, z, y or x, or another name. */
  readonly name: string;
  readonly type?: string | undefined;
  /** Its name in UDUNITS, such as micrometer. */
  readonly unit?: string | undefined;
}

/** An array that is an image at one scale. */
export interface Level {
  /** The key of the array, relative to the image. */
  readonly path: string;
  /** The size of a pixel along each axis. */
  readonly scale: readonly number[];
  /** Position of the first pixel's centre along each axis. */
  readonly translation: readonly number[];
}

/** A place that scales and translations cannot tell: turned, mirrored or on a map. */
export interface StoredPlace {
  readonly toWorld: ToWorld;
  readonly crs?: Crs | undefined;
}

/** How a channel is shown, as viewers wrote it into `omero`. */
export interface ShownChannel {
  readonly name?: string | undefined;
  /** Red, green and blue, as in #00ff00. */
  readonly colour?: string | undefined;
  /** The values that are shown as black and as the colour. */
  readonly window?: readonly [number, number] | undefined;
}

/** Metadata of an image. */
export interface Multiscales {
  /** Version as the file names it. */
  readonly version: string;
  readonly name: string | undefined;
  readonly axes: readonly Axis[];
  readonly levels: readonly Level[];
  /** Whether it is a label image. */
  readonly isLabels: boolean;
  /** How many images the group describes; the first one is this. */
  readonly count: number;
  /** The place of the first level's pixels as skerry writes it, where scale and translation cannot tell it. */
  readonly place?: StoredPlace | undefined;
  /** Names, colours and windows of the channels, as far as the image has them. */
  readonly channels: readonly ShownChannel[];
}

type Record_ = Readonly<Record<string, unknown>>;

const isRecord = (value: unknown): value is Record_ =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const isNumbers = (value: unknown): value is number[] =>
  Array.isArray(value) && value.every((each) => typeof each === "number" && Number.isFinite(each));

/** The OME-Zarr part of a group's attributes. */
export function omeOf(attributes: Record_): Record_ {
  return isRecord(attributes.ome) ? attributes.ome : attributes;
}

/** Whether a path leads to something inside of a group: no part of it is .., and no server or drive begins it. */
const isInside = (path: string): boolean => !/(^|[/\\])\.\.([/\\]|$)|^\/\/|:\/\/|\\|^[A-Za-z]:/.test(path);

/**
 * The image that a group's attributes describe; undefined if they describe none.
 * @throws ZarrError if the description is wrong
 */
export function parseMultiscales(attributes: Record_, shown: string): Multiscales | undefined {
  const ome = omeOf(attributes);
  const [first] = Array.isArray(ome.multiscales) ? (ome.multiscales as unknown[]) : [];
  if (first === undefined) return undefined;
  const wrong = (what: string): ZarrError =>
    new ZarrError("damaged", `Expected the multiscales of ${shown} to have ${what}.`);
  if (!isRecord(first)) throw wrong("a record");
  const axes = axesOf(first, wrong);
  const { datasets } = first;
  if (!Array.isArray(datasets) || datasets.length === 0) throw wrong("datasets");
  // From 0.6 on, the transformations of the multiscales lead to other coordinate systems than the levels' own.
  const isOf06 = Array.isArray(first.coordinateSystems);
  const common = transformed(isOf06 ? undefined : first.coordinateTransformations, axes.length, wrong);
  const levels = datasets.map((dataset): Level => {
    if (!isRecord(dataset) || typeof dataset.path !== "string") throw wrong("datasets with a path");
    if (!isInside(dataset.path)) throw wrong(`levels inside of it, got ${dataset.path}`);
    const ofDataset = transformed(dataset.coordinateTransformations, axes.length, wrong);
    return {
      path: dataset.path.replace(/^\/+|\/+$/g, ""),
      scale: ofDataset.scale.map((side, i) => side * common.scale[i]),
      translation: ofDataset.translation.map((start, i) => start * common.scale[i] + common.translation[i]),
    };
  });
  const version = ome.version ?? first.version;
  return {
    // Drafts of 0.6 call themselves 0.5.
    version: isOf06 ? "0.6" : typeof version === "string" ? version : "0.4",
    name: typeof first.name === "string" && first.name !== "" ? first.name : undefined,
    axes,
    levels,
    isLabels: isRecord(ome["image-label"]),
    count: (ome.multiscales as unknown[]).length,
    place: placeIn(attributes.skerry),
    channels: channelsIn(ome.omero ?? attributes.omero),
  };
}

/** The channels of `omero`. It only tells how an image is shown, so that what is wrong in it is left out. */
function channelsIn(omero: unknown): readonly ShownChannel[] {
  const channels = isRecord(omero) && Array.isArray(omero.channels) ? omero.channels : [];
  return channels.map((channel): ShownChannel => {
    if (!isRecord(channel)) return {};
    const { label, color, window } = channel;
    const { start, end } = isRecord(window) ? window : {};
    const isRange = typeof start === "number" && typeof end === "number" && start < end;
    return defined({
      name: typeof label === "string" && label !== "" ? label : undefined,
      colour:
        typeof color === "string" && /^#?[0-9a-f]{6}$/i.test(color) ? `#${color.slice(-6).toLowerCase()}` : undefined,
      window: isRange ? ([start, end] as const) : undefined,
    });
  });
}

/** The place of a level whose image has one of skerry's: the pixels of a smaller level lie between those of the first one. */
export function placeOfLevel(
  place: StoredPlace,
  { axes, levels }: Pick<Multiscales, "axes" | "levels">,
  level: number,
): StoredPlace {
  const [first, current] = [levels[0], levels[level]];
  const along = ["x", "y", "z"].map((name) => {
    const at = axes.findIndex((axis) => axis.name === name);
    if (at < 0) return { side: 1, begin: 0 };
    const begin = (current.translation[at] - first.translation[at]) / first.scale[at];
    return { side: current.scale[at] / first.scale[at], begin };
  });
  const toWorld = place.toWorld.map((row) => [
    ...along.map(({ side }, i) => row[i] * side),
    along.reduce((sum, { begin }, i) => sum + row[i] * begin, row[3]),
  ]) as unknown as ToWorld;
  return { ...place, toWorld };
}

/** A place that skerry wrote; undefined for anything else. */
function placeIn(parsed: unknown): StoredPlace | undefined {
  if (!isRecord(parsed) || !Array.isArray(parsed.toWorld) || parsed.toWorld.length !== 3) return undefined;
  if (!parsed.toWorld.every((row) => isNumbers(row) && row.length === 4)) return undefined;
  const crs =
    isRecord(parsed.crs) && (parsed.crs.kind === "patient" || parsed.crs.kind === "map") ? parsed.crs : undefined;
  return defined({ toWorld: parsed.toWorld as unknown as ToWorld, crs: crs ? (crs as unknown as Crs) : undefined });
}

/** Axes; from 0.6 on those of the coordinate system that the transformations of the levels lead to. */
function axesOf(multiscales: Record_, wrong: (what: string) => ZarrError): Axis[] {
  const systems = (Array.isArray(multiscales.coordinateSystems) ? multiscales.coordinateSystems : []).filter(isRecord);
  const [dataset] = Array.isArray(multiscales.datasets) ? multiscales.datasets.filter(isRecord) : [];
  const [to] = Array.isArray(dataset?.coordinateTransformations) ? dataset.coordinateTransformations : [];
  const output = isRecord(to) ? to.output : undefined;
  const name = isRecord(output) ? output.name : output;
  const intrinsic = systems.find((system) => system.name === name) ?? systems[0];
  const axes = intrinsic?.axes ?? multiscales.axes;
  if (!Array.isArray(axes) || axes.length === 0) throw wrong("axes");
  return axes.map((axis): Axis => {
    // Axes of 0.3 are plain names.
    if (typeof axis === "string") return { name: axis };
    if (!isRecord(axis) || typeof axis.name !== "string") throw wrong("axes with a name");
    const { name, type, unit } = axis;
    return {
      name,
      type: typeof type === "string" ? type : undefined,
      unit: typeof unit === "string" ? unit : undefined,
    };
  });
}

interface Transformed {
  readonly scale: number[];
  readonly translation: number[];
}

/** Scale and translation of a list of transformations, one after another. */
function transformed(list: unknown, length: number, wrong: (what: string) => ZarrError): Transformed {
  const start: Transformed = { scale: new Array(length).fill(1), translation: new Array(length).fill(0) };
  if (list === undefined || list === null) return start;
  if (!Array.isArray(list)) throw wrong("a list of coordinateTransformations");
  return list.reduce((before: Transformed, each: unknown) => {
    if (!isRecord(each)) throw wrong("coordinateTransformations that are records");
    const { type } = each;
    if (type === "identity") return before;
    if (type === "sequence") {
      const inner = transformed(each.transformations, length, wrong);
      return {
        scale: before.scale.map((side, i) => side * inner.scale[i]),
        translation: before.translation.map((at, i) => at * inner.scale[i] + inner.translation[i]),
      };
    }
    if (type !== "scale" && type !== "translation") {
      throw wrong(`scales and translations, got ${typeof type === "string" ? type : "one without a type"}`);
    }
    const numbers = each[type];
    if (!isNumbers(numbers) || numbers.length !== length) throw wrong(`a ${type} of ${length} numbers`);
    if (type === "translation") {
      return { scale: before.scale, translation: before.translation.map((at, i) => at + numbers[i]) };
    }
    return {
      scale: before.scale.map((side, i) => side * numbers[i]),
      translation: before.translation.map((at, i) => at * numbers[i]),
    };
  }, start);
}

/** Metadata of an image that is written. */
export interface Written {
  readonly name: string;
  readonly axes: readonly Axis[];
  readonly levels: readonly Level[];
  /** Facts of label images; none for other images. */
  readonly labels?: {
    /** Label, and red, green, blue and opacity from 0 to 255. */
    readonly colors?: readonly (readonly [label: number, rgba: readonly number[]])[] | undefined;
    /** Path of its image, relative to it. */
    readonly source?: string | undefined;
  };
  readonly downsampling?: string | undefined;
  readonly place?: StoredPlace | undefined;
}

/** Attributes of a group that holds an image. */
export function attributesOf(version: OmeVersion, written: Written): Record<string, unknown> {
  const { name, axes, levels, labels, downsampling, place } = written;
  const multiscales = [
    defined({
      version: version === "0.4" ? version : undefined,
      name,
      axes: axes.map(({ name: axisName, type, unit }) => defined({ name: axisName, type, unit })),
      datasets: levels.map(({ path, scale, translation }) => ({
        path,
        coordinateTransformations: [
          { type: "scale", scale },
          ...(translation.some((at) => at !== 0) ? [{ type: "translation", translation }] : []),
        ],
      })),
      type: downsampling,
    }),
  ];
  const source = labels?.source === undefined ? {} : { source: { image: labels.source } };
  const colors = labels?.colors?.length
    ? { colors: labels.colors.map(([label, rgba]) => ({ "label-value": label, rgba })) }
    : {};
  const label = labels && {
    "image-label": defined({ version: version === "0.4" ? version : undefined, ...colors, ...source }),
  };
  const all = { multiscales, ...label };
  const attributes = place ? { skerry: place } : {};
  return version === "0.4" ? { ...all, ...attributes } : { ome: { version, ...all }, ...attributes };
}

/** Attributes of the group `labels` that lists label images, by name. */
export function labelsAttributes(
  version: OmeVersion,
  before: Record_,
  names: readonly string[],
): Record<string, unknown> {
  if (version === "0.4") return { ...before, labels: names };
  const ome = isRecord(before.ome) ? before.ome : {};
  return { ...before, ome: { version, ...ome, labels: names } };
}

/** Names in a group `labels`. */
export function labelsOf(attributes: Record_): string[] {
  const { labels } = omeOf(attributes);
  return Array.isArray(labels)
    ? labels.filter((each): each is string => typeof each === "string" && isInside(each))
    : [];
}
