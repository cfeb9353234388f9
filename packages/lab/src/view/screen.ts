// The screen: the canvas, the place of the picture on it, the window of the result, and drawing with the next frame.

import { effect } from "@preact/signals";
import type { Opened } from "../files/open.js";
import { keyOf, type Shower, type ShownFills, showAgain } from "../state/follow.js";
import { divider, drawMilliseconds, hovered, level, picture, recipe, selection, zoom } from "../state/lab.js";
import { memory } from "../state/session.js";
import type { Objects } from "../tools/objects.js";
import { type Camera, fitted, windowOf } from "./camera.js";
import { Renderer } from "./gl.js";
import { marksOf } from "./marks.js";

const ANTS_MILLISECONDS = 80;
const SOON_MILLISECONDS = 34;

export class Screen implements Shower {
  readonly canvas: HTMLCanvasElement;
  readonly #renderer: Renderer;
  camera: Camera = { x: 0, y: 0, scale: 1 };
  crosshair: readonly [number, number] | undefined;
  /** The settings whose labels the view shows. */
  #shown = "";
  #fills: ShownFills = { selected: undefined, preview: undefined, coats: [] };
  #frame = 0;
  #ants = 0;
  #marching: ReturnType<typeof setTimeout> | undefined;
  /** When the newest change without a result was made, and how long the last result took. */
  #asked: number | undefined;
  #latency = Number.POSITIVE_INFINITY;
  /** When the newest change came in, for the bench. */
  #since: number | undefined;

  constructor(canvas: HTMLCanvasElement, gl: WebGL2RenderingContext) {
    this.canvas = canvas;
    this.#renderer = new Renderer(gl);
    effect(() => {
      this.#renderer.showSelected(selection.value);
      this.redraw();
    });
    effect(() => {
      void [hovered.value, divider.value, level.value];
      this.redraw();
    });
  }

  get uploaded(): number {
    return this.#renderer.uploaded;
  }

  picture(opened: Opened): void {
    this.#renderer.showImage(opened);
    this.#shown = "";
    this.#fills = { selected: undefined, preview: undefined, coats: [] };
    this.crosshair = undefined;
    this.camera = fitted(this.canvas, opened);
    this.redraw();
  }

  async objects({ components }: Objects, key: string, signal?: AbortSignal): Promise<void> {
    const window = windowOf(this.camera, this.canvas);
    const { data } = await components.labels({ window, ...(signal ? { signal } : {}) });
    this.#renderer.showResult({ ...window, data });
    if (key) this.#shown = key;
    this.#drawNow();
  }

  fills(shown: ShownFills): void {
    if (shown.coats !== this.#fills.coats) this.#renderer.showCoats(shown.coats.map(({ colour }) => colour));
    this.#fills = shown;
    const window = windowOf(this.camera, this.canvas);
    this.#renderer.showResult({ ...window, data: marksOf(shown, window) });
    this.#march(shown.selected !== undefined);
    this.#drawNow();
  }

  /** Ants march while something is selected, unless the user prefers reduced motion. */
  #march(wanted: boolean): void {
    const marching = wanted && recipe.value.tool === "fill" && !matchMedia("(prefers-reduced-motion: reduce)").matches;
    if (marching === (this.#marching !== undefined)) return;
    clearTimeout(this.#marching);
    this.#marching = marching ? setTimeout(() => this.#step(), ANTS_MILLISECONDS) : undefined;
  }

  /** A step of the ants. If frames take long, ants take a quarter of the time at most. */
  #step(): void {
    if (recipe.value.tool !== "fill") {
      this.#march(false);
      return;
    }
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
    this.redraw();
    showAgain();
  }

  /** The whole picture. */
  fit(): void {
    if (picture.value) this.look(fitted(this.canvas, picture.value));
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
  tint = (): void => {
    const asked = performance.now();
    this.#asked = asked;
    if (this.#latency > SOON_MILLISECONDS) {
      this.redraw();
      return;
    }
    setTimeout(() => {
      if (this.#asked === asked) this.redraw();
    }, SOON_MILLISECONDS);
  };

  /** The bench measures from here to the end of the draw that shows the result. */
  measureFrom(time: number): void {
    this.#since = time;
  }

  /** The crosshair lies over the canvas, in the middle of its pixel. */
  #placeCrosshair(): void {
    const mark = this.canvas.parentElement?.querySelector<HTMLElement>(".crosshair");
    if (!mark) return;
    mark.hidden = this.crosshair === undefined;
    if (!this.crosshair) return;
    const [x, y] = this.crosshair;
    const at = (n: number, from: number): number => ((n + 0.5 - from) * this.camera.scale) / devicePixelRatio;
    mark.style.translate = `${at(x, this.camera.x)}px ${at(y, this.camera.y)}px`;
  }

  /** Draws once more and waits for it; milliseconds, for the bench. */
  drawn(): number {
    const begin = performance.now();
    this.#draw();
    this.#renderer.finish();
    return performance.now() - begin;
  }

  /** A result came: it is drawn at once, which the browser shows with its next frame. */
  #drawNow(): void {
    if (this.#frame) cancelAnimationFrame(this.#frame);
    this.#frame = 0;
    if (this.#asked !== undefined) this.#latency = performance.now() - this.#asked;
    this.#asked = undefined;
    const start = this.#since;
    if (start !== undefined) performance.measure("skerry:arrived", { start, end: performance.now() });
    this.#draw();
    if (start === undefined) return;
    this.#renderer.finish();
    performance.measure("skerry:result", { start, end: performance.now() });
    this.#since = undefined;
  }

  #draw(): void {
    const begin = performance.now();
    const { tool, objects } = recipe.value;
    this.#renderer.draw({
      ...{ camera: this.camera, divider: divider.value, tool, objects, ants: this.#ants },
      level: level.value ?? [0, 1],
      settled: this.#shown === keyOf(recipe.value),
      hovered: hovered.value,
    });
    this.#placeCrosshair();
    zoom.value = Math.round((100 * this.camera.scale) / devicePixelRatio);
    const end = performance.now();
    performance.measure("skerry:frame", { start: begin, end });
    drawMilliseconds.value = end - begin;
  }
}

let screen: Screen | undefined;

/** The screen, once there is one. */
export function theScreen(): Screen | undefined {
  return screen;
}

export function setScreen(made: Screen): void {
  screen = made;
  // Used by the bench only.
  if (new URLSearchParams(location.search).has("bench")) {
    Object.assign(globalThis, { skerryBench: { uploaded: () => made.uploaded, drawn: () => made.drawn(), memory } });
  }
}
