// Engine: checks arguments, hands requests to the router one call at a time, and wraps results in handles.

import { isAutomatic } from "../core/automatic-threshold.js";
import type { Call } from "../core/call.js";
import type { KmeansPlan } from "../core/clusters.js";
import { defined } from "../core/defined.js";
import { type DistanceInto, type DistancePlan, isResident } from "../core/distance-plan.js";
import {
  type BackendImage,
  type Bits,
  newPixels,
  type Pixels,
  type Shape,
  type Size,
  sizeText,
} from "../core/pixels.js";
import type { FillPlan, Linkage, Predicate } from "../core/plans.js";
import {
  COLOUR_STAGES,
  componentsStages,
  DISTANCE_STAGES,
  LABELLED_STAGES,
  PAINT_STAGES,
  SPLIT_STAGES,
} from "../core/progress.js";
import { highestOf } from "../core/sums.js";
import type { BackendComponents } from "../device/backend.js";
import type { Router } from "../device/router.js";
import { assessEach, classify } from "../operations/classes.js";
import { type Told, tellObjects } from "../operations/polarity.js";
import {
  lumaStep,
  planChannel,
  planDerived,
  planFlattened,
  planPreparation,
  prepare,
  withPrepared,
} from "../operations/preparation.js";
import { reach } from "../operations/reach.js";
import { isGrey, reducedCopy, reducedMask } from "../operations/reduced.js";
import { planRefinement, refine } from "../operations/refinement.js";
import { tileColours } from "../operations/tiles.js";
import { checkMemoryLimit, oneOf, show, unexpected, wholeNumber } from "../options/arguments.js";
import { checkConnectivity, checkLinkage } from "../options/components.js";
import { checkInto, planDistance } from "../options/distance.js";
import { planFill } from "../options/fill.js";
import { planGradient } from "../options/gradient.js";
import { checkBins } from "../options/histogram.js";
import { checkClassesInto, planKmeans, planPickK, planTiles } from "../options/kmeans.js";
import { checkAs } from "../options/labels.js";
import { checkOptions } from "../options/names.js";
import { likeRaster, paintArguments, planPaint, planRecolour } from "../options/paint.js";
import {
  checkGpuRaster,
  checkMask,
  checkPixelsInto,
  checkPoints,
  checkRaster,
  checkSource,
  checkSpacing,
  checkWithin,
  isGpuRaster,
  isMask,
  isPoints,
  isSource,
  TYPES,
} from "../options/pixels.js";
import { planSmooth } from "../options/smooth.js";
import { heightsOf, planMarkers } from "../options/split.js";
import { planStains } from "../options/stains.js";
import { COUNTED_PIXELS, checkKeep, SEARCHED_PIXELS } from "../options/suggest.js";
import { checkThreshold } from "../options/threshold.js";
import { planWand } from "../options/wand.js";
import { histogramOf, needsAnew } from "../results/histogram.js";
import type { CallOptions, Timing } from "../types/calls.js";
import type { ComponentsOptions, LabelledOptions, StackOptions } from "../types/components.js";
import type { DistanceOptions } from "../types/distance.js";
import type { Description } from "../types/engine.js";
import { DeviceLost, disposedError, foreignError, InvalidArgument, Unsupported } from "../types/errors.js";
import type { FillOptions, PaintOptions, WandOptions } from "../types/fill.js";
import type { FramesOptions } from "../types/frames.js";
import type { Histogram, HistogramOptions } from "../types/histogram.js";
import type {
  Classes,
  ClassesBuffer,
  KmeansOptions,
  PickedK,
  PickKOptions,
  RecolourOptions,
  Segmentation,
} from "../types/kmeans.js";
import type { FlattenOptions, GradientOptions, SmoothOptions, UnmixOptions } from "../types/light.js";
import type { MorphologyOptions } from "../types/morphology.js";
import type { GpuBuffer } from "../types/platform.js";
import type { PreparedCall, PrepareOptions } from "../types/prepare.js";
import type {
  ChannelName,
  GpuRaster,
  Image,
  Mask,
  PixelArray,
  PixelArrays,
  PixelType,
  Points,
  Raster,
  Sink,
  Source,
  Spacing,
} from "../types/raster.js";
import type { ObjectProperty } from "../types/region-properties.js";
import type { DefaultProperty, RegionProperty } from "../types/regions.js";
import type { WatershedOptions } from "../types/split.js";
import type { Lines, StreamOptions } from "../types/stream.js";
import type { Suggestions, SuggestOptions } from "../types/suggest.js";
import { POLARITIES, type Polarity, type Threshold } from "../types/threshold.js";
import { Calls } from "./calls.js";
import { Components } from "./components.js";
import { DistanceMap } from "./distance-map.js";
import { eachSlice, isAtOnce, type Stack } from "./each.js";
import type { Frames } from "./frames.js";
import type { Host, Owned } from "./host.js";
import type { Coat } from "./paint.js";
import { planPrepare, prepareCalls } from "./prepare.js";
import { changeMask, combineSelections, type Selection } from "./selections.js";
import { LineStream } from "./stream.js";
import type { StreamEngine } from "./strips.js";
import { type CountLevels, type UpTo, Wand } from "./wand.js";

/** Frees the memory of a handle that was garbage-collected without `dispose()`. */
const finalizers = new FinalizationRegistry<Owned>(({ calls, held }) => calls.free(held));

/** Closes an engine that was garbage-collected without `close()`; handles and running calls keep their engine alive. */
const engineFinalizers = new FinalizationRegistry<Router>((router) => {
  router.close().catch(() => undefined);
});

/** A distance map on the GPU; see {@link DistanceMap}. The caller destroys the buffer. */
export type DistanceBuffer = Pick<
  DistanceMap,
  "width" | "height" | "depth" | "spacing" | "unit" | "metric" | "squared"
> & { readonly buffer: GpuBuffer };

/** The foreground that distances are measured to: pixels by a threshold, a mask, components, or points. */
export type DistanceTarget = Raster | Image | Source | Mask | Components | Points;

/**
 * An open device, until `close()`; garbage collection closes an engine that is no longer reachable. Calls run in the
 * order in which they are made. Input arrays and `into` must not change until the promise settles.
 *
 * Besides the errors that each call documents, every call rejects:
 *
 * - with InvalidArgument for a wrong argument, before any work; `argument` names it.
 * - with OutOfMemory if memory does not suffice; on a GPU after one more try in smaller strips. See its `bytes` and `limit`.
 * - with DeviceLost when the GPU was lost, a worker ended or the engine was closed. With device `"auto"` a lost GPU is opened
 *   again, or the CPU does the work; handles on the lost GPU reject.
 * - with the signal's reason when `signal` aborts, between two bands.
 *
 * A call that rejects frees the memory that it took. An `into` array may be partly written.
 */
export class Engine implements AsyncDisposable {
  #router: Router;
  readonly #calls: Calls;
  #host: Host;

  /** @internal */
  constructor(router: Router, calls = new Calls()) {
    if (!router) throw new InvalidArgument("Expected an engine from open(), got new Engine().");
    this.#router = router;
    this.#calls = calls;
    engineFinalizers.register(this, router, this);
    this.#host = { calls: this.#calls, router, pixels: (input, name) => this.#pixels(input, name) };
  }

  /** Stages of the last call that succeeded, with their wall-clock time and the bytes they moved. */
  get timings(): readonly Timing[] {
    return this.#calls.timings;
  }

