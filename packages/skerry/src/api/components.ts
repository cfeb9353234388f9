// Components: a handle to labelled bits on the device. Labels, runs, masks and measurements are computed on request.

import type { Call } from "../core/call.js";
import { defined } from "../core/defined.js";
import type { DistanceInto, DistancePlan } from "../core/distance-plan.js";
import type { MeasurePlan } from "../core/measure-plan.js";
import type { MorphologyOperation } from "../core/morphology-plan.js";
import { rowCount, type Size, sizeText } from "../core/pixels.js";
import type { WindowPlan } from "../core/plans.js";
import {
  EDIT_STAGES,
  EXPAND_STAGES,
  FILTER_STAGES,
  KEEP_STAGES,
  MORPHOLOGY_STAGES,
  OUTLINE_STAGES,
  REGION_STAGES,
  SIMPLIFIED_STAGES,
  SPLIT_STAGES,
} from "../core/progress.js";
import type { BackendComponents, Made } from "../device/backend.js";
import type { Router } from "../device/router.js";
import { type Divided, divide, giveAway } from "../operations/division.js";
import { checkWhere, chosenLabels, chosenWhere } from "../operations/keep.js";
import { measureObjects, type ObjectSums, regionStages, sumObjects } from "../operations/measure.js";
import { atLeastZero, flag, oneOf, show, unexpected } from "../options/arguments.js";
import { checkFilter, NO_FILTER } from "../options/filter.js";
import { checkAs, checkLabelsInto } from "../options/labels.js";
import { planExpand, planMorphology } from "../options/morphology.js";
import { checkOptions } from "../options/names.js";
import { planOutlines } from "../options/outlines.js";
import { checkSameSize } from "../options/pixels.js";
import { planRegions } from "../options/regions.js";
import { planAbsorb, planSplit } from "../options/split.js";
import { checkWindow } from "../options/window.js";
import { type CocoRle, type CocoString, cocoRle, cocoString } from "../results/coco.js";
import { contactsOf } from "../results/contacts.js";
import type { CallOptions } from "../types/calls.js";
import type { Edit, EditOptions } from "../types/edits.js";
import { disposedError, foreignError, InvalidArgument, OutOfMemory, Unsupported } from "../types/errors.js";
import type { FilterOptions, KeepOptions, KeepWhereOptions } from "../types/filter.js";
import type { Contacts, Labels, ResultWindow, Runs } from "../types/labels.js";
import type { ExpandOptions, MorphologyOptions } from "../types/morphology.js";
import type { OutlineOptions, Outlines } from "../types/outlines.js";
import type { GpuBuffer } from "../types/platform.js";
import type { Connectivity, Mask, PixelArray, Sink } from "../types/raster.js";
import type { ObjectProperty } from "../types/region-properties.js";
import type { DefaultProperty, Measured, RegionProperty, Regions, RegionsOptions } from "../types/regions.js";
import type { AbsorbOptions, SplitOptions } from "../types/split.js";
import { POLARITIES, type Polarity } from "../types/threshold.js";
import type { Host, Owned } from "./host.js";

/** Labels on the GPU; see {@link Labels}. The caller destroys the buffer. */
export interface LabelsBuffer extends Omit<Labels, "data"> {
  /** One u32 label per pixel. */
  readonly buffer: GpuBuffer;
}

/** Bits on the GPU; see {@link Mask}. The caller destroys the buffer. */
export interface MaskBuffer extends Required<Omit<Mask, "bits">> {
  /** The bits, in 32-bit words. */
  readonly buffer: GpuBuffer;
}

interface Facts {
  readonly spacing: readonly [number, number, number];
  readonly threshold: number | undefined;
  readonly polarity: Polarity | "both" | undefined;
  readonly parent?: Uint32Array | undefined;
  readonly idleEdits?: Uint32Array | undefined;
  /** Whether the values of objects are ids, as those of a label image. */
  readonly ids?: boolean | undefined;
  readonly forgotten: FinalizationRegistry<Owned>;
}

/** Something has to be measured, and areas are at hand. */
const atLeastOne = <P>(properties: readonly P[]): readonly (P | "area")[] =>
  properties.length > 0 ? properties : ["area"];

/** The checks of edits, once loaded. */
let checking: typeof import("../options/edits.js") | undefined;

/**
 * The connected components of an image or a volume, from `engine.components()`. They live on the device that found them,
 * until `dispose()`; garbage collection disposes of a handle that is no longer reachable.
 *
 * Calls reject like those of {@link Engine}. After `dispose()` every call rejects with InvalidArgument.
 */
