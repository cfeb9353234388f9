// Frames: a handle to a prepared plan, which measures one picture after another.

import { defined } from "../core/defined.js";
import type { BackendFrames, FrameSums } from "../core/frames-plan.js";
import { partOf } from "../core/pixels.js";
import { show } from "../options/arguments.js";
import { type PlannedFrames, planFrames } from "../options/frames.js";
import { checkOptions } from "../options/names.js";
import { pixelType } from "../options/pixels.js";
import type { CallOptions } from "../types/calls.js";
import type { ComponentsOptions } from "../types/components.js";
import { disposedError, InvalidArgument } from "../types/errors.js";
import type { FramesOptions } from "../types/frames.js";
import type { PixelArray, PixelType, Raster } from "../types/raster.js";
import type { DefaultProperty, Measured, RegionProperty, Regions, RegionsOptions } from "../types/regions.js";
import type { Calls } from "./calls.js";
import type { Components } from "./components.js";
import type { Host } from "./host.js";

/** The part of an engine that frames take. @internal */
export interface FramesEngine {
  allocate(type: PixelType, length: number): PixelArray;
  components(input: Raster, options: ComponentsOptions): Promise<Components>;
  free(array: PixelArray): void;
}

/** A plan for frames of one size, from `engine.frames()`. It holds its memory until `dispose()`, or until the engine closes. */
export class Frames<P extends RegionProperty = DefaultProperty> implements Disposable {
  /**
   * Memory for the next frame. A camera that writes its pixels here saves the copy; it must not write while `measure()` has not
   * settled.
   */
  readonly data: PixelArray;
  readonly #engine: FramesEngine;
  readonly #calls: Calls;
  readonly #planned: PlannedFrames;
  readonly #prepared: BackendFrames | undefined;
  readonly #finding: ComponentsOptions;
  readonly #measuring: Pick<RegionsOptions, "quantiles" | "bins" | "perChannel">;
  readonly #spacing: Pick<Raster, "spacing">;
  #disposed = false;
  /** Frames that the workers measure. */
  #pending = 0;

  /** @internal */
  constructor(
    engine: FramesEngine,
    calls: Calls,
    planned: PlannedFrames,
    options: FramesOptions<RegionProperty>,
    held: { readonly data: PixelArray; readonly prepared: BackendFrames | undefined },
  ) {
    if (!engine) throw new InvalidArgument("Expected Frames from an engine's frames(), got new Frames().");
    const {
      width: _,
      height: __,
      type: ___,
      channels: ____,
      nodata: _____,
      spacing,
      properties: ______,
      ...others
    } = options;
    const { quantiles, bins, perChannel, ...finding } = others;
    this.data = held.data;
    this.#engine = engine;
    this.#calls = calls;
    this.#planned = planned;
    this.#prepared = held.prepared;
    this.#finding = finding;
    this.#measuring = defined({ quantiles, bins, perChannel });
    this.#spacing = defined({ spacing });
  }