  /**
   * Describes the engine: threads and memory, the adapter with its features and limits. It never fails, not even after
   * `close()`.
   *
   * @example
   * const { threads, gpu } = engine.describe();
   * console.log(threads, gpu?.description);
   */
  describe(): Description {
    return { device: this.#router.device, ...this.#router.describe() };
  }

  /**
   * Loads a raster into device memory, for many calls on the same pixels. It takes as much memory as the raster. Pixels
   * that are already on the engine's GPUDevice, in a buffer or a texture, do not cross the bus.
   *
   * Rejects with InvalidArgument for a raster of a wrong size or a buffer without STORAGE, with Unsupported for a GpuRaster if
   * the engine has no GPU, and with OutOfMemory if the raster does not fit.
   *
   * @example
   * const image = await engine.load({ data: new Uint8Array(64), width: 8, height: 8 });
   * const blobs = await engine.components(image);
   * image.dispose();
   */
  async load(raster: Raster | GpuRaster, options: CallOptions = {}): Promise<Image> {
    checkOptions("load", options);
    if (isGpuRaster(record(raster, "a raster"))) {
      const { image, shape } = await this.#calls.run(options, () =>
        this.#router.adopt(checkGpuRaster(raster as GpuRaster)),
      );
      return new LoadedImage(this.#calls, this.#router, image, shape, spacingOf(raster as { spacing?: Spacing }));
    }
    const pixels = checkRaster(raster as Raster);
    const image = await this.#calls.run(options, (call) => this.#router.load(pixels, call));
    return new LoadedImage(this.#calls, this.#router, image, pixels.shape, spacingOf(raster as Raster));
  }

  /**
   * Prepares calls before the first image: starts the workers, and compiles the kernels of each device, which takes 0.1 to
   * several seconds on a GPU. Each call runs on a small raster of the given type. The CPU's kernels are compiled when the engine
   * opens or, with a GPU, on first use of the CPU.
   *
   * While it runs, it holds a raster of 131 072 pixels per device, in volumes of 524 288. Rejects with InvalidArgument for an
   * unknown name of a call, and with Unsupported for a call that does not take such rasters.
   *
   * @example
   * await engine.prepare(["components", "distance"], { channels: 3 });
   */
  async prepare(calls: readonly PreparedCall[], options: PrepareOptions = {}): Promise<void> {
    const raster = planPrepare(calls, options);
    const pixels = checkRaster(raster);
    const loaded = await this.#calls.run(options, (call) =>
      this.#router.loadEverywhere(pixels, { ...call, onProgress: undefined }),
    );
    const spacing = spacingOf(raster);
    const images = loaded.map((image) => new LoadedImage(this.#calls, this.#router, image, pixels.shape, spacing));
    try {
      await prepareCalls(this, images, calls, options);
    } finally {
      for (const image of images) image.dispose();
    }
  }

  /**
   * Extracts one channel of a raster as a resident Image of the raster's type. A threshold of the channel costs a quarter of a
   * threshold of colour, because every call reduces colour to luma again. The caller disposes the Image.
   *
   * One pass over the pixels, on the device that holds them. Rejects with InvalidArgument for a channel that the raster does
   * not have.
   *
   * @example
   * const photo = { data: new Uint8Array([10, 20, 30, 0, 0, 90]), width: 2, height: 1, channels: 3 };
   * const blue = await engine.channel(photo, "blue");
   * const bright = await engine.components(blue, { threshold: { above: 40 } });
   */
  async channel(input: Raster | Image, channel: ChannelName, options: CallOptions = {}): Promise<Image> {
    const pixels = this.#pixels(input, "the raster");
    checkOptions("channel", options);
    const step = planChannel(channel, pixels.shape);
    const spacing = spacingOf(input);
    const derived = await this.#calls.run(options, (call) => step(this.#router, pixels, call));
    return new LoadedImage(this.#calls, this.#router, derived.image, derived.shape, spacing);
  }

  /**
   * Unmixes the stains of a slide by colour deconvolution (Ruifrok and Johnston 2001), and returns the amount of each as a
   * resident f32 Image of one channel, 0 or more. With `"hed"` these are hematoxylin, eosin and DAB, equal to scikit-image's
   * `rgb2hed` up to the rounding of f32. The caller disposes the Images.
   *
   * One pass over the pixels per stain, with the same bits on every device; 4 bytes per pixel and stain. Rejects with
   * InvalidArgument for a raster without three channels or stains that depend on each other, and with Unsupported for a
   * raster that is not u8 or u16.
   *
   * @example
   * const slide = { data: new Uint8Array([90, 60, 160, 240, 230, 240]), width: 2, height: 1, channels: 3 };
   * const [hematoxylin, eosin, dab] = await engine.unmix(slide);
   * const nuclei = await engine.components(hematoxylin, { threshold: "otsu" });
   */
  async unmix(input: Raster | Image | Source, options: UnmixOptions = {}): Promise<Image[]> {
    const pixels = this.#pixels(input, "the raster");
    checkOptions("unmix", options);
    const plans = planStains(options.stains, pixels.shape);
    const spacing = spacingOf(input);
    const shape: Shape = { ...pixels.shape, type: "f32", channels: 1 };
    return this.#calls.run(options, async (call) => {
      const planes: BackendImage[] = [];
      try {
        for (const plan of plans) planes.push(await this.#router.stain({ pixels, plan }, call));
      } catch (error) {
        for (const plane of planes) plane.dispose();
        throw error;
      }
      return planes.map((plane) => new LoadedImage(this.#calls, this.#router, plane, shape, spacing));
    });
  }

  /**
   * Smooths by a Gaussian and returns a resident Image of the raster's type and channels. The Gaussian is cut at 4 sigma. Pixels
   * are mirrored at the border, the border's own included, as by SciPy's `gaussian_filter` with `mode="reflect"`. The caller
   * disposes the Image.
   *
   * Integers are computed in fixed point: u8 results seldom differ from the exact mean by more than 0.6, and never by more than
   * 0.5 + (r + 1) / 60 for each axis of a radius r of 32 pixels or less, r = floor(4 sigma + 0.5). u16, i16 and u8 of larger radii are within
   * 2 up to a sigma of 200. One value everywhere stays in integers. f32 results are within 4e-6 of the largest magnitude up to a sigma of 60; NaN
   * spreads over the window, as in SciPy, and values beyond 1e38 may overflow. The result does not depend on the number of threads. An axis of one pixel does not change. n values take about
   * n (4 sigma + 1) multiplications per axis. Memory beside the result is 2 bytes per value in volumes, and for f32 4 bytes, or 8 in
   * volumes. A GPU smooths u8, u16 and i16 itself, where 2 bytes per value fit one binding; the CPU smooths f32
   * for every device, because sums of floats differ between devices.
   *
   * Rejects with InvalidArgument for a wrong sigma, and with Unsupported for u32, i32 and `nodata`.
   *
   * @example
   * const image = { data: new Uint8Array([0, 0, 200, 0, 0]), width: 5, height: 1 };
   * const soft = await engine.smooth(image, { sigma: 1 });
   * const blobs = await engine.components(soft, { threshold: { above: 40 } });
   */
  async smooth(input: Raster | Image | Source, options: SmoothOptions): Promise<Image> {
    const pixels = this.#pixels(input, "the raster");
    checkOptions("smooth", record(options, "options with a sigma"));
    const spacing = spacingOf(input);
    const axes = planSmooth(options, pixels.shape, spacing);
    const image = await this.#calls.run(options, (call) => this.#router.smooth({ pixels, axes }, call));
    return new LoadedImage(this.#calls, this.#router, image, pixels.shape, spacing);
  }

  /**
   * The magnitude of the gradient in values per pixel, as a resident Image of f32 of one channel; the caller disposes it. Colour is
   * reduced to luma. `"sobel"` weighs the neighbours as Sobel's operators do (Sobel and Feldman 1968): SciPy's `sobel` along each axis,
   * over 8, of volumes over 32, so that a slope of one value per pixel is 1. A number is the standard deviation of a Gaussian, of
   * whose means the differences between both neighbours are halved; edges of that width stand out from noise. Pixels are mirrored at the
   * border, the border's own included. Steps between slices count as those between pixels.
   *
   * Of u8, u16 and i16 the sum of the squared differences is exact, and its root is rounded to a whole number before the division: to
   * multiples of 1/8 by Sobel, of 1/32 in volumes, after a Gaussian of 1/512 for u8 and 1/2 else. Every device gives the same. f32
   * is within 1e-6 of the largest magnitude beside the Gaussian's own bound. n values take some 10 n additions (27 n in volumes), beside a
   * Gaussian that of `smooth()`. A GPU derives u8, u16 and i16, where 4 bytes per value fit one binding; the CPU other types.
   *
   * Rejects with InvalidArgument for another `by`, and with Unsupported for u32, i32 and `nodata`.
   *
   * @example
   * const ramp = { data: new Uint8Array([0, 2, 4, 6, 8, 10]), width: 6, height: 1 };
   * const slope = await engine.gradient(ramp, { by: "sobel" });
   * console.log((await slope.toRaster()).data); // 1, 2, 2, 2, 2, 1
   */
  async gradient(input: Raster | Image | Source, options: GradientOptions): Promise<Image> {
    const pixels = this.#pixels(input, "the raster");
    checkOptions("gradient", record(options, "options with by"));
    const spacing = spacingOf(input);
    const single: Shape = { ...pixels.shape, channels: 1 };
    const derived = planDerived(planGradient(options.by, options.physical, single, spacing, "by"));
    const steps = [...lumaStep(pixels.shape), derived];
    const { image, shape } = await this.#calls.run(options, (call) => prepare(this.#router, pixels, steps, call));
    return new LoadedImage(this.#calls, this.#router, image, shape, spacing);
  }

  /**
   * Evens out illumination: subtracts the mean of the (2 radius + 1)^2 pixels around each pixel (in volumes ^3), or divides by
   * it. Colour is reduced to luma. Returns a resident Image of the raster's type, of one channel; the caller disposes it. The
   * window should be larger than the objects.
   *
   * Integer sums are exact, at a cost that does not depend on the radius. Means of f32 are weighted sums, whose cost grows with
   * the radius; they are within 2e-5 of the largest magnitude up to a radius of 1000, and within 2e-3 beyond, so that one value everywhere becomes small numbers rather than 0. NaN spreads
   * over the window. Subtraction uses the mean rounded halves up, division the exact mean. A pixel equal to its mean becomes 128 (u8)
   * or 32 768 (u16), so thresholds count from there. Pixels are mirrored at the border, the border's own included. The GPU
   * subtracts means of u8 images up to a radius of 128; the CPU does other work.
   *
   * Rejects with InvalidArgument for a wrong radius, and with Unsupported for u32, i32, `nodata`, or `"divide"` of i16.
   *
   * @example
   * const page = { data: new Uint8Array([90, 40, 90, 180, 120, 180]), width: 6, height: 1 };
   * const even = await engine.flatten(page, { radius: 2 });
   * const ink = await engine.components(even, { threshold: { below: 110 } });
   */
  async flatten(input: Raster | Image | Source, options: FlattenOptions): Promise<Image> {
    const pixels = this.#pixels(input, "the raster");
    checkOptions("flatten", record(options, "options with a radius"));
    const steps = [...lumaStep(pixels.shape), planFlattened(options, { ...pixels.shape, channels: 1 })];
    const spacing = spacingOf(input);
    const prepared = await this.#calls.run(options, (call) => prepare(this.#router, pixels, steps, call));
    return new LoadedImage(this.#calls, this.#router, prepared.image, prepared.shape, spacing);
  }

  /**
   * Counts pixels per value, with the same default bins as `threshold: "otsu"`. Integers that span at most 65 536
   * levels get one bin per level; for u8 these are all 256. Other values get 256 bins from the smallest to the largest
   * value.
   *
   * One pass over the pixels of u8, u16 and i16, two over those of other types. If values have no exact levels, another number
   * of `bins` than 256 takes two more passes. Rejects with InvalidArgument for a raster without any finite value.
   *
   * @example
   * const { counts, otsu } = await engine.histogram({ data: new Uint8Array([0, 9, 9, 200]), width: 4, height: 1 });
   * console.log(counts[9], otsu); // 2 9
   */
  async histogram(input: Raster | Image | Source, options: HistogramOptions = {}): Promise<Histogram> {
    const pixels = this.#pixels(input, "the raster");
    checkOptions("histogram", options);
    const bins = checkBins(options);
    const within = options.within === undefined ? undefined : checkWithin(options.within, pixels.shape);
    return this.#calls.run(options, async (call) => {
      const counted = await this.#router.histogram({ pixels, within }, call);
      const anew = needsAnew(counted, bins) ? await this.#router.histogram({ pixels, bins, within }, call) : counted;
      return histogramOf(counted, bins, anew);
    });
  }

  /**
   * Finds the connected components of an image or a volume. `threshold` separates pixels from background, and
   * `connectivity` joins them. Objects are labelled 1..count in raster order of their first pixels, and filtered. With
   * `by`, neighbours join by their values instead: a class map or a label image splits into its areas, in one pass over
   * all classes.
   *
   * Time is one pass over the pixels plus a near-linear union over the runs R (Tarjan 1975). The result holds its
   * memory until `dispose()`: N / 8 bytes of bits per polarity and 4 bytes per run, or on the GPU 1.2 to 1.7 bytes per
   * pixel. No label per pixel is stored. With `by`, a GPU joins the pixels of u8, u16 and i16 images that it holds, and keeps 4
   * bytes per pixel; the CPU does all other work, and takes N / 8 bytes more for each neighbour direction to an earlier row (1
   * with connectivity 4, 12 with 26). With `each`, every slice of a stack is an image of its own, and there are as many results.
   *
   * NaN is background under every threshold and with `by`. Rejects with InvalidArgument for a wrong option, with
   * OutOfMemory beyond 4 GiB, and with the signal's reason when aborted.
   *
   * @example
   * const data = new Uint8Array([0, 9, 9, 0, 7, 0]);
   * const blobs = await engine.components({ data, width: 3, height: 2 }, { threshold: { above: 5 }, connectivity: 8 });
   * console.log(blobs.count); // 1
   *
   * @example
   * const stack = { data: new Uint8Array([1, 1, 0, 1]), width: 2, height: 1, depth: 2 };
   * const slices = await engine.components(stack, { each: true });
   * console.log(slices.map(({ count, foreground }) => [count, foreground])); // [[1, 2], [1, 1]]
   *
   * @example
   * const tissues = await engine.components(classMap, { by: "value", connectivity: 26 });
   * const { area, value } = await tissues.regions();
   */
  components(input: Raster | Image | Source | Mask, options: StackOptions): Promise<Components[]>;
  components(input: Raster | Image | Source | Mask, options?: ComponentsOptions): Promise<Components>;
  async components(
    input: Raster | Image | Source | Mask,
    options: ComponentsOptions | StackOptions = {},
  ): Promise<Components | Components[]> {
    checkOptions("components", options);
    if (!("each" in options)) return this.#whole(input, options);
    const { each, ...others } = options;
    if (each !== true) throw unexpected("each", "true, or no each at all", each);
    return this.#each(input, others);
  }

  /** Components of each slice: all at once on a device that does so, else one after another. */
  async #each(input: Raster | Image | Source | Mask, options: ComponentsOptions): Promise<Components[]> {
    const pixels = this.#input(input);
    const { width, height, depth } = pixels.kind === "mask" ? pixels : pixels.shape;
    const [x, y] = spacingOf(input);
    const connectivity = checkConnectivity(options.connectivity, { depth: 1 });
    const wanted = checkThreshold(options.threshold === undefined ? "nonzero" : options.threshold, options.polarity);
    if (options.within !== undefined) checkWithin(options.within, { width, height, depth });
    if (isAtOnce(options, wanted) && (pixels.kind !== "mask" || wanted === "nonzero")) {
      const found = await this.#calls.run(options, async (call) => {
        const { rule, ...chosen } = await this.#rule(pixels, wanted, undefined, { within: undefined }, call);
        const slices = await this.#router.stack({ input: pixels, rule, connectivity }, call);
        return slices?.map((slice) => this.#components(slice, [x, y, 1], chosen));
      });
      if (found) return found;
    }
    const stack = input instanceof LoadedImage ? await input.toRaster(defined({ signal: options.signal })) : input;
    return eachSlice(stack as Stack, depth, { ...options, connectivity }, (slice, given) => this.#whole(slice, given));
  }

  async #whole(input: Raster | Image | Source | Mask, options: ComponentsOptions): Promise<Components> {
    const source = this.#input(input);
    const size = source.kind === "mask" ? source : source.shape;
    const connectivity = checkConnectivity(options.connectivity, size, input);
    const prepared = (["channel", "smooth", "gradient", "flatten"] as const).filter(
      (each) => options[each] !== undefined,
    );
    const linkage = checkLinkage(options, source.kind === "mask" || prepared.length > 0 ? 1 : source.shape.channels);
    const wanted = checkThreshold(options.threshold === undefined ? "nonzero" : options.threshold, options.polarity);
    const spacing = spacingOf(input);
    const steps = planRefinement(options, size, spacing, (input, name) => this.#pixels(input, name));
    checkMemoryLimit(options.memory);
    const within = options.within === undefined ? undefined : checkWithin(options.within, size);
    const before = source.kind === "mask" ? [] : planPreparation(options, source.shape, spacing);
    if (source.kind === "mask") {
      const [name] = prepared;
      if (name) throw new InvalidArgument(`Expected no ${name} with a mask.`, { argument: name });
      if (within)
        throw new InvalidArgument("Expected no within with a mask; intersect the two.", { argument: "within" });
      if (wanted !== "nonzero")
        throw new InvalidArgument(`Expected no threshold with a mask, got ${show(wanted)}.`, { argument: "threshold" });
      if (linkage)
        throw new InvalidArgument("Expected no by with a mask, which has only one value.", { argument: "by" });
    }
    const peak = typeof wanted === "object" && "hysteresis" in wanted ? wanted.hysteresis[1] : undefined;
    return this.#calls.run(
      options,
      async (call) => {
        const find = async (input: Pixels | Bits): Promise<Components> => {
          const { rule, ...chosen } = await this.#rule(input, wanted, linkage, { ...options, within }, call);
          const request = { input, rule: { ...rule, within }, connectivity };
          const found = await this.#router.components(request, call, async (labelled) => {
            const wide = peak === undefined || input.kind === "mask";
            const reaching = wide ? labelled : await this.#reaching(labelled, input, peak, call);
            return refine(this.#router, reaching, steps, call);
          });
          return this.#components(found, spacing, chosen);
        };
        return source.kind === "mask" ? find(source) : withPrepared(this.#router, source, before, call, find);
      },
      componentsStages({
        prepared,
        automatic: isAutomatic(wanted),
        hysteresis: peak !== undefined,
        refined: steps.flatMap(({ stages }) => stages),
      }),
    );
  }

  /**
   * Finds objects in lines without an end, such as those of a line camera, and gives each once no run of the last line continues
   * it: `for await (const object of engine.stream(lines, options))`. The objects are those of labelling all lines at once, in the
   * order of their last line, then of their first pixel. Lines wait for each other while they come fast, up to 8 388 608 pixels; after
   * a pause of 2 ms those that came are labelled.
   *
   * Per line it costs what `components()` and `regions()` cost, and some microseconds per object, which is a record of its own. An
   * object of several batches is labelled once more when it is finished. Memory holds the lines of open objects, at most `maxLength`
   * of them, and a batch, both twice. Strips run on the engine's device, between its other calls. `onProgress` counts lines; its
   * `fraction` stays 0.
   *
   * Rejects, in the loop, like `components()` and `regions()`: before the first line with InvalidArgument for a wrong option, and by
   * name for one that needs the whole image, such as automatic thresholds, `split`, `expand` and `largest`; and later for arrays of
   * another type and a last line that is not whole.
   *
   * @example
   * const lines = { width: 4, type: "u8", data: [new Uint8Array([0, 9, 0, 0]), new Uint8Array([0, 9, 0, 7])] };
   * for await (const { id, area, bounds } of engine.stream(lines)) console.log(id, area, bounds);
   * // 1 2 [1, 0, 2, 2], then 2 1 [3, 1, 4, 2]
   */
  stream<const P extends ObjectProperty = DefaultProperty>(
    lines: Lines,
    options: StreamOptions<P> = {},
  ): LineStream<P> {
    const near: StreamEngine = {
      components: (input, given) => this.components(input, given),
      allocate: (type, length) => this.allocate(type, length),
      free: (array) => this.free(array),
      onClose: (stop) => this.#calls.onClose(stop),
    };
    return new LineStream<P>(near, lines, options);
  }

  /**
   * Prepares the measurement of frames: pictures of one size that come one after another. Memory is taken once, and small frames
   * are measured on the calling thread, so that nothing is allocated per frame but its results. The caller disposes of the handle.
   *
   * Memory is that of a frame, and of its runs and objects at most. Rejects like `components()` and `regions()` for wrong
   * options, before the first frame.
   *
   * @example
   * const frames = await engine.frames({ width: 4, height: 2, type: "u8", threshold: { above: 100 } });
   * frames.data.fill(0).fill(200, 1, 3);
   * console.log((await frames.measure()).area); // 2
   * frames.dispose();
   */
  async frames<const P extends RegionProperty = DefaultProperty>(options: FramesOptions<P>): Promise<Frames<P>> {
    const { openFrames } = await import("./frames.js");
    return openFrames(this, { calls: this.#calls, router: this.#router }, options);
  }

  /**
   * Suggests other options for `components()`: looks at the objects that `options` give, searches the image in several ways, and
   * offers up to four settings of different counts, each with its effect. An offer without changes is the given options. Nothing is
   * applied. docs/first-answer.md has the rules, and how often they were right.
   *
   * Ways are luma and, of colours, contrast with the frame; Otsu, triangle, two local means, and Otsu after two flattenings; with and
   * without smoothing; with and without holes, specks, ground and a split. Time is that of some fifty calls on at most 1 048 576
   * pixels, of colours half of that, 0.2 to 0.6 s on two cores. Larger images are searched on a copy, whose pixels are means. Up to 8 388 608 pixels the offers are
   * counted in the image itself, beyond in the copy; see `scale`. Handles in use are not changed, and no result is kept.
   *
   * Rejects with Unsupported for a volume, and like `components()` for a wrong option.
   *
   * @example
   * const { count, offers } = await engine.suggest(photo, { threshold: "otsu" });
   * for (const { changes, count: found } of offers) console.log(`${count} objects; ${found} with`, changes);
   */
  async suggest(input: Raster | Image | Source, options: SuggestOptions = {}): Promise<Suggestions> {
    checkOptions("suggest", options);
    const pixels = this.#pixels(input, "the raster");
    const { width, height, depth, channels, type, nodata } = pixels.shape;
    if (depth > 1) throw new Unsupported("Expected an image to suggest options for, got a volume.");
    const { keep, onProgress: _, ...plain } = options;
    checkKeep(keep);
    const spacing = spacingOf(input);
    // A picture whose colours are all grey is one of brightness alone.
    const planes = channels > 1 && pixels.kind === "array" && isGrey(pixels.data, channels) ? 1 : channels;
    const scale = Math.ceil(Math.sqrt((width * height * Math.min(2, planes)) / SEARCHED_PIXELS));
    const countsWhole = width * height <= COUNTED_PIXELS;
    const call = options.signal ? { signal: options.signal } : {};
    const copyOf = async (by: number): Promise<Raster> => {
      const copy = await this.#calls.run(call, (inner) => reducedCopy(this.#router, pixels, by, inner));
      const [x, y, z] = spacing;
      return defined({ ...copy, spacing: [x * by, y * by, z], nodata: nodata ?? copy.nodata });
    };
    // Everything that needs the input is asked for now: an image may be disposed while the search runs.
    const readsWhole = countsWhole && pixels.kind !== "array";
    const asked = await Promise.allSettled([
      this.components(input, plain),
      readsWhole ? copyOf(1) : undefined,
      scale > 1 ? copyOf(scale) : undefined,
    ]);
    const [first, ...copies] = asked;
    const failed = asked.find((each) => each.status === "rejected");
    if (failed || first.status === "rejected") {
      if (first.status === "fulfilled") first.value.dispose();
      throw (failed as PromiseRejectedResult).reason;
    }
    const [read, reduced] = copies.map((each) => (each.status === "fulfilled" ? each.value : undefined)) as (
      | Raster
      | undefined
    )[];
    const pixelsRead = read ?? input;
    const copy = reduced ?? (pixelsRead as Raster);
    const size = { width: copy.width, height: copy.height, channels: planes, type };
    const bits = options.within === undefined ? undefined : checkWithin(options.within, pixels.shape);
    const within = bits && scale > 1 ? reducedMask(bits, scale, size) : options.within;
    const { suggestFor } = await import("./suggest.js");
    return suggestFor(
      this,
      {
        pixels: pixelsRead,
        wholeWithin: options.within,
        countsWhole,
        spacing: spacing[0],
        input: copy,
        size,
        nodata: nodata !== undefined,
        scale,
        within,
      },
      options,
      first.value,
    );
  }

  /**
   * Returns the pixels that are in any of the selections, as a Mask. A selection is a Mask, or Components of any engine;
   * all have one size. The Mask has the spacing of the first. `components()`, `within` and the other calls take it.
   *
   * The host combines bits, 32 pixels at a time, with any device. Memory is N / 8 bytes for the result and for each selection
   * that is Components.
   *
   * @throws {InvalidArgument} for fewer than one selection, or for selections of different sizes.
   * @example
   * const both = await engine.union([wand1, wand2, mask]);
   * const objects = await engine.components(both);
   */
  union(selections: readonly Selection[], options: CallOptions = {}): Promise<Mask & { depth: number }> {
    return combineSelections(this.#host, "union", selections, options);
  }

  /**
   * Returns the pixels that are in all of the selections, as a Mask. Otherwise as {@link union}.
   *
   * @example
   * const common = await engine.intersection([cells, tissue]);
   */
  intersection(selections: readonly Selection[], options: CallOptions = {}): Promise<Mask & { depth: number }> {
    return combineSelections(this.#host, "intersection", selections, options);
  }

  /**
   * Returns the pixels of a selection that are in none of the others, as a Mask. Otherwise as {@link union}.
   *
   * @example
   * const cytoplasm = await engine.difference(cells, [nuclei]);
   */
  async difference(
    selection: Selection,
    others: readonly Selection[],
    options: CallOptions = {},
  ): Promise<Mask & { depth: number }> {
    if (!Array.isArray(others)) throw unexpected("others", "a list of masks or components", others);
    return combineSelections(this.#host, "difference", [selection, ...others], options);
  }

  /**
   * Dilates a mask: returns the pixels that are at most `radius` from a selected pixel, as a Mask. Options work as in
   * {@link Components.dilate}.
   *
   * @example
   * const wider = await engine.dilate(mask, 3);
   */
  dilate(mask: Mask, radius: number, options: MorphologyOptions = {}): Promise<Mask & { depth: number }> {
    return changeMask(this.#host, "dilate", mask, radius, options);
  }

  /**
   * Erodes a mask: returns the pixels that are farther than `radius` from every unselected pixel, as a Mask. Otherwise as
   * {@link dilate}.
   *
   * @example
   * const core = await engine.erode(mask, 3, { border: "extend" });
   */
  erode(mask: Mask, radius: number, options: MorphologyOptions = {}): Promise<Mask & { depth: number }> {
    return changeMask(this.#host, "erode", mask, radius, options);
  }

  /**
   * Takes the objects of a label image as they are, from any tool or segmentation model. Objects may touch, and may have
   * several pieces. 0 is background. Every other value is one object; objects are numbered 1..count in ascending order of their
   * values, so dense labels keep their numbers. `regions().value` has the values. `labels`, `runs`, `regions`, `contacts`,
   * `filter`, `keep` and `distance` work as on other components. Holes are not filled, because a hole may hold another object.
   *
   * One pass over the pixels. Memory is N / 4 bytes of bits and 4 bytes per run, and temporarily 4 bytes for each whole
   * number from the smallest to the largest value. Values that span more numbers than there are pixels are ranked on the
   * calling thread. The CPU holds the result, on every device. `connectivity` matters only for the Euler number, 4 or 6
   * by default.
   *
   * Rejects with InvalidArgument for a raster of more than one channel, and with OutOfMemory beyond 4 GiB.
   *
   * @example
   * const cells = await engine.labelled({ data: new Uint16Array([1, 1, 2, 0, 0, 1]), width: 3, height: 2 });
   * const { area } = await cells.regions();
   * console.log(cells.count, area); // 2, 3 1
   */
  async labelled(input: Raster | Image | Source, options: LabelledOptions = {}): Promise<Components> {
    const pixels = this.#pixels(input, "the label image");
    checkOptions("labelled", options);
    const { channels } = pixels.shape;
    if (channels !== 1) {
      throw new InvalidArgument(`Expected a label image of 1 channel, got ${channels}.`, { argument: "channels" });
    }
    const connectivity = checkConnectivity(options.connectivity, pixels.shape, input);
    const spacing = spacingOf(input);
    return this.#calls.run(
      options,
      async (call) =>
        this.#components(
          await this.#router.labelled({ pixels, connectivity, values: "labels" }, call),
          spacing,
          {},
          true,
        ),
      LABELLED_STAGES,
    );
  }

  /**
   * Floods a raster from markers: each basin holds its marker, and basins meet at the lowest places between markers. Returns the
   * basins as Components with the values of the markers. Basins touch, without lines between them. Pixels that no marker reaches
   * are background.
   *
   * Every pixel is first assigned to the peak at the end of its steepest ascent (see `components.split()`); each marker is a
   * peak. Basins then join along the highest saddles, unless both have a marker. With polarity `"dark"` the same holds for
   * hollows and lowest saddles, as in scikit-image's `watershed`, which breaks ties in another way.
   *
   * Linear in the pixels, and n log n in the pairs of basins that touch. Memory is 8 bytes per pixel. The CPU does the work
   * for every device. Rejects with InvalidArgument for wrong options, and with OutOfMemory for 2^31 pixels or more.
   *
   * @example
   * const hills = { data: new Uint8Array([1, 5, 2, 6, 3]), width: 5, height: 1 };
   * const basins = await engine.watershed(hills, { markers: { points: [[1, 0], [3, 0]], width: 5, height: 1 } });
   * console.log((await basins.labels()).data); // 1 1 2 2 2
   */
  async watershed(input: Raster | Image | Source, options: WatershedOptions): Promise<Components> {
    const pixels = this.#pixels(input, "the raster");
    checkOptions("watershed", record(options, "options with markers"));
    const { polarity = "bright" } = options;
    oneOf("polarity", polarity, POLARITIES);
    const { width, height, depth } = pixels.shape;
    const size: Size = { width, height, depth };
    const connectivity = checkConnectivity(options.connectivity, size, input);
    const read = (image: Raster | Image, name: string): Pixels => this.#pixels(image, name);
    const markers = planMarkers(options.markers, size, read);
    const raster = heightsOf(pixels, size, "the raster");
    const within = options.within === undefined ? fullMask(size) : checkWithin(options.within, size);
    const spacing = spacingOf(input);
    const plan = { raster, dark: polarity === "dark", spacing, h: 0, markers };
    return this.#calls.run(
      options,
      async (call) => this.#components(await this.#router.watershed({ within, connectivity, plan }, call), spacing),
      SPLIT_STAGES,
    );
  }

  /**
   * Fills from seeds, like the magic wand of an image editor. The fill takes the pixels that are connected to a seed
   * and differ by at most the tolerance. With `range: "fixed"` pixels are compared with the seed's colour, with
   * `"floating"` each with the neighbour that was filled before. The result is the union over the seeds, as Components.
   *
   * On the CPU the cost of a fill grows with the pixels that it reaches, and is never much more than labelling the image. The
   * fill searches from the seeds, 64 pixels at a time, and reads only the rows that it reaches. After a quarter of the time of
   * labelling, the CPU labels all matching pixels instead. The GPU labels all matching pixels and selects the components with
   * seeds, in a number of steps that does not depend on their shape.
   *
   * With a floating range, the CPU links neighbours when it gives up the search. This takes N / 8 bytes more for each
   * neighbour direction to an earlier row. With two different sides the search runs to its end. A search needs
   * room for the whole raster in WebAssembly memory (4 GiB). Volumes are never searched, so two different sides are
   * Unsupported there. Differences of f32 are computed in f64; NaN matches nothing.
   *
   * Rejects with InvalidArgument for a wrong option, or a seed outside the raster or on NaN. An engine opened with
   * `device: "gpu"` rejects with Unsupported for a floating range of two different sides, because such steps are
   * one-way.
   *
   * @example
   * const photo = { data: new Uint8Array([10, 12, 90, 11]), width: 4, height: 1 };
   * const patch = await engine.fill(photo, { seeds: [[0, 0]], tolerance: 5 });
   * console.log(patch.foreground); // 2
   */
  async fill(input: Raster | Image | Source, options: FillOptions): Promise<Components> {
    const pixels = this.#pixels(input, "the raster");
    checkOptions("fill", record(options, "options with seeds"));
    const plan = planFill(options, pixels.shape, input);
    const spacing = spacingOf(input);
    return this.#calls.run(options, async (call) => {
      const fenced = await this.#withoutNodata(pixels, plan, call);
      const found = await this.#router.fill({ pixels, plan: fenced }, call);
      return this.#components(found, spacing);
    });
  }

  /**
   * Measures the distance from every pixel to the nearest foreground pixel. The foreground is that of a raster by
   * `threshold`, a mask, components, or a list of points. Without any foreground every distance is Infinity.
   *
   * Distances are exact for every size: costs are minimised along one axis after another (Saito and Toriwaki 1994). If
   * the sides of a pixel are integer multiples of one unit, and the diagonal of the raster, with 8 pixels added per axis, is
   * below 32 768 units, costs are integers and equal on every device. Then follow one square root (within 1 ulp) and one factor.
   * Otherwise costs are f32, to 1e-6 relative, and the nearest pixel may be one of nearly equal distance.
   *
   * Time grows at most as N log n for N pixels and n pixels along an axis. Besides the bits (N / 8 bytes) and the
   * result, a whole map takes 4 bytes per pixel. With `max` of up to 255 units it takes 2 bytes per pixel of the slices
   * in reach. `memory` limits this, and data that does not fit goes through a temporary file.
   *
   * `{ as: "buffer" }` leaves the map on the GPU, as for labels. It is Unsupported on the CPU, and for maps larger than one binding.
   * Rejects with InvalidArgument for a wrong option, and with OutOfMemory if `memory` is too low; the error names a limit that suffices.
   *
   * @example
   * const spots = { data: new Uint8Array([1, 0, 0, 0]), width: 4, height: 1 };
   * const { data } = await engine.distance(spots);
   * console.log(data); // 0 1 2 3
   *
   * @example
   * const map = await engine.distance(head, { to: "surface", max: 36, beyond: "coarse" }); // Components of a volume
   */
  distance(
    target: DistanceTarget,
    options: DistanceOptions & { into: Sink<Float32Array> | Sink<Uint32Array> },
  ): Promise<void>;
  distance(
    target: DistanceTarget,
    options: DistanceOptions & { as: "buffer"; into?: GpuBuffer },
  ): Promise<DistanceBuffer>;
  distance(
    target: DistanceTarget,
    options?: DistanceOptions & { into?: Float32Array | Uint32Array | Uint16Array },
  ): Promise<DistanceMap>;
  async distance(target: DistanceTarget, options: DistanceOptions = {}): Promise<DistanceMap | DistanceBuffer | void> {
    checkOptions("distance", options);
    const found = this.#target(target, options);
    const { size } = found;
    const spacing =
      options.spacing === undefined
        ? spacingOf(target as { spacing?: Spacing })
        : checkSpacing(options.spacing, "the map");
    const plan = planDistance(options, size, spacing);
    return this.#calls.run(
      options,
      async (call) => {
        const checked = checkInto(options, plan, size);
        this.#router.refuseFreed(checked.data, checked.nearest);
        const into = { data: this.#calls.sink(checked.data), nearest: this.#calls.sink(checked.nearest) };
        await found.measure(plan, into, call);
        const { width, height, depth } = size;
        const nearest = into.nearest instanceof Uint32Array ? into.nearest : undefined;
        const { unit, metric, output } = plan;
        const facts = { width, height, depth, spacing, unit, metric, squared: output !== "distance" };
        if (ArrayBuffer.isView(into.data)) return new DistanceMap({ ...facts, data: into.data, nearest });
        return isResident(into.data) ? { ...facts, buffer: into.data.buffer as GpuBuffer } : undefined;
      },
      DISTANCE_STAGES,
    );
  }

  /**
   * Prepares fills of some seeds for every tolerance (u8, fixed range, `linf`): it computes how far each pixel is from each
   * seed's colour, once. `wand.at(tolerance)` is then a fill of one byte per pixel, with exactly the result of `fill()`.
   *
   * One pass over the pixels. The wand holds a byte per pixel and seed. Rejects with
   * InvalidArgument for a seed outside the raster, and with Unsupported for a raster that is not u8, a volume, or `nodata`.
   *
   * @example
   * const wand = await engine.wand(photo, { seeds: [[12, 30]], connectivity: 8 });
   * slider.oninput = async () => show(await wand.at(slider.valueAsNumber));
   */
  async wand(input: Raster | Image | Source, options: WandOptions): Promise<Wand> {
    const pixels = this.#pixels(input, "the raster");
    checkOptions("wand", record(options, "options with seeds"));
    const plan = planWand(options, pixels.shape);
    const spacing = spacingOf(input);
    const planes = await this.#calls.run(options, (call) => this.#router.wandDifferences({ pixels, plan }, call));
    const shape: Shape = { ...pixels.shape, channels: 1 };
    const upTo: UpTo = (tolerance, given) =>
      this.#calls.run(given, async (call) =>
        this.#components(await reach(this.#router, planes, shape, plan, tolerance, call), spacing),
      );
    const count: CountLevels = (given) =>
      this.#calls.run(given, (call) =>
        this.#router.wandAreas(
          planes.map((image): Pixels => ({ kind: "image", shape, image })),
          plan,
          call,
        ),
      );
    const dispose = (): void => {
      for (const plane of planes) plane.dispose();
    };
    const held = { calls: this.#calls, held: { dispose } };
    return new Wand(shape, plan, held, upTo, count, finalizers);
  }

  /**
   * Reduces the colours of a u8 raster to k classes by Lloyd's algorithm (1957), and returns the class of every pixel.
   * The raster has 1, 3 or 4 channels. `engine.components(segmentation, { by: "value", background: null })` then
   * separates the areas. `recolour(segmentation)` is the picture in k colours.
   *
   * The algorithm uses integers, on the distinct colours weighted by their pixels. Coordinates of centres have 8 bits and 7
   * fractional bits; in Oklab L, a and b have 10 bits and 5 fractional bits. Squared distances are exact. The same seed gives
   * the same palette and classes on every device.
   *
   * An iteration compares each colour with the few centres that are near its neighbours in colour. While colours
   * are counted, memory is 64 MiB for each of up to 4 threads, of which only the used parts are touched. Afterwards memory
   * is about 20 bytes per colour and 16 MiB. On the GPU memory is 64 MiB and 16 bytes per colour.
   *
   * `{ as: "buffer" }` leaves the classes on the GPU, one byte per pixel. It is Unsupported on the CPU, and for images of
   * more pixels than one binding has bytes.
   *
   * Rejects with InvalidArgument for a wrong option, and with Unsupported for a raster that is not u8 or has 2^32
   * pixels or more.
   *
   * @example
   * const photo = { data: new Uint8Array([250, 10, 10, 240, 0, 0, 0, 0, 90]), width: 3, height: 1, channels: 3 };
   * const { data, palette, counts } = await engine.kmeans(photo, { k: 2, seed: 7 });
   * console.log(data, palette, counts); // 0 0 1, 245 5 5 0 0 90, 2 1
   */
  kmeans(
    input: Raster | Image | Source,
    options: KmeansOptions & { readonly into: Sink<Uint8Array> },
  ): Promise<Classes>;
  kmeans(
    input: Raster | Image | Source,
    options: KmeansOptions & { readonly as: "buffer"; readonly into?: GpuBuffer },
  ): Promise<ClassesBuffer>;
  kmeans(
    input: Raster | Image | Source,
    options: KmeansOptions & { readonly into?: Uint8Array },
  ): Promise<Segmentation>;
  async kmeans(
    input: Raster | Image | Source,
    options: KmeansOptions,
  ): Promise<Segmentation | Classes | ClassesBuffer> {
    const pixels = this.#colourful(input);
    const { width, height, depth, channels } = pixels.shape;
    checkOptions("kmeans", record(options, "options with k"));
    const within = options.within === undefined ? undefined : checkWithin(options.within, pixels.shape);
    const tiles = options.init === "tiles" ? planTiles(options) : undefined;
    // The mean colours of tiles are computed when the call runs; all other options are checked now.
    const planOf = (
      init: KmeansOptions["init"],
      k = options.k,
    ): KmeansPlan & { readonly within: Bits | undefined } => ({
      ...planKmeans(defined({ ...options, k: k ?? options.k, init: init ?? options.init }), channels),
      within,
    });
    const checked = planOf(tiles === undefined ? options.init : "grid");
    const spacing = spacingOf(input);
    const size = width * height * depth;
    const resident = checkAs(options, size);
    const into = resident ? undefined : checkClassesInto(options.into, size);
    const data = this.#calls.sink(into) ?? new Uint8Array(resident ? 0 : size);
    let written = false;
    return this.#calls.run(
      options,
      async (call) => {
        this.#router.refuseFreed(data);
        if (resident) await this.#router.refuseWithoutGpu();
        const means = tiles === undefined ? undefined : await tileColours(this.#router, pixels, tiles, within, call);
        const plan = means && means.length > 0 ? planOf(means, means.length) : checked;
        return this.#router.colours({ pixels, plan }, call, async (colours) => {
          if (written) throw new DeviceLost("The GPU was lost while classes were being written to the sink.");
          const { classes, centres, names } = await classify(colours, plan, size, call);
          if (resident) {
            const named = { centres, rule: plan, names, ...resident };
            const buffer = await this.#router.classesBufferOf(colours, named, size, call);
            return { buffer, width, height, depth, spacing, ...classes };
          }
          written = !(data instanceof Uint8Array);
          await colours.classes({ centres, rule: plan, names, into: data }, call);
          if (!(data instanceof Uint8Array)) return classes;
          return { data, width, height, depth, channels: 1 as const, spacing, ...classes };
        });
      },
      COLOUR_STAGES,
    );
  }

  /**
   * Paints every pixel of a segmentation in the colour of its class, as {@link recolour} does, but in the workers: the
   * calling thread only copies bands of at most 1 MiB.
   *
   * One pass over the pixels, by the CPU for every device. Rejects with InvalidArgument for anything but a segmentation.
   *
   * @example
   * const photo = { data: new Uint8Array([9, 8, 200, 7]), width: 4, height: 1 };
   * const { data } = await engine.recolour(await engine.kmeans(photo, { k: 2 }));
   * console.log(data); // 8 8 200 8
   */
  async recolour(segmentation: Segmentation, options: RecolourOptions = {}): Promise<Raster> {
    checkOptions("recolour", options);
    const { channels, colours } = planRecolour(segmentation, options);
    const { data, width, height, depth, spacing } = segmentation;
    const { shape } = checkRaster({ data, width, height, depth, channels: 1 });
    return this.#calls.run(
      options,
      async (call) => {
        const into = new Uint8Array(data.length * channels);
        await this.#router.recolour({ classes: { shape, data }, colours, channels, into }, call);
        return { data: into, width, height, depth, channels, spacing };
      },
      PAINT_STAGES,
    );
  }

  /**
   * Paints objects as {@link paint} does, but in the workers: the calling thread only copies bands of at most 1 MiB, and
   * arrays of {@link allocate} are painted in place. Components may be of any engine. `into` does not change before all
   * masks are read.
   *
   * One pass over the raster, by the CPU for every device, and N / 8 bytes per coat. If `into` is the raster itself,
   * only bands with painted pixels are copied. Rejects like {@link paint}.
   *
   * @example
   * const photo = { data: new Uint8Array([10, 12, 90, 11]), width: 4, height: 1 };
   * const patch = await engine.fill(photo, { seeds: [[0, 0]], tolerance: 5 });
   * console.log((await engine.paint(photo, patch, 255)).data); // 255 255 90 11
   */
  paint(
    raster: Raster,
    components: Components,
    colour: number | readonly number[],
    options?: PaintOptions,
  ): Promise<Raster>;
  paint(raster: Raster, coats: readonly Coat[], options?: PaintOptions): Promise<Raster>;
  async paint(
    raster: Raster,
    painted: Components | readonly Coat[],
    ...given: [(number | readonly number[] | PaintOptions)?, PaintOptions?]
  ): Promise<Raster> {
    const { coats: wanted, options } = paintArguments(painted, given);
    checkOptions("paint", options);
    const { pixels, coats, target } = planPaint(raster, wanted, options);
    const { signal } = options;
    this.#router.refuseFreed(pixels.data, target);
    const masks = await Promise.all(coats.map(({ components }) => components.mask(signal ? { signal } : {})));
    return this.#calls.run(
      options,
      async (call) => {
        this.#router.refuseFreed(pixels.data, target);
        const { data, shape } = pixels;
        const clamped = data instanceof Uint8ClampedArray;
        const into = target ?? (clamped ? new Uint8ClampedArray(data.length) : newPixels(shape.type, data.length));
        const bits = masks.map((mask) => checkMask(mask));
        await this.#router.paint(
          { pixels, coats: coats.map(({ colour, opacity }, i) => ({ colour, opacity, mask: bits[i] })), into },
          call,
        );
        return options.into ?? likeRaster(raster, shape, into);
      },
      PAINT_STAGES,
    );
  }

  /**
   * Suggests a number of classes for an image. It clusters the colours into 2, 3, ... `max` classes, and returns the
   * number with the largest simplified silhouette (Hruschka et al. 2004). For an image of fewer than two colours, the
   * number of classes is the number of colours.
   *
   * The colours are counted once. Rejects like `kmeans()`.
   *
   * @example
   * const { k, inertia } = await engine.pickK(photo, { max: 8 });
   */
  async pickK(input: Raster | Image | Source, options: PickKOptions = {}): Promise<PickedK> {
    const pixels = this.#colourful(input);
    checkOptions("pickK", options);
    const within = options.within === undefined ? undefined : checkWithin(options.within, pixels.shape);
    const plan = { ...planPickK(options, pixels.shape.channels), within };
    return this.#calls.run(options, (call) =>
      this.#router.colours({ pixels, plan }, call, (colours) => assessEach(colours, plan, call)),
    );
  }

  /**
   * Allocates an array in the engine's own memory, for pixels and labels of large images. Kernels read and write it in place,
   * which saves a copy of the input and one of the result. Its values are not cleared. The array is a view on a
   * `SharedArrayBuffer`, which WebGL, `ImageData`, `TextDecoder` and transfers refuse: use ordinary arrays for them. It
   * counts towards the 4 GiB of the engine's memory until {@link free} takes it back.
   *
   * Without shared memory, and while only the GPU is in use, the array is an ordinary one, which works but saves no copy.
   *
   * @param type the type of its values
   * @param length the number of values, 0 or more
   * @throws InvalidArgument for an unknown type or length, OutOfMemory when it does not fit, DeviceLost after `close()`
   *
   * @example
   * const pixels = engine.allocate("u8", 64 * 64);
   * pixels.fill(0).fill(1, 100, 200);
   * const blobs = await engine.components({ data: pixels, width: 64, height: 64 });
   * const { data: labels } = await blobs.labels({ into: engine.allocate("u32", 64 * 64) });
   * engine.free(pixels);
   * engine.free(labels);
   */
  allocate<T extends PixelType>(type: T, length: number): PixelArrays[T] {
    oneOf("type", type, TYPES);
    wholeNumber("length", length, 0, 2 ** 32 - 1);
    return this.#router.allocate(type, length) as PixelArrays[T];
  }

  /**
   * Takes back an array that {@link allocate} returned; its memory is freed once all earlier calls have ended. Do not use the
   * array afterwards, nor other views on its buffer. Any other array is ignored.
   *
   * @throws InvalidArgument for an array that was taken back before
   */
  free(array: PixelArray): void {
    if (!ArrayBuffer.isView(array)) throw unexpected("array", "a typed array", array);
    const taken = this.#router.takeBack(array);
    if (taken) this.#calls.free({ dispose: taken });
  }

  /**
   * Ends the workers and frees all memory. Handles of this engine reject from here on, and so do calls that have not
   * ended.
   */
  async close(): Promise<void> {
    engineFinalizers.unregister(this);
    await this.#router.close();
    await this.#calls.close();
  }

  /** Same as `close()`. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  #components(
    found: BackendComponents,
    spacing: readonly [number, number, number],
    { threshold, polarity }: Partial<Chosen> = {},
    ids = false,
  ): Components {
    return new Components(this.#host, found, { spacing, threshold, polarity, ids, forgotten: finalizers });
  }

  /** The rule that joins pixels or separates them from background, and the threshold and polarity chosen for it. */
  async #rule(
    input: Pixels | Bits,
    threshold: Threshold,
    linkage: Linkage | undefined,
    given: { polarity?: Polarity | "auto"; within: Bits | undefined },
    call: Call,
  ): Promise<{ rule: Predicate | Linkage } & Chosen> {
    const nothing = { threshold: undefined, polarity: undefined };
    if (input.kind === "mask") return { rule: { any: false, intervals: [] }, ...nothing };
    if (linkage) return { rule: { ...linkage, except: input.shape.nodata }, ...nothing };
    const { predicate, ...chosen } = await tellObjects(this.#router, input, threshold, given, call);
    return { rule: predicate, ...chosen };
  }

  /** New components: those of `found` that hold a pixel above `peak`. Disposes `found`. O(pixels of the components). */
  async #reaching(found: BackendComponents, pixels: Pixels, peak: number, call: Call): Promise<BackendComponents> {
    try {
      const plan = { level: "area", solid: found.depth > 1, intensity: { pixels, contrast: false } } as const;
      const { intensity } = await this.#router.regions(found, plan, call);
      const keep = Uint8Array.from({ length: found.count }, (_, i) => Number(highestOf(intensity, i) > peak));
      return (await this.#router.make(found, "keep", keep, call)).components;
    } finally {
      found.dispose();
    }
  }

  /** Excludes nodata pixels from a fill: an extra pass finds them, and the plan's mask leaves them out. */
  async #withoutNodata(pixels: Pixels, plan: FillPlan, call: Call): Promise<FillPlan> {
    const { nodata, width, height, depth } = pixels.shape;
    if (nodata === undefined) return plan;
    if (plan.average > 1) throw new Unsupported(`Expected no average with nodata, got ${plan.average}.`);
    const some = { any: false, intervals: [{ lo: nodata, hi: nodata, invert: true }] };
    const request = { input: pixels, rule: some, connectivity: plan.connectivity };
    const found = await this.#router.components(request, call);
    const words = Math.ceil(width / 32);
    const bits = new Uint32Array(words * height * depth);
    try {
      await this.#router.serve(found, "mask", { which: 0, into: bits }, call);
    } finally {
      found.dispose();
    }
    for (const [x, y, z] of plan.seeds) {
      const word = bits[(z * height + y) * words + (x >> 5)];
      if ((word >>> (x & 31)) & 1) continue;
      const place = depth > 1 ? [x, y, z] : [x, y];
      throw new InvalidArgument(`Expected a number at the seed ${show(place)}, got the nodata value ${nodata}.`, {
        argument: "seed",
      });
    }
    const fence = plan.within?.bits;
    if (fence) for (let i = 0; i < bits.length; i++) bits[i] = bits[i] & fence[i];
    return { ...plan, within: { kind: "mask", width, height, depth, bits } };
  }

  /** The size of a distance target, and the function that measures distances to it. */
  #target(
    target: DistanceTarget,
    { threshold = "nonzero", polarity, within: fence }: DistanceOptions,
  ): { size: Size; measure: (plan: DistancePlan, into: DistanceInto, call: Call) => Promise<void> } {
    const given: object = record(target, "a raster, an image, a source, a mask, components or points");
    const wanted = checkThreshold(threshold, polarity);
    if (given instanceof Components || isMask(given) || isPoints(given)) {
      if (wanted !== "nonzero")
        throw new InvalidArgument(`Expected a threshold only with pixels, got ${show(wanted)}.`, {
          argument: "threshold",
        });
      if (fence !== undefined) throw new InvalidArgument("Expected within only with pixels.", { argument: "within" });
      if (given instanceof Components) return { size: given, measure: given.distanceOf(this.#host) };
      const bits = isMask(given) ? checkMask(given) : checkPoints(given);
      const nothing: Predicate = { any: false, intervals: [] };
      return {
        size: bits,
        measure: (plan, into, call) => this.#router.distance({ input: bits, predicate: nothing, plan, into }, call),
      };
    }
    const pixels = this.#pixels(target as Raster | Image | Source, "the raster");
    if (typeof wanted === "object" && "outside" in wanted) {
      throw new InvalidArgument("Expected one polarity of foreground for distances, got { outside }; use components.", {
        argument: "threshold",
      });
    }
    if (typeof wanted === "object" && "hysteresis" in wanted) {
      throw new InvalidArgument(
        "Expected a threshold without hysteresis for distances, got { hysteresis }; pass components.",
        { argument: "threshold" },
      );
    }
    const within = fence === undefined ? undefined : checkWithin(fence, pixels.shape);
    return {
      size: pixels.shape,
      measure: async (plan, into, call) => {
        const { predicate } = await tellObjects(this.#router, pixels, wanted, { polarity, within }, call);
        await this.#router.distance({ input: pixels, predicate: { ...predicate, within }, plan, into }, call);
      },
    };
  }

  #colourful(input: Raster | Image | Source): Pixels {
    const pixels = this.#pixels(input, "the raster");
    const { type, width, height, depth } = pixels.shape;
    if (type !== "u8")
      throw new Unsupported(
        `Expected colours or greys of 8 bits (u8) for k-means, got ${type}; scale them to 0 to 255.`,
      );
    if (pixels.shape.nodata !== undefined) throw new Unsupported("Expected no nodata for k-means.");
    // Weights, and sums of them, are u32.
    if (width * height * depth >= 2 ** 32) {
      throw new Unsupported(`Expected fewer than 2^32 pixels for k-means, got ${sizeText(pixels.shape)}.`);
    }
    return pixels;
  }

  #input(input: Raster | Image | Source | Mask): Pixels | Bits {
    if (isMask(record(input, "a raster, an image, a source or a mask"))) return checkMask(input as Mask);
    return this.#pixels(input as Raster | Image | Source, "the raster");
  }

  #pixels(input: Raster | Image | Source, name: string): Pixels {
    if (input instanceof LoadedImage) return input.pixels(this.#router);
    const given: object = record(input, name);
    if (isSource(given)) {
      const pixels = checkSource(given);
      return { ...pixels, source: this.#calls.source(given) };
    }
    const pixels = checkRaster(input as Raster, name);
    this.#router.refuseFreed(pixels.data);
    return pixels;
  }
}

/** Chosen threshold and polarity. */
type Chosen = Omit<Told, "predicate">;

/** All pixels of an image. */
function fullMask(size: Size): Bits {
  const { width, height, depth } = size;
  const words = Math.ceil(width / 32);
  const bits = new Uint32Array(words * height * depth).fill(0xffffffff);
  const rest = width % 32;
  if (rest) for (let last = words - 1; last < bits.length; last += words) bits[last] = 2 ** rest - 1;
  return { kind: "mask", ...size, bits };
}

/** The size of a pixel of any input. */
function spacingOf({ spacing }: { readonly spacing?: Spacing }): readonly [number, number, number] {
  return checkSpacing(spacing, "the raster");
}

function record<T extends object>(value: T, name: string): T {
  if (typeof value !== "object" || value === null) {
    throw new InvalidArgument(`Expected ${name}, got ${show(value)}.`, { argument: name });
  }
  return value;
}

class LoadedImage implements Image {
  readonly width: number;
  readonly height: number;
  readonly depth: number;
  readonly channels: number;
  readonly type: PixelType;
  readonly spacing: readonly [number, number, number];
  readonly nodata: number | undefined;
  readonly #calls: Calls;
  #router: Router;
  #image: BackendImage | undefined;

  constructor(
    calls: Calls,
    router: Router,
    image: BackendImage,
    shape: Shape,
    spacing: readonly [number, number, number],
  ) {
    this.width = shape.width;
    this.height = shape.height;
    this.depth = shape.depth;
    this.channels = shape.channels;
    this.type = shape.type;
    this.nodata = shape.nodata;
    this.spacing = spacing;
    this.#calls = calls;
    this.#router = router;
    this.#image = image;
    finalizers.register(this, { calls, held: image }, this);
  }

  async toRaster(options: CallOptions & { into?: PixelArray } = {}): Promise<Raster> {
    checkOptions("toRaster", options);
    const pixels = this.pixels(this.#router) as Pixels & { kind: "image" };
    const into = checkPixelsInto(options.into, this);
    const data = await this.#calls.run(options, async (call) => {
      const begin = performance.now();
      const read = await this.#router.read(pixels, call, into);
      call.timings.push({ stage: "read", milliseconds: performance.now() - begin, bytes: read.byteLength });
      return read;
    });
    const { width, height, depth, channels, spacing, nodata } = this;
    return defined({ data, width, height, depth, channels, spacing, nodata });
  }

  pixels(router: Router): Pixels {
    if (!this.#image) throw disposedError("an image");
    if (router !== this.#router) throw foreignError("an image");
    return { kind: "image", shape: this, image: this.#image };
  }

  dispose(): void {
    finalizers.unregister(this);
    if (this.#image) this.#calls.free(this.#image);
    this.#image = undefined;
  }

  [Symbol.dispose](): void {
    this.dispose();
  }
}