export class Components implements Disposable {
  /** Number of objects; their labels are 1..count. */
  readonly count: number;
  /** Pixels per row. */
  readonly width: number;
  /** Rows per slice. */
  readonly height: number;
  /** Slices; 1 for an image. */
  readonly depth: number;
  /** The size of a pixel along x, y and z, as the raster had it. */
  readonly spacing: readonly [number, number, number];
  /** Number of pixels in objects. */
  readonly foreground: number;
  /** Number of maximal horizontal runs. */
  readonly runCount: number;
  /** Neighbours of a pixel: 4 or 8, in volumes 6, 18 or 26. */
  readonly connectivity: Connectivity;
  /**
   * The side of the threshold on which the objects lie; `"both"` with `{ outside }`. Undefined where a threshold has no side,
   * and for components of masks and values.
   */
  readonly polarity: Polarity | "both" | undefined;
  /** The device that holds the components. */
  readonly device: "cpu" | "gpu";
  /** The value of an automatic threshold; undefined for others. */
  readonly threshold: number | undefined;

  /**
   * After `split()`, the label of the object that each part came from; after `edit()` the same, 0 for a drawn object. After
   * `absorb()`, for each earlier area its label in this result. Undefined after calls that number objects anew.
   */
  readonly parent: Uint32Array | undefined;
  /** After `edit()`, the indices of the edits that changed nothing; undefined after other calls. */
  readonly idleEdits: Uint32Array | undefined;
  /** The value that each object has in its label image, label by label; undefined for other components. Files of labels hold them. */
  readonly ids: PixelArray | undefined;

  #host: Host;
  #held: BackendComponents | undefined;
  #facts: Facts;
  #grouped: Promise<Runs> | undefined;

  /** @internal */
  constructor(host: Host, held: BackendComponents, facts: Facts) {
    if (!held) throw new InvalidArgument("Expected Components from an engine's call, got new Components().");
    this.count = held.count;
    this.width = held.width;
    this.height = held.height;
    this.depth = held.depth;
    this.spacing = facts.spacing;
    this.foreground = held.foreground;
    this.runCount = held.runCount;
    this.connectivity = held.connectivity;
    // Morphology unites bright and dark objects, which then have no side.
    const side = facts.polarity === "both" ? undefined : facts.polarity;
    this.polarity = held.polarities === 2 ? "both" : side;
    this.device = held.owner.device;
    this.threshold = facts.threshold;
    this.parent = facts.parent;
    this.idleEdits = facts.idleEdits;
    // A copy: what a caller writes there changes no later result.
    this.ids = facts.ids ? held.values?.slice() : undefined;
    this.#host = host;
    this.#held = held;
    this.#facts = facts;
    facts.forgotten.register(this, { calls: host.calls, held }, this);
  }

  /**
   * Measures the objects. Only requested properties are computed, by default `["area", "bounds", "centroid"]`.
   *
   * One pass over the runs, and one over the pixels with `intensity`. Integer sums are exact. Values of f32 are summed
   * in f64 over the strips of the image, in raster order. The number of threads does not change the result. Its error
   * is within n * 2^-53 of the sum of magnitudes for n pixels. Rejects with InvalidArgument for an unknown property, an
   * intensity property without `intensity`, or a raster of another size. Rejects with Unsupported if sums would exceed
   * 64 bits.
   *
   * @example
   * const { area, centroid } = await blobs.regions({ properties: ["area", "centroid"] });
   * console.log(`object 1: ${area[0]} pixels around ${centroid[0]}, ${centroid[1]}`);
   */
  regions<const P extends RegionProperty = DefaultProperty>(
    options?: RegionsOptions & { readonly properties?: readonly P[] | undefined },
  ): Promise<Measured<P>>;
  regions(options?: RegionsOptions): Promise<Regions>;
  async regions(options: RegionsOptions = {}): Promise<Regions> {
    checkOptions("regions", options);
    const plan = this.#planned(options);
    const held = this.#alive();
    const { router } = this.#host;
    return this.#host.calls.run(options, (call) => measureObjects(router, held, plan, call), regionStages(plan));
  }

