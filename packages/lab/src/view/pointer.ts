// Pointers and keys on the picture: one finger or the mouse works the tool, two move and zoom, keys do all of it.

import { labelAt } from "skerry";
import { removeSelected } from "../state/edits.js";
import { previewFill } from "../state/follow.js";
import { changeFill, divider, fresh, hovered, measured, picture, reading, recipe, selection } from "../state/lab.js";
import type { Stroke } from "../state/recipe.js";
import { TEXT } from "../text.js";
import { type Camera, fitted, moved, zoomed } from "./camera.js";
import type { Screen } from "./screen.js";

/** How near to the divider a press grabs it, and how far the pointer may move in a click, in CSS pixels. */
const [NEAR, SLOP] = [12, 4];
/** Canvas pixels for one level of tolerance. */
const PER_LEVEL = 2;
const PAN_STEP = 48;

type Place = readonly [number, number];

interface Press {
  readonly from: Place;
  readonly spot: Place;
  readonly kind: "divider" | "pan" | "object" | "fill";
  readonly add: boolean;
  moved: boolean;
  last: Place;
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

  #at(event: MouseEvent): Place {
    const box = this.#screen.canvas.getBoundingClientRect();
    return [(event.clientX - box.left) * devicePixelRatio, (event.clientY - box.top) * devicePixelRatio];
  }

  #least(): number {
    return picture.value ? fitted(this.#screen.canvas, picture.value).scale : 1;
  }

  #isInside([x, y]: Place): boolean {
    const { value: image } = picture;
    return image !== undefined && x >= 0 && y >= 0 && x < image.width && y < image.height;
  }

  wheel = (event: WheelEvent): void => {
    event.preventDefault();
    const scale = event.ctrlKey ? 100 : 400;
    this.#screen.look(zoomed(this.#screen.camera, Math.exp(-event.deltaY / scale), ...this.#at(event), this.#least()));
  };

  down = (event: PointerEvent): void => {
    const { canvas } = this.#screen;
    canvas.setPointerCapture(event.pointerId);
    const at = this.#at(event);
    this.#fingers.set(event.pointerId, at);
    if (this.#fingers.size > 1) {
      this.#press = undefined;
      return;
    }
    const spot = this.#screen.pixelAt(...at);
    const { tool } = recipe.value;
    const pans = this.#space || event.button === 1 || !this.#isInside(spot);
    const kind =
      Math.abs(at[0] - divider.value * canvas.width) < NEAR * devicePixelRatio
        ? "divider"
        : pans
          ? "pan"
          : tool === "fill"
            ? "fill"
            : "object";
    this.#press = { from: at, spot, kind, add: event.shiftKey, moved: false, last: at };
    this.#gesture++;
    if (kind !== "fill") return;
    this.#screen.measureFrom(performance.now());
    this.#stroke(spot, event.shiftKey ? "add" : event.altKey ? "take" : "new", recipe.value.fill.tolerance);
  };

  move = (event: PointerEvent): void => {
    const at = this.#at(event);
    if (this.#fingers.has(event.pointerId) && this.#fingers.size > 1) {
      this.#pinch(event.pointerId, at);
      return;
    }
    const press = this.#press;
    if (!press) {
      this.point(this.#screen.pixelAt(...at), true);
      return;
    }
    press.moved ||= Math.hypot(at[0] - press.from[0], at[1] - press.from[1]) > SLOP * devicePixelRatio;
    if (press.kind === "divider") {
      divider.value = Math.min(1, Math.max(0, at[0] / this.#screen.canvas.width));
    } else if (press.kind === "fill") {
      if (press.moved) this.#drag(press, at);
    } else if (press.moved) {
      this.#screen.look(moved(this.#screen.camera, at[0] - press.last[0], at[1] - press.last[1]));
    }
    if (press.moved || press.kind !== "object") press.last = at;
  };

  up = (event: PointerEvent): void => {
    this.#fingers.delete(event.pointerId);
    const press = this.#press;
    this.#press = undefined;
    if (press?.kind === "object" && !press.moved) this.select(press.spot, press.add);
  };

  leave = (): void => {
    if (this.#press) return;
    hovered.value = 0;
    reading.value = "";
    if (recipe.value.tool === "fill") previewFill(undefined);
  };

  doubleClick = (event: MouseEvent): void => {
    const near = Math.abs(this.#at(event)[0] - divider.value * this.#screen.canvas.width) < NEAR * devicePixelRatio;
    if (near) divider.value = 0.5;
  };

  /** Two fingers move and zoom the picture, whose points stay under them. */
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
  }

  /** Right or up widens, left or down narrows. */
  #drag(press: Press, at: Place): void {
    const by = Math.round((at[0] - press.from[0] - (at[1] - press.from[1])) / PER_LEVEL / devicePixelRatio);
    const { strokes } = recipe.value.fill;
    const last = strokes.at(-1);
    if (!last) return;
    const tolerance = Math.min(255, Math.max(0, this.#begun + by));
    if (tolerance === last.tolerance) return;
    this.#screen.measureFrom(performance.now());
    const changed = { strokes: [...strokes.slice(0, -1), { ...last, tolerance }], tolerance };
    changeFill(changed, { gesture: `press ${this.#gesture}` });
  }

  /** The tolerance that a drag began with. */
  #begun = 0;

  #stroke(spot: Place, mode: Stroke["mode"], tolerance: number): void {
    const { strokes } = recipe.value.fill;
    this.#begun = tolerance;
    const stroke: Stroke = { mode: strokes.length === 0 ? "new" : mode, x: spot[0], y: spot[1], tolerance };
    // A press is one step of the history, which includes the changes of its drag.
    const next = stroke.mode === "new" ? [stroke] : [...strokes, stroke];
    changeFill({ strokes: next, tolerance }, { gesture: `press ${this.#gesture}` });
  }

  /** Selects the object at a pixel. With `add`, adds it to the selection, or removes it if it is selected. */
  select(spot: Place, add: boolean): void {
    const label = fresh.value && measured.value ? labelAt(measured.value.runs, ...spot) : 0;
    const before = selection.value;
    if (!add) selection.value = new Set(label ? [label] : []);
    else if (label) {
      const next = new Set(before);
      if (!next.delete(label)) next.add(label);
      selection.value = next;
    }
  }

  /** Shows the values at a pixel, and outlines the object there. */
  point(spot: Place, previews: boolean): void {
    const { value: image } = picture;
    const begin = performance.now();
    if (!image || !this.#isInside(spot)) {
      reading.value = "";
      hovered.value = 0;
      return;
    }
    const [x, y] = spot;
    const { tool } = recipe.value;
    const label = tool === "objects" && fresh.value && measured.value ? labelAt(measured.value.runs, x, y) : 0;
    const at = (y * image.width + x) * image.channels;
    const values = Array.from(image.data.subarray(at, at + Math.min(3, image.channels)));
    reading.value = TEXT.pixel(x, y, values.join(" "), tool === "objects" ? TEXT.object(label) : "");
    hovered.value = label;
    if (tool === "fill" && previews) previewFill(spot);
    performance.measure("skerry:hover", { start: begin, end: performance.now() });
  }

  keyUp = (event: KeyboardEvent): void => {
    if (event.key === " ") this.#space = false;
  };

  key = (event: KeyboardEvent): void => {
    if (event.metaKey) return;
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
      "[": () => this.#widen(-1),
      "]": () => this.#widen(1),
      Enter: () => this.#take(event),
      Delete: removeSelected,
      Backspace: removeSelected,
    };
    const work = keys[event.key];
    if (!work || (event.ctrlKey && event.key !== "Enter")) return;
    event.preventDefault();
    work();
  };

  #split(by: number): void {
    divider.value = Math.min(1, Math.max(0, divider.value + by));
  }

  /** More or less tolerance: of the last press, or of the next. */
  #widen(by: number): void {
    const { strokes, tolerance } = recipe.value.fill;
    const last = strokes.at(-1);
    const next = Math.min(255, Math.max(0, (last?.tolerance ?? tolerance) + by));
    changeFill({ strokes: last ? [...strokes.slice(0, -1), { ...last, tolerance: next }] : [], tolerance: next });
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
    this.point(next, true);
  }

  /** Acts at the crosshair as a click would. */
  #take(event: KeyboardEvent): void {
    const spot = this.#screen.crosshair;
    if (!spot) return;
    if (recipe.value.tool === "objects") this.select(spot, event.shiftKey);
    else {
      this.#gesture++;
      this.#stroke(spot, event.shiftKey ? "add" : event.altKey ? "take" : "new", recipe.value.fill.tolerance);
    }
  }
}
