// Pointers and keys on the picture: one finger or the mouse uses the tool, two fingers move and zoom, keys do all of it.
// Tools define what a click, a drag and a box do; see `Gestures`.

import type { Mode, Spot } from "../settings/spots.js";
import { ruler } from "../state/drawn.js";
import { band, divider, mode, picture, reading, recipe, rollBack } from "../state/lab.js";
import { toolOf } from "../tools/index.js";
import type { Gestures } from "../tools/tool.js";
import { measureFrom } from "../widgets/measure.js";
import { TEXT } from "../words/text.js";
import { type Camera, moved, zoomed } from "./camera.js";
import type { Screen } from "./screen.js";

/** A press within this distance of the knob's centre grabs the divider, in CSS pixels. */
const KNOB = 22;
/** How far a mouse, and a finger, may move in a click, in CSS pixels. */
const SLOP = { mouse: 4, touch: 8 } as const;
/** A finger uses the tool only after this time, because a second finger may follow. */
const FINGER_MILLISECONDS = 80;
/** CSS pixels for one step of a drag. */
const PER_LEVEL = 2;
const PAN_STEP = 48;

type Place = readonly [number, number];

interface Press {
  readonly from: Place;
  readonly spot: Spot;
  readonly kind: "divider" | "pan" | "box" | "click" | "drag" | "ruler" | "stroke";
  readonly mode: Mode;
  readonly gesture: string;
  readonly slop: number;
  /** Whether the tool has received the press. */
  begun: boolean;
  moved: boolean;
  last: Place;
  timer: ReturnType<typeof setTimeout> | undefined;
}

export class Pointer {
  readonly #screen: Screen;
  #press: Press | undefined;
  #fingers = new Map<number, Place>();
  #space = false;
  #gesture = 0;

  constructor(screen: Screen) {
    this.#screen = screen;
  }