  /**
   * Exact sums, with z, from which measurements are derived, and the value and polarity of each object. Callers merge them over
   * parts of an image. @internal
   */
  async sums(options: RegionsOptions): Promise<ObjectSums & { value?: PixelArray; polarity?: Uint8Array }> {
    const plan = this.#planned(options);
    const held = this.#alive();
    const { router } = this.#host;
    return this.#host.calls.run(options, async (call) => {
      const found = await sumObjects(router, held, { ...plan, sums: { ...plan.sums, solid: true } }, call);
      const polarity = held.polarities === 2 ? await router.serve(held, "polarityOf", undefined, call) : undefined;
      return defined({ ...found, value: held.values, polarity });
    });
  }

  /** Checks the options of a measurement. */
  #planned({ intensity, ...options }: RegionsOptions): MeasurePlan {
    const given = intensity === undefined ? [] : [intensity].flat();
    const rasters = given.map((each) => this.#host.pixels(each, "intensity"));
    for (const { shape } of rasters) checkSameSize(shape, this);
    return planRegions(options, rasters, { ...this.#size(), linked: this.#held?.touching ?? false });
  }

  /** Checks the options of a measurement, and returns the function that measures. */
  #measuring(options: RegionsOptions): (held: BackendComponents, call: Call) => Promise<Regions> {
    const plan = this.#planned(options);
    return (held, call) => measureObjects(this.#host.router, held, plan, call);
  }

  /**
   * Returns one u32 label per pixel, in the caller's array (`into`: exactly width * height * depth), in a new array, or
   * in bands through a Sink. A fresh array costs its page faults; reuse one for speed. The workers write directly to an
   * array on a SharedArrayBuffer.
   *
   * `{ as: "buffer" }` leaves the labels on the GPU, in a new GPUBuffer (usages STORAGE, COPY_SRC, COPY_DST; padded to
   * 16 bytes), which the caller destroys, or in the caller's `into` (usages STORAGE and COPY_DST, at least as many bytes). A new buffer of 256 MiB takes
   * some 10 ms, so reuse one. Labels that the CPU holds are sent there. It is Unsupported where no GPU is open.
   *
   * `window` returns only a cut-out, e.g. for display, in O(rows + runs of the window). It is a slice of the volume
   * along any axis, with every `step`-th pixel. The result then has the window's `width` and `height`, and `depth` 1.
   *
   * Rejects with InvalidArgument for an `into` of another length or a window without pixels, with Unsupported for `{ as:
   * "buffer" }` without a GPU, and with the error of a Sink that fails.
   *
   * @example
   * const into = new Uint32Array(blobs.width * blobs.height);
   * const { data } = await blobs.labels({ into }); // data === into
   *
   * @example
   * const view = await blobs.labels({ window: { x: 100, y: 50, width: 320, height: 200, step: 2 } });
   */
  labels(options: CallOptions & { into: Sink }): Promise<void>;
  labels(options: CallOptions & { as: "buffer"; into?: GpuBuffer; window?: ResultWindow }): Promise<LabelsBuffer>;
  labels(options?: CallOptions & { into?: Uint32Array; window?: ResultWindow }): Promise<Labels>;
  labels(options: CallOptions & { into: Uint32Array | Sink }): Promise<Labels | void>;
  async labels(
    options: CallOptions & { into?: Uint32Array | Sink | GpuBuffer; as?: "buffer"; window?: ResultWindow } = {},
  ): Promise<Labels | LabelsBuffer | void> {
    checkOptions("labels", options);
    const { count } = this;
    const window = options.window === undefined ? undefined : checkWindow(options.window, this);
    const { width, height, depth } = window ? { ...window, depth: 1 } : this;
    const pixels = width * height * depth;
    const resident = checkAs(options, pixels * 4);
    if (resident) {
      const held = this.#alive();
      return this.#host.calls.run(options, async (call) => {
        return {
          buffer: await this.#host.router.serve(held, "labelsBuffer", { window, ...resident }, call),
          width,
          height,
          depth,
          count,
        };
      });
    }
    const into = checkLabelsInto(options.into, pixels, window !== undefined);
    const held = this.#alive();
    return this.#host.calls.run(options, async (call) => {
      this.#host.router.refuseFreed(into);
      const begin = performance.now();
      const data = into ?? emptyLabels({ width, height, depth });
      const milliseconds = performance.now() - begin;
      if (!into) call.timings.push({ stage: "allocate labels", milliseconds, bytes: pixels * 4 });
      const { router, calls } = this.#host;
      if (window) await router.serve(held, "window", { window, which: undefined, into: data as Uint32Array }, call);
      else await router.serve(held, "labels", { into: calls.sink(data) }, call);
      return data instanceof Uint32Array ? { data, width, height, depth, count } : undefined;
    });
  }

  /**
   * Returns the run table, in raster order or sorted by label with `groupBy: "label"`. In raster order `rows` gives the
   * runs of a row, and {@link labelAt} looks up a pixel without the engine. Grouped by label, `offsets` gives the runs
   * of one object in O(1). The table takes 16 bytes per run. The number of runs per row is not limited.
   *
   * Rejects with InvalidArgument for another `groupBy`.
   *
   * @example
   * const { begin, end, offsets } = await blobs.runs({ groupBy: "label" });
   * let area = 0;
   * for (let i = offsets[0]; i < offsets[1]; i++) area += end[i] - begin[i]; // of label 1
   */
  async runs(options: CallOptions & { groupBy?: "row" | "label" } = {}): Promise<Runs> {
    checkOptions("runs", options);
    const { groupBy = "row" } = options;
    if (groupBy !== "row" && groupBy !== "label") {
      throw unexpected("groupBy", '"row" or "label"', groupBy);
    }
    const held = this.#alive();
    return this.#host.calls.run(options, async (call) => {
      const { width, height, depth } = this;
      const table = await this.#host.router.serve(held, "runs", { grouped: groupBy === "label" }, call);
      const rows = groupBy === "row" ? firstRuns(table.row, height * depth) : undefined;
      return defined({ count: table.row.length, width, height, depth, ...table, rows });
    });
  }

  /**
   * Returns the objects as bits, of both polarities or of one. `{ as: "buffer" }` leaves them in a GPUBuffer, and
   * `window` returns only a cut-out, both as for labels.
   *
   * Rejects with InvalidArgument for a polarity that these components do not have, and with Unsupported for `{ as:
   * "buffer" }` without a GPU or with a window.
   *
   * @example
   * const { bits } = await blobs.mask();
   * const isObject = (x, y) => (bits[y * Math.ceil(blobs.width / 32) + (x >> 5)] >>> (x & 31)) & 1;
   */
  mask(options: CallOptions & { polarity?: Polarity; as: "buffer"; into?: GpuBuffer }): Promise<MaskBuffer>;
  mask(options?: CallOptions & { polarity?: Polarity; window?: ResultWindow }): Promise<Mask & { depth: number }>;
  async mask(
    options: CallOptions & { polarity?: Polarity; as?: "buffer"; into?: GpuBuffer; window?: ResultWindow } = {},
  ): Promise<(Mask & { depth: number }) | MaskBuffer> {
    checkOptions("mask", options);
    if (options.as === undefined && options.into !== undefined) {
      throw unexpected("into", "left out without as", options.into);
    }
    const which = this.#which(options.polarity);
    if (options.window !== undefined) {
      if (options.as !== undefined)
        throw new Unsupported('Expected no window of a mask with { as: "buffer" }; use labels.');
      return this.#windowedMask(checkWindow(options.window, this), which, options);
    }
    const resident = checkAs(options, Math.ceil(this.width / 32) * this.height * this.depth * 4);
    if (resident) {
      const { width, height, depth, spacing } = this;
      const held = this.#alive();
      return this.#host.calls.run(options, async (call) => {
        return {
          buffer: await this.#host.router.serve(held, "maskBuffer", { which, ...resident }, call),
          width,
          height,
          depth,
          spacing,
        };
      });
    }
    return this.#mask(options, (router, held, into, call) => router.serve(held, "mask", { which, into }, call));
  }

  /**
   * Returns, as bits, the pixels of objects with background beside them along an axis (4 neighbours, 6 in a volume).
   * With `border`, pixels at the border of the image or volume are included. The default is off: where a scan cuts
   * through an object, there is no surface. Pixels of another object are not background.
   *
   * Rejects with InvalidArgument for a wrong option.
   *
   * @example
   * const edge = await head.surface();
   */
  async surface(options: CallOptions & { border?: boolean } = {}): Promise<Mask & { depth: number }> {
    checkOptions("surface", options);
    const { border = false } = options;
    flag("border", border);
    return this.#mask(options, (router, held, into, call) => router.serve(held, "surface", { border, into }, call));
  }

  /** Measures distances to these components for `engine.distance()`, even after they were disposed. @internal */
  distanceOf(host: Host): (plan: DistancePlan, into: DistanceInto, call: Call) => Promise<void> {
    if (host !== this.#host) throw foreignError("components");
    const held = this.#alive();
    return (plan, into, call) => host.router.serve(held, "distance", { plan, into }, call);
  }

  /**
   * Returns which objects touch, by label, and how many pixel edges (voxel faces) they share. Objects of one threshold
   * never touch. Objects found `by` value or tolerance may touch, and so may bright and dark ones.
   *
   * One pass over the run table on the host, some 10 to 30 ns per run, 16 bytes per run.
   *
   * Rejects with InvalidArgument for an unknown option.
   *
   * @example
   * const { count, first, second, faces } = await tissues.contacts();
   */
  async contacts(options: CallOptions = {}): Promise<Contacts> {
    checkOptions("contacts", options);
    return contactsOf(await this.runs(options), this, options);
  }

  /**
   * Returns the outlines of objects as closed polygons on pixel corners, x to the right and y down. They are exact: the signed
   * areas of an object's rings add up to its area, and the rings rasterise to its mask.
   *
   * A ring around an object has a positive shoelace area, a ring around a hole a negative one. A ring begins at the top left
   * corner of its first pixel (a hole's: its first background pixel) in raster order. Rings are sorted by label, rings around
   * the object before its holes, then by their first corner. Where two pixels share only a corner, the ring continues from one to
   * the other with 8 neighbours, and not with 4.
   *
   * `rings: "simple"` cuts rings that touch themselves, so that every polygon is valid. `outer` has the ring around each hole.
   *
   * With `tolerance` corners are left out, but not if rings of one object would then cross or touch anew, a ring would lose its
   * area, or a hole would leave its ring.
   *
   * O(runs + corners), in the CPU workers; 16 bytes per run, and 118 per run of the largest object. `tolerance` usually takes
   * O(n log n) for n corners, and one byte per pixel more; the calling thread searches for crossings.
   *
   * @throws {Unsupported} for a volume.
   * @example
   * const { count, points, rings, hole } = await blobs.outlines();
   * const first = points.subarray(rings[0], rings[1]); // x, y, x, y ...
   */
  async outlines(options: OutlineOptions = {}): Promise<Outlines> {
    checkOptions("outlines", options);
    const plan = planOutlines(options, this);
    const held = this.#alive();
    const stages = plan.tolerance > 0 ? SIMPLIFIED_STAGES : OUTLINE_STAGES;
    return this.#host.calls.run(options, (call) => this.#host.router.serve(held, "outlines", plan, call), stages);
  }

  /**
   * Returns some of the objects as new Components: the largest objects of each value, the objects of a list of labels, or the
   * objects whose properties a function accepts. This handle does not change.
   *
   * Rejects with InvalidArgument for labels outside 1..count or unknown properties, and with the error of a `where` that
   * throws.
   *
   * @example
   * const main = await tissues.keep({ perValue: 1 }); // the largest area of each class
   * const long = await blobs.keep({
   *   properties: ["area", "eccentricity"],
   *   where: ({ area, eccentricity }) => area > 50 && eccentricity > 0.9,
   * });
   */
  keep(options: KeepOptions): Promise<Components>;
  keep<P extends ObjectProperty>(options: KeepWhereOptions<P>): Promise<Components>;
  async keep<P extends ObjectProperty>(options: KeepOptions | KeepWhereOptions<P>): Promise<Components> {
    checkOptions("keep", options);
    const choose = options.where
      ? chosenWhere(options, this.#measuring({ ...options, properties: atLeastOne(checkWhere(options)) }))
      : chosenLabels(options);
    const held = this.#alive();
    return this.#host.calls.run(
      options,
      async (call) => {
        const { router } = this.#host;
        return this.#renumbered(await router.make(held, "keep", await choose(router, held, call), call));
      },
      KEEP_STAGES,
    );
  }

  /**
   * Returns the objects that pass the filters as new Components. This handle does not change. Filters work on runs, not pixels,
   * in the order holes, border, area, largest. With two polarities, the objects of each are filled on their own. If two filled
   * objects claim the same pixels, the object that begins first in raster order gets them; it is the outer one.
   *
   * Rejects with InvalidArgument for a negative area, or a minArea above maxArea.
   *
   * @example
   * const largest = await blobs.filter({ largest: 1, fillHoles: true });
   */
  async filter(options: FilterOptions & CallOptions = {}): Promise<Components> {
    checkOptions("filter", options);
    const { holes, filter } = checkFilter(options);
    const held = this.#alive();
    return this.#host.calls.run(
      options,
      async (call) => {
        const { router } = this.#host;
        let filled: Made | undefined;
        for (const plan of holes) {
          const before: Made | undefined = filled;
          filled = await router
            .make(before?.components ?? held, "fillSlices", plan, call)
            .finally(() => before?.components.dispose());
        }
        if (filled && !filter) return this.#renumbered(filled);
        return this.#renumbered(
          await router
            .make(filled?.components ?? held, "filter", filter ?? NO_FILTER, call)
            .finally(() => filled?.components.dispose()),
        );
      },
      [...holes.flatMap(() => MORPHOLOGY_STAGES), ...FILTER_STAGES],
    );
  }

  /**
   * Returns the pixels that are at most `radius` from an object, as new Components: a dilation by a ball, at a cost that hardly
   * depends on its radius. Objects are connected and numbered anew. This handle does not change.
   *
   * The radius is in pixels, or in units of the spacing with `physical`, and is inclusive. Distances are exact on integer
   * grids (see `engine.distance()`), so a radius of 2 takes the 13 pixels of scikit-image's `disk(2)`. Objects of two
   * polarities, and objects that touch, are united.
   *
   * Images take N / 8 bytes, and some MiB per thread for a radius of more than 6. Volumes keep 2 or 4 bytes per pixel of
   * the slices in reach. The GPU dilates images and volumes that fit; the CPU does the rest.
   *
   * Rejects with InvalidArgument for a wrong radius, or if a side plus 2 radius + 64 pixels exceeds 65 500 pixels.
   *
   * @example
   * const wider = await blobs.dilate(3);
   */
  async dilate(radius: number, options: MorphologyOptions = {}): Promise<Components> {
    return this.#morphology("dilate", radius, options);
  }

  /**
   * Returns the pixels of objects that are farther than `radius` from the background, as new Components. By default all
   * pixels beyond the border are background; with `border: "extend"` the border's pixels are repeated outwards. Otherwise as
   * {@link dilate}.
   *
   * @example
   * const cores = await blobs.erode(3, { border: "extend" });
   */
  async erode(radius: number, options: MorphologyOptions = {}): Promise<Components> {
    return this.#morphology("erode", radius, options);
  }

  /**
   * Erodes, then dilates: removes parts that are too narrow for a ball of the radius. Otherwise as {@link dilate}.
   *
   * @example
   * const smooth = await blobs.open(2);
   */
  async open(radius: number, options: MorphologyOptions = {}): Promise<Components> {
    return this.#morphology("open", radius, options);
  }

  /**
   * Dilates, then erodes: fills gaps that are too narrow for a ball of the radius. Growth beyond the border counts, so
   * a closing always contains its object. Otherwise as {@link dilate}.
   *
   * @example
   * const whole = await head.close(4, { physical: true }); // 4 mm
   */
  async close(radius: number, options: MorphologyOptions = {}): Promise<Components> {
    return this.#morphology("close", radius, options);
  }

  /**
   * Grows the objects into the background, up to and including a distance, as new Components. Every object keeps its label.
   * A pixel takes the label of the nearest object pixel; among equally near ones, of the first in raster order. scikit-image's
   * `expand_labels` breaks such ties in another way. The objects may then touch.
   *
   * The distance is Euclidean, above 0, in pixels, or in units of the spacing with `physical`. Infinity fills the image.
   * Memory is 8 bytes per pixel and a distance map with nearest pixels. The GPU grows objects on grids of whole steps, the CPU others.
   *
   * Rejects with InvalidArgument for a distance that is not above 0, and with OutOfMemory beyond 4 GiB.
   *
   * @example
   * const cells = await nuclei.expand(12); // each cell: the pixels near its nucleus
   */
  async expand(distance: number, options: ExpandOptions = {}): Promise<Components> {
    checkOptions("expand", options);
    const plan = planExpand(distance, options, this.spacing);
    const held = this.#alive();
    return this.#host.calls.run(
      options,
      async (call) =>
        new Components(this.#host, (await this.#host.router.make(held, "expand", plan, call)).components, this.#facts),
      EXPAND_STAGES,
    );
  }

  /**
   * Splits objects by a watershed, and returns the parts as new Components. `parent` has the object of each part.
   * Parts are numbered in raster order; together they have the pixels of the objects, without lines between them.
   *
   * By default the heights are the exact distances to the background, so parts are round. Every pixel is assigned to the peak at
   * the end of its steepest ascent; among equally high neighbours the first in raster order is taken. A peak is kept if it is at
   * least `h` above the saddle to a higher peak (its dynamics). A lower peak joins the basin beyond its highest saddle. With
   * `markers` there is one part per marker. The result is the same for every number of threads.
   *
   * Linear in the pixels, and n log n in the pairs of basins that touch. Memory is 8 bytes per pixel. The GPU splits by
   * distance; the CPU does the rest. Rejects with Unsupported for components that may touch (by value, with given labels, of
   * two polarities), with InvalidArgument for wrong options, and with OutOfMemory for 2^31 pixels or more.
   *
   * @example
   * const cells = await blobs.split({ h: 1 });
   * console.log(cells.count, cells.parent);
   */
  async split(options: SplitOptions = {}): Promise<Components> {
    checkOptions("split", options);
    const plan = planSplit(options, this, this.spacing, (input, name) => this.#host.pixels(input, name));
    const least = atLeastZero("minArea", options.minArea ?? 0);
    const held = this.#alive();
    return this.#host.calls.run(
      options,
      async (call) => this.#divided(await divide(this.#host.router, held, plan, least, call)),
      SPLIT_STAGES,
    );
  }

  /**
   * Merges small areas into their neighbours, and returns the remaining areas as new Components, numbered in raster order.
   * `parent` has for each earlier area its label in the result. `regions().value` has the values of the remaining areas.
   *
   * The smallest area is merged first; among equal ones the lower label. It joins the neighbour with which it shares the most
   * faces; among equal ones the larger, then the lower label. Areas and borders are updated after each merge. Background is no
   * neighbour, and an area without a neighbour stays. This works on components `by` value, and on others that may touch.
   *
   * O(n log n) on the host for n contacts, and one pass over the pixels. Memory is 4 bytes per pixel.
   *
   * Rejects with InvalidArgument for a wrong area.
   *
   * @example
   * const areas = await engine.components(classMap, { by: "value", background: null });
   * const clean = await areas.absorb({ minArea: 50 });
   */
  async absorb(options: AbsorbOptions): Promise<Components> {
    checkOptions("absorb", options);
    const plan = planAbsorb(options);
    const held = this.#alive();
    return this.#host.calls.run(
      options,
      async (call) => this.#divided(await giveAway(this.#host.router, held, plan, call)),
      REGION_STAGES,
    );
  }

  /**
   * Corrects objects by hand: draws, erases, cuts, joins, drops and fills holes, in the order of the list, and returns new Components.
   * {@link Edit} defines each. Edits at places without an object change nothing; `idleEdits` has their indices. `parent` has the
   * object that each came from, 0 for one that was drawn. This handle does not change.
   *
   * Objects are numbered by their first pixels in raster order. Those of a label image keep their ids (`regions().value`), and new
   * ones take ids above the greatest: the integer type widens if it has to. Corrected objects are neither bright nor dark.
   *
   * O(runs) on the host, and for each edit the runs in the boxes of the objects that it reaches. 40 bytes per run, and N / 4 bytes, of
   * which 16 bytes per run are kept for the next call. A list that begins with the last one takes only the time of what it adds.
   *
   * Rejects with InvalidArgument for a wrong edit or a place outside the image, before any work, and with Unsupported where ids have
   * no room above the greatest.
   *
   * @example
   * const corrected = await blobs.edit([
   *   { cut: [[12, 4], [12, 30]] },
   *   { draw: [[40, 8], [44, 8]], radius: 2 },
   *   { drop: [3, 3] },
   * ]);
   * console.log(corrected.count, corrected.idleEdits?.length);
   */
  async edit(edits: readonly Edit[], options: EditOptions = {}): Promise<Components> {
    checkOptions("edit", options);
    // A list that the caller changes after the call changes no edit.
    const own = Array.isArray(edits) ? structuredClone(edits) : edits;
    // Kept, because a module that is asked for again comes a task later, behind what a browser draws.
    checking ??= await import("../options/edits.js");
    const { checkEdits } = checking;
    const checked = checkEdits(own, this);
    const ids = this.ids !== undefined;
    const held = this.#alive();
    return this.#host.calls.run(
      options,
      async (call) => {
        const { components, origins, idle } = await this.#host.router.make(held, "edit", { edits: checked, ids }, call);
        const facts = { ...this.#facts, polarity: undefined, parent: origins, idleEdits: idle };
        return new Components(this.#host, components, facts);
      },
      EDIT_STAGES,
    );
  }

  /** Components with labels of their own, for which no `parent` is known. */
  #renumbered({ components }: Made): Components {
    return new Components(this.#host, components, { ...this.#facts, parent: undefined, idleEdits: undefined });
  }

  #divided({ components, parent }: Divided): Components {
    return new Components(this.#host, components, { ...this.#facts, parent, idleEdits: undefined });
  }

  #morphology(operation: MorphologyOperation, radius: number, options: MorphologyOptions): Promise<Components> {
    checkOptions(operation === "open" ? "components.open" : operation, options);
    const plan = planMorphology(operation, radius, options, this, this.spacing);
    const held = this.#alive();
    return this.#host.calls.run(
      options,
      async (call) => this.#renumbered(await this.#host.router.make(held, "morphology", plan, call)),
      MORPHOLOGY_STAGES,
    );
  }

  /**
   * Returns one object in COCO's column-major run lengths, background first. `counts` are numbers, or pycocotools'
   * compressed string with `{ compressed: true }`. The runs grouped by label are kept for the next call.
   *
   * Rejects with InvalidArgument for a label outside 1..count, and with Unsupported for a volume.
   *
   * @example
   * const { size, counts } = await blobs.cocoRle(1); // size is [height, width]
   */
  cocoRle(label: number, options: { compressed: true }): Promise<CocoString>;
  cocoRle(label: number, options?: { compressed?: false }): Promise<CocoRle>;
  async cocoRle(label: number, options: { compressed?: boolean } = {}): Promise<CocoRle | CocoString> {
    checkOptions("cocoRle", options);
    if (!Number.isInteger(label) || label < 1 || label > this.count) {
      throw unexpected("label", `a whole number from 1 to ${this.count}`, label);
    }
    if (this.depth > 1) throw new Unsupported("Expected an image for COCO's run lengths, got a volume; use runs().");
    this.#grouped ??= this.runs({ groupBy: "label" }).catch((error) => {
      this.#grouped = undefined;
      throw error;
    });
    const rle = await cocoRle(await this.#grouped, label, this.width, this.height);
    return options.compressed ? cocoString(rle) : rle;
  }

  /**
   * The label of a pixel, 0 for background; in a volume `z` is its slice. One small read.
   *
   * Rejects with InvalidArgument for a place outside the image.
   *
   * @example
   * const label = await blobs.at(12, 30);
   */
  async at(x: number, y: number, options?: CallOptions): Promise<number>;
  async at(x: number, y: number, z: number, options?: CallOptions): Promise<number>;
  async at(x: number, y: number, third: number | CallOptions = {}, fourth: CallOptions = {}): Promise<number> {
    const [z, options] = typeof third === "number" ? [third, fourth] : [0, third];
    checkOptions("at", options);
    const place = [x, y, z];
    const ends = [this.width, this.height, this.depth];
    if (!place.every((n, axis) => Number.isInteger(n) && n >= 0 && n < ends[axis])) {
      const isVolume = this.depth > 1 || z !== 0;
      const [given, names] = isVolume ? [place, "x, y and z"] : [place.slice(0, 2), "x and y"];
      throw new InvalidArgument(
        `Expected whole ${names} inside ${sizeText(this)}, got ${given.map(show).join(", ")}.`,
        { argument: "place" },
      );
    }
    const held = this.#alive();
    return this.#host.calls.run(options, (call) =>
      this.#host.router.serve(held, "at", { x, row: z * this.height + y }, call),
    );
  }

  /** A window's pixels of objects, packed. */
  #windowedMask(window: WindowPlan, which: 0 | 1 | 2, options: CallOptions): Promise<Mask & { depth: number }> {
    const { width, height, step, axis } = window;
    const held = this.#alive();
    return this.#host.calls.run(options, async (call) => {
      const inside = new Uint32Array(width * height);
      await this.#host.router.serve(held, "window", { window, which, into: inside }, call);
      const words = Math.ceil(width / 32);
      const bits = new Uint32Array(words * height);
      for (let y = 0, at = 0; y < height; y++) {
        for (let x = 0; x < width; x++, at++) {
          if (inside[at]) bits[y * words + (x >> 5)] = bits[y * words + (x >> 5)] | (1 << (x & 31));
        }
      }
      const [sx, sy, sz] = this.spacing;
      const across = axis === "x" ? sy : sx;
      const down = axis === "z" ? sy : sz;
      return { bits, width, height, depth: 1, spacing: [across * step, down * step, 1] as const };
    });
  }

  /** The plane of a polarity: 0 for all objects, 1 for the first plane, 2 for the second. */
  #which(polarity: Polarity | undefined): 0 | 1 | 2 {
    if (polarity === undefined) return 0;
    if (this.polarity === undefined) {
      throw new InvalidArgument(
        `Expected no polarity of objects that are neither bright nor dark, got ${show(polarity)}.`,
        {
          argument: "polarity",
        },
      );
    }
    oneOf("polarity", polarity, this.polarity === "both" ? POLARITIES : [this.polarity]);
    return this.polarity === "both" && polarity === "dark" ? 2 : 1;
  }

  #size(): Size & { spacing: readonly [number, number, number] } {
    const { width, height, depth, spacing } = this;
    return { width, height, depth, spacing };
  }

  /** A Mask whose bits a backend writes. */
  #mask(
    options: CallOptions,
    write: (router: Router, held: BackendComponents, into: Uint32Array, call: Call) => Promise<void>,
  ): Promise<Mask & { depth: number }> {
    const { width, height, depth, spacing } = this;
    const held = this.#alive();
    return this.#host.calls.run(options, async (call) => {
      const bits = new Uint32Array(Math.ceil(width / 32) * rowCount(this));
      await write(this.#host.router, held, bits, call);
      return { bits, width, height, depth, spacing };
    });
  }

  /** Frees the device memory; the handle rejects from here on. Calling it again does nothing. */
  dispose(): void {
    this.#facts.forgotten.unregister(this);
    if (this.#held) this.#host.calls.free(this.#held);
    this.#held = undefined;
    this.#grouped = undefined;
  }

  /** Same as `dispose()`. */
  [Symbol.dispose](): void {
    this.dispose();
  }

  #alive(): BackendComponents {
    if (!this.#held) throw disposedError("components");
    return this.#held;
  }
}

/** The index of each row's first run in a table in raster order, and the number of runs at the end. */
function firstRuns(row: Uint32Array, rows: number): Uint32Array {
  const first = new Uint32Array(rows + 1);
  for (let i = 0; i < row.length; i++) first[row[i] + 1] = i + 1;
  // Rows without runs begin where the row before ended.
  for (let y = 1; y <= rows; y++) first[y] = Math.max(first[y], first[y - 1]);
  return first;
}

function emptyLabels(size: Size): Uint32Array {
  const pixels = size.width * rowCount(size);
  try {
    return new Uint32Array(pixels);
  } catch (cause) {
    throw new OutOfMemory(
      `Expected ${pixels * 4} bytes for labels of ${sizeText(size)}, which could not be allocated; use a Sink.`,
      { cause, bytes: pixels * 4 },
    );
  }
}