  /**
   * Measures the objects of a frame: the pixels of an array, or those in `data`. The result is that of `components()` and
   * `regions()` with the same options. Frames are measured one after another, between the engine's other calls.
   *
   * Fixed thresholds and area, bounds and centroid of up to 1 048 576 pixels of one channel run on the calling thread, in memory
   * that was taken before: some 0.1 ms for 512 x 512 (`npm run bench -- frames`). Others are spread over the workers. Rejects with InvalidArgument for an array of
   * another type or length.
   *
   * @example
   * const frames = await engine.frames({ width: 4, height: 2, type: "u8", threshold: { above: 100 } });
   * const { count, area } = await frames.measure(new Uint8Array([0, 200, 200, 0, 0, 0, 0, 150]));
   * console.log(count, area); // 2, 2 1
   * frames.dispose();
   */
  async measure(data: PixelArray = this.data, options: CallOptions = {}): Promise<Measured<P>> {
    if (this.#disposed) throw disposedError("frames");
    checkOptions("measure", options);
    const { shape } = this.#planned;
    const values = shape.width * shape.height * shape.channels;
    if (pixelType(data) !== shape.type || data.length !== values) {
      const got = pixelType(data) === shape.type ? `${data.length}` : show(data);
      throw new InvalidArgument(`Expected a frame of ${values} values of ${shape.type}, got ${got}.`, {
        argument: "data",
      });
    }
    const prepared = this.#prepared;
    if (prepared) {
      return this.#calls.run(options, async (call) => {
        const begin = performance.now();
        const found = await prepared.measure(partOf(data, 0, values));
        call.timings.push({ stage: "frame", milliseconds: performance.now() - begin, bytes: data.byteLength });
        return this.#chosen(found) as Measured<P>;
      });
    }
    // Two calls of the engine: the pixels are freed after the second, also if the plan is disposed of between them.
    this.#pending++;
    try {
      return (await this.#general(data, options)) as Measured<P>;
    } finally {
      this.#pending--;
      if (this.#disposed && this.#pending === 0) this.#engine.free(this.data);
    }
  }

  async #general(data: PixelArray, options: CallOptions): Promise<Regions> {
    const { shape, properties } = this.#planned;
    const { width, height, channels, nodata } = shape;
    const raster = defined<Raster>({ data, width, height, channels, nodata, ...this.#spacing });
    using found = await this.#engine.components(raster, { ...this.#finding, ...options });
    // Waited for here, so that the objects are freed before the result is there.
    return await found.regions({ properties, intensity: raster, ...this.#measuring, ...options });
  }

  /** The objects within the limits of area. */
  #chosen({ count, sums, polarity }: FrameSums): Regions {
    const { minArea, maxArea, properties } = this.#planned;
    const { area, bounds, centroid } = sums;
    const all: Record<string, unknown> = { count };
    if (polarity) all.polarity = polarity;
    if (properties.includes("area")) all.area = area;
    if (properties.includes("bounds")) all.bounds = bounds;
    if (properties.includes("centroid")) all.centroid = centroid;
    if (minArea <= 1 && maxArea >= this.#planned.shape.width * this.#planned.shape.height)
      return all as unknown as Regions;
    let kept = 0;
    for (let i = 0; i < count; i++) {
      if (area[i] < minArea || area[i] > maxArea) continue;
      if (kept < i) {
        area[kept] = area[i];
        if (polarity) polarity[kept] = polarity[i];
        if (bounds) bounds.copyWithin(4 * kept, 4 * i, 4 * i + 4);
        if (centroid) centroid.copyWithin(2 * kept, 2 * i, 2 * i + 2);
      }
      kept++;
    }
    const each = { polarity: 1, area: 1, bounds: 4, centroid: 2 };
    for (const [name, entries] of Object.entries(each)) {
      const values = all[name] as Uint32Array | undefined;
      if (values) all[name] = values.slice(0, kept * entries);
    }
    return { ...all, count: kept } as Regions;
  }

  /** Frees the memory of the plan. Calling it again does nothing. */
  dispose(): void {
    if (this.#disposed) return;
    this.#disposed = true;
    if (this.#prepared) this.#calls.free(this.#prepared);
    if (this.#pending === 0) this.#engine.free(this.data);
  }

  /** Same as `dispose()`. */
  [Symbol.dispose](): void {
    this.dispose();
  }
}

/** Checks the options, and takes the memory of the plan. @internal */
export async function openFrames<P extends RegionProperty>(
  engine: FramesEngine,
  { calls, router }: Pick<Host, "calls" | "router">,
  options: FramesOptions<P>,
): Promise<Frames<P>> {
  const planned = planFrames(options);
  const { plan, shape } = planned;
  const prepared = plan && (await calls.run({}, () => router.frames(plan)));
  try {
    const data = engine.allocate(shape.type, shape.width * shape.height * shape.channels);
    return new Frames<P>(engine, calls, planned, options, { data, prepared });
  } catch (error) {
    if (prepared) calls.free(prepared);
    throw error;
  }
}