  get #gestures(): Gestures {
    return toolOf(recipe.value).gestures;
  }

  #at(event: MouseEvent): Place {
    const box = this.#screen.canvas.getBoundingClientRect();
    return [(event.clientX - box.left) * devicePixelRatio, (event.clientY - box.top) * devicePixelRatio];
  }

  #least(): number {
    return picture.value ? this.#screen.fitting(picture.value).scale : 1;
  }

  #isInside([x, y]: Place): boolean {
    const { value: image } = picture;
    return image !== undefined && x >= 0 && y >= 0 && x < image.width && y < image.height;
  }

  /** The nearest pixel of the picture. */
  #inside([x, y]: Spot): Spot {
    const { width, height } = picture.value ?? { width: 1, height: 1 };
    return [Math.min(width - 1, Math.max(0, x)), Math.min(height - 1, Math.max(0, y))];
  }

  /** Whether a place of the canvas is on the divider's knob. */
  #isOnKnob([x, y]: Place): boolean {
    const { width, height } = this.#screen.canvas;
    return Math.hypot(x - divider.value * width, y - height / 2) < KNOB * devicePixelRatio;
  }

  wheel = (event: WheelEvent): void => {
    event.preventDefault();
    const { size } = this.#gestures;
    if (event.altKey && size) {
      size(event.deltaY < 0 ? 1 : -1);
      return;
    }
    const scale = event.ctrlKey ? 100 : 400;
    this.#screen.look(zoomed(this.#screen.camera, Math.exp(-event.deltaY / scale), ...this.#at(event), this.#least()));
  };

  down = (event: PointerEvent): void => {
    // The right button opens the browser's menu.
    if (event.button > 1) return;
    this.#screen.canvas.setPointerCapture(event.pointerId);
    const at = this.#at(event);
    this.#fingers.set(event.pointerId, at);
    if (this.#fingers.size > 1) {
      this.#takeBack();
      return;
    }
    const spot = this.#screen.pixelAt(...at);
    const pans = this.#space || event.button === 1 || !this.#isInside(spot);
    const { drag, box, stroke } = this.#gestures;
    const tools = stroke ? "stroke" : drag ? "drag" : box && event.shiftKey ? "box" : "click";
    const isTouch = event.pointerType === "touch";
    const press: Press = {
      from: at,
      spot,
      mode: modeOf(event),
      gesture: `press ${++this.#gesture}`,
      kind: ruler.value === "armed" ? "ruler" : this.#isOnKnob(at) ? "divider" : pans ? "pan" : tools,
      slop: SLOP[isTouch ? "touch" : "mouse"] * devicePixelRatio,
      begun: false,
      moved: false,
      last: at,
      timer: undefined,
    };
    this.#press = press;
    if (press.kind !== "drag") return;
    if (isTouch) press.timer = setTimeout(() => this.#begin(press), FINGER_MILLISECONDS);
    else this.#begin(press);
  };

  /** Passes a press that may become a drag to the tool. */
  #begin(press: Press): void {
    clearTimeout(press.timer);
    if (press.begun || press !== this.#press) return;
    press.begun = true;
    measureFrom(performance.now());
    this.#gestures.drag?.begin(press.spot, press.mode, press.gesture);
  }

  /** Reverts the press, for example when a second finger follows. */
  #takeBack(): void {
    const press = this.#press;
    this.#press = undefined;
    band.value = undefined;
    if (!press) return;
    clearTimeout(press.timer);
    if (press.kind === "stroke") this.#gestures.stroke?.cancel();
    else if (press.begun) rollBack(press.gesture);
  }

  move = (event: PointerEvent): void => {
    const at = this.#at(event);
    if (this.#fingers.has(event.pointerId) && this.#fingers.size > 1) {
      this.#pinch(event.pointerId, at);
      return;
    }
    const press = this.#press;
    if (!press) {
      this.point(this.#screen.pixelAt(...at));
      return;
    }
    press.moved ||= Math.hypot(at[0] - press.from[0], at[1] - press.from[1]) > press.slop;
    if (press.kind === "divider") {
      divider.value = Math.min(1, Math.max(0, at[0] / this.#screen.canvas.width));
    } else if (press.moved) {
      // A fast hand moves several times within a frame.
      const all = press.kind === "stroke" ? (event.getCoalescedEvents?.() ?? []) : [];
      for (const each of all.length > 0 ? all : [event]) this.#moved(press, this.#at(each));
    }
    if (press.moved || press.kind === "pan") press.last = at;
  };

  #moved(press: Press, at: Place): void {
    if (press.kind === "drag") {
      this.#begin(press);
      // Right or up is more, left or down is less.
      const by = Math.round((at[0] - press.from[0] - (at[1] - press.from[1])) / PER_LEVEL / devicePixelRatio);
      measureFrom(performance.now());
      this.#gestures.drag?.move(by, press.gesture);
    } else if (press.kind === "stroke") {
      const { stroke } = this.#gestures;
      if (!press.begun) stroke?.begin(press.spot);
      press.begun = true;
      stroke?.move(this.#inside(this.#screen.pixelAt(...at)));
    } else if (press.kind === "ruler") {
      ruler.value = { from: press.spot, to: this.#screen.pixelAt(...at) };
    } else if (press.kind === "box") {
      const [x0, y0, x1, y1] = [...press.from, ...at].map((n) => n / devicePixelRatio);
      band.value = [Math.min(x0, x1), Math.min(y0, y1), Math.abs(x1 - x0), Math.abs(y1 - y0)];
    } else {
      this.#screen.look(moved(this.#screen.camera, at[0] - press.last[0], at[1] - press.last[1]));
    }
  }

  up = (event: PointerEvent): void => {
    this.#fingers.delete(event.pointerId);
    const press = this.#press;
    if (!press) return;
    if (press.kind === "drag") this.#begin(press);
    this.#press = undefined;
    band.value = undefined;
    if (press.kind === "stroke" && press.moved) {
      measureFrom(performance.now());
      this.#gestures.stroke?.end(press.gesture);
    } else if (press.kind === "ruler" && press.moved) {
      // Opens the dialog for the length of the line.
      document.querySelector<HTMLElement>(`[data-dialog="${TEXT.scale.name}"]`)?.click();
    } else if (press.kind === "box" && press.moved) {
      this.#gestures.box?.(press.spot, this.#screen.pixelAt(...this.#at(event)));
    } else if ((press.kind === "click" || press.kind === "box" || press.kind === "stroke") && !press.moved) {
      this.#gestures.click(press.spot, press.mode, press.gesture);
    }
  };

  /** Reverts a press that the browser has cancelled. */
  cancel = (event: PointerEvent): void => {
    this.#fingers.delete(event.pointerId);
    this.#takeBack();
  };

  leave = (): void => {
    if (this.#press) return;
    reading.value = "";
    this.#gestures.point(undefined);
  };

  doubleClick = (event: MouseEvent): void => {
    if (this.#isOnKnob(this.#at(event))) divider.value = 0.5;
  };

  /** Moves and zooms the picture with two fingers; the points under them stay there. Tools take their turns. */
  #pinch(id: number, at: Place): void {
    const [a, b] = [...this.#fingers.entries()];
    if (!a || !b) return;
    const [still, before] = a[0] === id ? [b[1], a[1]] : [a[1], b[1]];
    this.#fingers.set(id, at);
    const apart = (p: Place): number => Math.max(1, Math.hypot(p[0] - still[0], p[1] - still[1]));
    const middle = (p: Place): Place => [(p[0] + still[0]) / 2, (p[1] + still[1]) / 2];
    const [from, to] = [middle(before), middle(at)];
    let camera: Camera = moved(this.#screen.camera, to[0] - from[0], to[1] - from[1]);
    camera = zoomed(camera, apart(at) / apart(before), ...to, this.#least());
    this.#screen.look(camera);
    // From -π to π, also where the angle passes there.
    const turn =
      Math.atan2(at[1] - still[1], at[0] - still[0]) - Math.atan2(before[1] - still[1], before[0] - still[0]);
    this.#gestures.turn?.(Math.atan2(Math.sin(turn), Math.cos(turn)));
  }

  /** Shows the values at a pixel, and the tool's text about it. */
  point(spot: Spot): void {
    const { value: image } = picture;
    const begin = performance.now();
    if (!image || !this.#isInside(spot)) {
      reading.value = "";
      this.#gestures.point(undefined);
      return;
    }
    const [x, y] = spot;
    const at = (y * image.width + x) * image.channels;
    const values = Array.from(image.data.subarray(at, at + Math.min(3, image.channels)));
    const { scale } = recipe.value;
    const place = scale ? `  (${TEXT.length(x * scale.size)}, ${TEXT.length(y * scale.size)} ${scale.unit})` : "";
    reading.value = TEXT.pixel(x, y, values.join(" "), this.#gestures.point(spot)) + place;
    performance.measure("skerry:hover", { start: begin, end: performance.now() });
  }

  keyUp = (event: KeyboardEvent): void => {
    if (event.key === " ") this.#space = false;
  };

  key = (event: KeyboardEvent): void => {
    if (event.key === " ") {
      this.#space = true;
      event.preventDefault();
      return;
    }
    const { canvas, camera } = this.#screen;
    const zoomBy = (factor: number): void =>
      this.#screen.look(zoomed(camera, factor, canvas.width / 2, canvas.height / 2, this.#least()));
    const arrow = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key] as
      | Place
      | undefined;
    if (arrow) {
      event.preventDefault();
      if (event.shiftKey) this.#screen.look(moved(camera, -arrow[0] * PAN_STEP, -arrow[1] * PAN_STEP));
      else this.#moveCrosshair(arrow, event.ctrlKey ? 10 : 1);
      return;
    }
    const keys: Record<string, () => void> = {
      "+": () => zoomBy(1.5),
      "=": () => zoomBy(1.5),
      "-": () => zoomBy(1 / 1.5),
      "0": () => this.#screen.fit(),
      "1": () => zoomBy(devicePixelRatio / camera.scale),
      ",": () => this.#split(-0.02),
      ".": () => this.#split(0.02),
      Enter: () => this.#take(event),
    };
    const commands = event.ctrlKey || event.metaKey;
    const work = commands && event.key !== "Enter" ? undefined : keys[event.key];
    if (!work) return;
    event.preventDefault();
    work();
  };

  #split(by: number): void {
    divider.value = Math.min(1, Math.max(0, divider.value + by));
  }

  #moveCrosshair([dx, dy]: Place, by: number): void {
    const { value: image } = picture;
    if (!image) return;
    const { canvas, camera } = this.#screen;
    const middle = this.#screen.pixelAt(canvas.width / 2, canvas.height / 2);
    const [x, y] = this.#screen.crosshair ?? middle;
    const clamp = (n: number, most: number): number => Math.min(most - 1, Math.max(0, n));
    const next = [clamp(x + dx * by, image.width), clamp(y + dy * by, image.height)] as const;
    this.#screen.crosshair = next;
    const [px, py] = [(next[0] - camera.x) * camera.scale, (next[1] - camera.y) * camera.scale];
    if (px < 0 || py < 0 || px >= canvas.width || py >= canvas.height) {
      this.#screen.look({
        ...camera,
        x: next[0] - canvas.width / camera.scale / 2,
        y: next[1] - canvas.height / camera.scale / 2,
      });
    } else this.#screen.redraw();
    this.point(next);
  }

  /** Acts at the crosshair as a click would. */
  #take(event: KeyboardEvent): void {
    const spot = this.#screen.crosshair;
    if (spot) this.#gestures.click(spot, modeOf(event), `press ${++this.#gesture}`);
  }
}

/** How a press changes the selection: by the keys that are held, else as the user chose. */
function modeOf({ shiftKey, altKey }: MouseEvent | KeyboardEvent): Mode {
  return shiftKey ? "add" : altKey ? "take" : mode.value;
}
