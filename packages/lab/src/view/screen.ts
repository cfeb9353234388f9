// The screen: the canvas, the position of the picture on it, the window of the result, and drawing with the next frame.

import { effect, untracked } from "@preact/signals";
import type { Mask, ResultWindow, Segmentation } from "skerry";
import { stainWeights } from "skerry/internal";
import type { Opened } from "../files/open.js";
import { lone } from "../session/compare.js";
import type { Tint } from "../settings/objects.js";
import { CHANNELS, type Channel } from "../settings/objects.js";
import { composed, isolated, lines, mapWindow, placed, range, rangeShown, totals } from "../state/drawn.js";
import { memory, session } from "../state/engine.js";
import type { Content, Layer } from "../state/found.js";
import {
  divider,
  drawMilliseconds,
  hovered,
  level,
  look,
  opacity,
  peeks,
  picture,
  recipe,
  seesChannel,
  selection,
  sought,
  zoom,
} from "../state/lab.js";
import type { Place, Shown, View } from "../state/view.js";
import { levels } from "../tools/objects/state.js";
import { begun, ended, isBench } from "../widgets/measure.js";
import { type Camera, fitted, windowOf } from "./camera.js";
import { type Coloured, inherited } from "./colours.js";
import { Renderer, type ShownPlane } from "./gl.js";
import { classesOf, insideOf, marksOf } from "./marks.js";

const ANTS_MILLISECONDS = 80;
const SOON_MILLISECONDS = 34;
const PREPARE_MILLISECONDS = 300;
/** A picture is uploaded for so long at a time. */
const UPLOAD_MILLISECONDS = 6;
/** CSS pixels between a bar and a picture that is shown whole. */
const BAR_GAP = 8;
const NOTHING: Shown = { content: { kind: "marks", coats: [] }, left: [], right: [], within: undefined };

/** A slice of a volume that a screen shows; an image has one. */
export interface Slice {
  readonly axis: "x" | "y" | "z";
  readonly index: number;
}

export class Screen implements View {
  readonly canvas: HTMLCanvasElement;
  readonly slice: Slice;
  readonly #renderer: Renderer;
  camera: Camera = { x: 0, y: 0, scale: 1 };
  /** Whether the whole picture is shown, which then also holds after a resize. */
  #isFitted = true;
  crosshair: readonly [number, number] | undefined;
  #shown = NOTHING;
  /** Comparison that is drawn until the next result arrives. */
  #tint: Tint | undefined;
  /** Labels that are shown, with their colours, from which the next ones inherit. */
  #coloured: Coloured | undefined;
  /** The fence that is drawn, and its window. */
  #fence: { readonly within: Mask | undefined; readonly window: string } = { within: undefined, window: "" };
  #onPlace: () => void = () => undefined;
  #frame = 0;
  /** Number of pictures so far. */
  #uploads = 0;
  #ants = 0;
  #marching: ReturnType<typeof setTimeout> | undefined;
  /** The time of the newest change without a result, and how long the last result took, in milliseconds. */
  #asked: number | undefined;
  #latency = Number.POSITIVE_INFINITY;

