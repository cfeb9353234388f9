// The engine that the page calls, on the chosen device, and the picture that is loaded on it.

import { seenColours, transparentPixels, withoutAlpha } from "@skerry/files/internal";
import { type ChannelName, type Engine, type Image, type Mask, open, type Raster } from "skerry";
import type { Opened } from "../files/open.js";
import type { PreparingSteps } from "../settings/objects.js";

export type DeviceChoice = "auto" | "cpu" | "gpu";

/** Opens an engine. A software adapter is used only if `choice` is "gpu". */
export async function openDevice(choice: DeviceChoice, hasAdapter = true): Promise<Engine> {
  // Without an adapter the code for GPUs need not be loaded.
  if (choice === "auto") return hasAdapter ? open() : open({ device: "cpu" });
  return open({ device: choice });
}

/** A picture on an engine: its pixels and planes, each loaded on first use. */
export class Resident {
  readonly engine: Engine;
  readonly opened: Opened;
  /** The size of a pixel, if the settings have a scale; lengths are then in its unit. */
  spacing: readonly [number, number] | undefined;
  /** Masks of fences, by their definitions as JSON. */
  readonly fences = new Map<string, Mask>();
  /** Values that tools keep as long as the picture is loaded, by names that the tools choose. */
  readonly kept = new Map<string, unknown>();
  #image: Promise<Image> | undefined;
  #seen: Promise<Image> | undefined;
  #values: Promise<Image> | undefined;
  readonly #planes = new Map<ChannelName, Promise<Image>>();
  #prepared: { readonly key: string; readonly image: Promise<Image> } | undefined;

  constructor(engine: Engine, opened: Opened) {
    this.engine = engine;
    this.opened = opened;
  }

  /** Sets the size of a pixel, and disposes everything that was made with another size. */
  scaleTo(scale: { readonly size: number; readonly down?: number | undefined } | undefined): void {
    const [x, y] = [scale?.size, scale?.down ?? scale?.size];
    if (x === this.spacing?.[0] && y === this.spacing?.[1]) return;
    this.dispose();
    this.fences.clear();
    this.kept.clear();
    this.spacing = x === undefined || y === undefined ? undefined : [x, y];
  }

  get #raster(): Raster {
    return this.spacing ? { ...this.opened, spacing: this.spacing } : this.opened;
  }

  /** The option of calls whose lengths are in the unit of the scale. */
  get physical(): { readonly physical?: true } {
    return this.spacing ? { physical: true } : {};
  }

  /** All channels. */
  image(): Promise<Image> {
    this.#image ??= this.engine.load(this.#raster);
    return this.#image;
  }

  /** The colours that are seen, for comparing them: those under alpha 0 are equal. */
  seen(): Promise<Image> {
    this.#seen ??= this.#loadSeen();
    return this.#seen;
  }

  #loadSeen(): Promise<Image> {
    const { channels, data } = this.opened;
    const seen = channels === 4 ? seenColours(data) : data;
    return seen === data ? this.image() : this.engine.load({ ...this.#raster, data: seen });
  }

  /** The values of areas of equal value: numbers of a palette, or colours, without alpha where nothing is transparent. */
  values(): Promise<Image> {
    this.#values ??= this.#loadValues();
    return this.#values;
  }

  #loadValues(): Promise<Image> {
    const { indices, channels, data } = this.opened;
    const raster = this.#raster as Raster & { channels: number };
    if (indices) return this.engine.load({ ...raster, data: indices, channels: 1 });
    const isOpaque = channels === 4 && transparentPixels(data) === 0;
    return isOpaque ? this.engine.load(withoutAlpha({ raster, isGrey: false })) : this.seen();
  }

  /** One channel. */
  plane(channel: ChannelName): Promise<Image> {
    const isGrey = this.opened.channels === 1;
    const name = isGrey && channel !== "contrast" ? "luma" : channel;
    let plane = this.#planes.get(name);
    if (!plane) {
      plane = isGrey && name === "luma" ? this.image() : this.engine.channel(this.#raster, name);
      this.#planes.set(name, plane);
    }
    return plane;
  }

  /** One channel, smoothed, derived and flattened, as the options of `components()` do it; the last one is kept. */
  async prepared(channel: ChannelName, steps: PreparingSteps): Promise<Image> {
    if (Object.keys(steps).length === 0) return this.plane(channel);
    const key = JSON.stringify([channel, steps]);
    if (this.#prepared?.key !== key) {
      this.#prepared?.image.then((image) => image.dispose()).catch(() => undefined);
      this.#prepared = { key, image: this.#prepare(channel, steps) };
    }
    return this.#prepared.image;
  }

  async #prepare(channel: ChannelName, { smooth, gradient, flatten }: PreparingSteps): Promise<Image> {
    const { engine, physical } = this;
    const steps: ((image: Image) => Promise<Image>)[] = [];
    if (smooth !== undefined) steps.push((image) => engine.smooth(image, { sigma: smooth, ...physical }));
    if (gradient !== undefined) steps.push((image) => engine.gradient(image, { by: gradient, ...physical }));
    if (flatten !== undefined) steps.push((image) => engine.flatten(image, { radius: flatten }));
    const plane = await this.plane(channel);
    let last = plane;
    for (const step of steps) {
      const before = last;
      try {
        last = await step(before);
      } finally {
        if (before !== plane) before.dispose();
      }
    }
    return last;
  }

  dispose(): void {
    this.#prepared?.image.then((image) => image.dispose()).catch(() => undefined);
    this.#prepared = undefined;
    for (const image of [this.#image, this.#seen, this.#values, ...this.#planes.values()]) {
      image?.then((held) => held.dispose()).catch(() => undefined);
    }
    this.#image = undefined;
    this.#seen = undefined;
    this.#values = undefined;
    this.#planes.clear();
  }
}