  constructor(canvas: HTMLCanvasElement, gl: WebGL2RenderingContext, slice: Slice = { axis: "z", index: 0 }) {
    this.canvas = canvas;
    this.slice = slice;
    this.#renderer = new Renderer(gl);
    effect(() => {
      const [ofA, ofB] = lone.value ?? [];
      if (ofA) this.#renderer.showAsideSelected(ofA);
      // Outlines objects that only one side has, as long as none is selected.
      this.#renderer.showSelected(ofB && selection.value.size === 0 ? ofB : selection.value);
      this.redraw();
    });
    effect(() => {
      void [lines.value, range.value, totals.value];
      void [hovered.value, divider.value, level.value, look.value, opacity.value, peeks.value, seesChannel.value];
      this.redraw();
    });
    effect(() => {
      void isolated.value;
      if (this.#shown.content.kind === "classes") this.#showPalette(this.#shown.content.segmentation);
      this.redraw();
    });
    let drawn = composed.value;
    effect(() => {
      if (composed.value === drawn) return;
      drawn = composed.value;
      this.#renderer.showImage((drawn ?? picture.peek()) as Opened);
      void this.#upload();
      session.follower?.moved();
    });
    effect(() => {
      const box = sought.value;
      if (!box) return;
      // The move reads and writes other state, which must not move the view again.
      untracked(() => this.zoomTo(box));
      sought.value = undefined;
    });
  }

  get uploaded(): number {
    return this.#renderer.uploaded;
  }

  picture(opened: Opened, place?: Place): Promise<void> {
    this.#renderer.showImage(opened);
    this.#shown = NOTHING;
    this.#coloured = undefined;
    this.#tint = undefined;
    this.crosshair = undefined;
    this.#isFitted = true;
    this.camera = this.fitting(opened);
    if (place) this.place = place;
    return this.#upload();
  }

  /** Uploads the picture, with turns of the event loop between. Ends early if another picture comes. */
  async #upload(): Promise<void> {
    const upload = ++this.#uploads;
    while (this.#renderer.upload(UPLOAD_MILLISECONDS)) {
      // The drawing process takes its time for what it was given; hidden pages have no frames.
      await new Promise((resolve) => {
        requestAnimationFrame(resolve);
        setTimeout(resolve, 100);
      });
      if (upload !== this.#uploads) return;
    }
    this.redraw();
  }

  /** The middle of the view, and its scale in CSS pixels; undefined while the whole picture is shown. */
  get place(): Place | undefined {
    if (this.#isFitted) return undefined;
    const { x, y, scale } = this.camera;
    const { width, height } = this.canvas;
    return { x: x + width / scale / 2, y: y + height / scale / 2, scale: scale / devicePixelRatio };
  }

  set place(place: Place | undefined) {
    this.#isFitted = place === undefined;
    if (!place) {
      if (picture.value) this.camera = this.fitting(picture.value);
      return;
    }
    const scale = place.scale * devicePixelRatio;
    const { width, height } = this.canvas;
    this.camera = { x: place.x - width / scale / 2, y: place.y - height / scale / 2, scale };
  }

  onPlace(listener: () => void): void {
    this.#onPlace = listener;
  }

  /** Resizes the view about its middle. */
  resize(width: number, height: number): void {
    const { place } = this;
    this.canvas.width = width;
    this.canvas.height = height;
    this.place = place;
    this.redraw();
    session.follower?.moved();
  }

  async show(shown: Shown, isNew: boolean, signal?: AbortSignal): Promise<void> {
    const window = windowOf(this.camera, this.canvas);
    const { content, within } = shown;
    if (content.kind === "labels") {
      const { components } = content;
      const { axis, index } = this.slice;
      const slice = components.depth > 1 ? { axis, [axis]: index } : {};
      const read = { ...window, ...slice } as ResultWindow;
      const { data } = await components.labels({ window: read, signal });
      this.#renderer.showResult({ ...window, data });
      if (isNew) {
        const colours = this.#coloured && inherited(this.#coloured, data, components.count);
        this.#renderer.showColours(colours);
        this.#coloured = { data, colours };
      } else if (this.#coloured) this.#coloured = { data, colours: this.#coloured.colours };
    } else if (content.kind === "map") {
      const data = content.map.window(window);
      this.#renderer.showMap({ ...window, data });
      mapWindow.value = { ...window, data };
      this.#coloured = undefined;
    } else if (content.kind === "classes") {
      this.#showPalette(content.segmentation);
      this.#renderer.showResult({ ...window, data: classesOf(content.segmentation, window) });
      this.#coloured = undefined;
    } else {
      const { content: before } = this.#shown;
      if (before.kind !== "marks" || content.coats !== before.coats)
        this.#renderer.showCoats(content.coats.map(({ colour }) => colour));
      this.#renderer.showResult({ ...window, data: marksOf(content, window) });
      this.#coloured = undefined;
    }
    await this.#showAside(shown.aside, window, signal);
    this.#showFence(within, window);
    this.#shown = shown;
    if (isNew) this.#tint = undefined;
    this.#prepare();
    this.#march(content.kind === "marks" && content.selected !== undefined);
    this.#drawNow();
  }

  /** Shows the result that is kept for comparison, in the same window and with the same colours. */
  async #showAside(
    aside: Content | undefined,
    window: ReturnType<typeof windowOf>,
    signal?: AbortSignal,
  ): Promise<void> {
    if (aside?.kind !== "labels") return;
    if (aside !== this.#shown.aside) this.#renderer.showAsideColours(this.#coloured?.colours);
    const { data } = await aside.components.labels({ window, signal });
    this.#renderer.showAside({ ...window, data });
  }

  /** Shows the colours of classes. If some are isolated, the others are dim greys. */
  #showPalette({ k, palette }: Segmentation): void {
    const { value: alone } = isolated;
    const channels = palette.length / Math.max(1, k);
    const colours = Array.from({ length: k }, (_, i) => {
      const [r, g = r, b = r] = palette.subarray(i * channels, (i + 1) * channels);
      const grey = 0.25 * (0.3 * r + 0.59 * g + 0.11 * b);
      return (alone.size === 0 || alone.has(i) ? [r, g, b] : [grey, grey, grey]) as [number, number, number];
    });
    this.#renderer.showCoats(colours);
  }

  /** Shows the fence, unless the fence and its window are unchanged. */
  #showFence(within: Mask | undefined, window: ReturnType<typeof windowOf>): void {
    const key = JSON.stringify(window);
    if (within === this.#fence.within && (!within || key === this.#fence.window)) return;
    this.#fence = { within, window: key };
    this.#renderer.showFence(within && insideOf(within, window));
  }

  #isPrepared = false;

  /** Compiles the shaders for hovering and selecting ahead of time, one per pause. */
  #prepare(): void {
    if (this.#isPrepared) return;
    this.#isPrepared = true;
    for (const [i, part] of (["chosen", "marked"] as const).entries()) {
      setTimeout(() => this.#renderer.prepare(part), PREPARE_MILLISECONDS * (i + 1));
    }
  }

  /** Ants march while something is selected, unless the user prefers reduced motion. */
  #march(wanted: boolean): void {
    const marching = wanted && !matchMedia("(prefers-reduced-motion: reduce)").matches;
    if (marching === (this.#marching !== undefined)) return;
    clearTimeout(this.#marching);
    this.#marching = marching ? setTimeout(() => this.#step(), ANTS_MILLISECONDS) : undefined;
  }

  /** A step of the ants. If frames take long, ants take a quarter of the time at most. */
  #step(): void {
    const begin = performance.now();
    this.#ants = (this.#ants + 1) % 8;
    this.redraw();
    requestAnimationFrame(() =>
      requestAnimationFrame(() => {
        if (this.#marching === undefined) return;
        const frame = performance.now() - begin;
        this.#marching = setTimeout(() => this.#step(), Math.max(ANTS_MILLISECONDS, 3 * frame));
      }),
    );
  }

  /** Moves the camera. The shown result moves along, and its window is then read again. */
  look(camera: Camera): void {
    this.camera = camera;
    this.#isFitted = false;
    this.redraw();
    session.follower?.moved();
    this.#onPlace();
  }

  /** The camera that shows a whole picture, clear of the bars over the canvas. */
  fitting(image: { readonly width: number; readonly height: number }): Camera {
    const box = this.canvas.getBoundingClientRect();
    const margins = { top: 0, bottom: 0 };
    for (const bar of this.canvas.parentElement?.querySelectorAll("[data-bar]") ?? []) {
      const { top, bottom, height } = bar.getBoundingClientRect();
      if (height === 0) continue;
      const isLower = top - box.top > box.bottom - bottom;
      const rows = (isLower ? box.bottom - top : bottom - box.top) + BAR_GAP;
      margins[isLower ? "bottom" : "top"] = Math.max(margins[isLower ? "bottom" : "top"], rows * devicePixelRatio);
    }
    return fitted(this.canvas, image, margins);
  }

  /** Shows the whole picture. */
  fit(): void {
    this.place = undefined;
    this.redraw();
    session.follower?.moved();
    this.#onPlace();
  }

  /** Brings a box to the middle of the view. */
  zoomTo([x0, y0, x1, y1]: readonly [number, number, number, number]): void {
    const { width, height } = this.canvas;
    const scale = Math.min(16, 0.4 * Math.min(width / (x1 - x0), height / (y1 - y0)));
    this.look({ x: (x0 + x1 - width / scale) / 2, y: (y0 + y1 - height / scale) / 2, scale });
  }

  /** The pixel of the picture under a place of the canvas. */
  pixelAt(px: number, py: number): [number, number] {
    return [Math.floor(this.camera.x + px / this.camera.scale), Math.floor(this.camera.y + py / this.camera.scale)];
  }

  /** Draws with the next frame. */
  redraw = (): void => {
    if (this.#frame) return;
    this.#frame = requestAnimationFrame(() => {
      this.#frame = 0;
      this.#draw();
    });
  };

  /**
   * The settings changed: the picture is tinted by the same comparison until the result arrives. If the last result
   * took at most two frames, tinting waits as long for this one, because drawing twice takes longer than that.
   */
  tint = (tint: Tint | undefined): void => {
    const asked = performance.now();
    this.#asked = asked;
    // Tools without a tint leave the picture as it is; a draw would only delay the result.
    if (!tint && !this.#tint) return;
    this.#tint = tint;
    if (this.#latency > SOON_MILLISECONDS) {
      this.redraw();
      return;
    }
    setTimeout(() => {
      if (this.#asked === asked) this.redraw();
    }, SOON_MILLISECONDS);
  };

  /** Places the crosshair over the canvas, at the centre of its pixel. */
  #placeCrosshair(): void {
    const mark = this.canvas.parentElement?.querySelector<HTMLElement>(".crosshair");
    if (!mark) return;
    mark.hidden = this.crosshair === undefined;
    if (!this.crosshair) return;
    const [x, y] = this.crosshair;
    const at = (n: number, from: number): number => ((n + 0.5 - from) * this.camera.scale) / devicePixelRatio;
    mark.style.translate = `${at(x, this.camera.x)}px ${at(y, this.camera.y)}px`;
  }

  /** Draws once more and waits for the GPU. Returns milliseconds, for the bench. */
  drawn(): number {
    const begin = performance.now();
    this.#draw();
    this.#renderer.finish();
    return performance.now() - begin;
  }

  /** Draws a new result at once; the browser shows it with its next frame. */
  #drawNow(): void {
    if (this.#frame) cancelAnimationFrame(this.#frame);
    this.#frame = 0;
    if (this.#asked !== undefined) this.#latency = performance.now() - this.#asked;
    this.#asked = undefined;
    const start = begun();
    if (start !== undefined) performance.measure("skerry:arrived", { start, end: performance.now() });
    this.#draw();
    if (start === undefined) return;
    this.#renderer.finish();
    performance.measure("skerry:result", { start, end: performance.now() });
    ended();
  }

  #draw(): void {
    const begin = performance.now();
    const { left, right } = this.#shown;
    const isPlain = look.value === "original" || peeks.value;
    // Maps and classes are opaque from the default opacity on. As outlines, only their lines are drawn.
    const isWhole = right.includes("map") || right.includes("classes");
    const strength = !isWhole ? opacity.value : look.value === "outlines" ? 0 : Math.min(1, opacity.value / 0.6);
    this.#renderer.draw({
      camera: this.camera,
      divider: divider.value,
      ants: this.#ants,
      opacity: strength,
      left,
      right: isPlain ? left : lookOf(right),
      tint: composed.value ? undefined : this.#tint,
      span: rangeShown(),
      apart: lines.value,
      isCompared: this.#shown.aside !== undefined && !isPlain,
      level: level.value ?? [0, 1],
      hovered: hovered.value,
      plane: seesChannel.value ? planeOf(recipe.value.objects.channel) : undefined,
    });
    this.#placeCrosshair();
    const { x, y, scale } = this.camera;
    const css = scale / devicePixelRatio;
    if (x !== placed.value.x || y !== placed.value.y || css !== placed.value.scale) placed.value = { x, y, scale: css };
    zoom.value = Math.round((100 * this.camera.scale) / devicePixelRatio);
    const end = performance.now();
    performance.measure("skerry:frame", { start: begin, end });
    drawMilliseconds.value = end - begin;
  }
}

/** Number of channels that are not stains. */
const PLAIN = CHANNELS.indexOf("hematoxylin");

/** The weights of the stains, once one is shown. */
let stains: readonly ShownPlane["weights"][] | undefined;

/** The channel that is thresholded, as parameters of the picture's shader. */
function planeOf(channel: Channel): ShownPlane | undefined {
  const { data, channels = 1 } = picture.value ?? {};
  if (channels === 1) return undefined;
  // The contrast is computed from the whole picture, which a shader cannot; the picture itself is shown.
  if (channel === "contrast") return undefined;
  const kind = Math.min(PLAIN, CHANNELS.indexOf(channel));
  if (kind < PLAIN) return { kind, weights: [0, 0, 0], amounts: [0, 1] };
  // Stains are drawn only for 8-bit pictures.
  if (!(data instanceof Uint8Array)) return undefined;
  stains ??= stainWeights("hed");
  return {
    kind,
    weights: stains[CHANNELS.indexOf(channel) - PLAIN],
    amounts: [levels.value?.min ?? 0, levels.value?.max ?? 1],
  };
}

/** Layers with the look that the user chose. */
const lookOf = (layers: readonly Layer[]): readonly Layer[] =>
  look.value === "outlines" ? layers.map((layer) => (layer === "colours" ? "outlines" : layer)) : layers;

/** Exposes a screen to the bench. */
export function showBench(screen: Screen): void {
  if (isBench)
    Object.assign(globalThis, {
      skerryBench: { uploaded: () => screen.uploaded, drawn: () => screen.drawn(), memory },
    });
}
