// One plane of a volume: its values between black and white, what was found over them, and the lines of the other two planes.

import { objectColour, palette, rampColour } from "@skerry/files";
import { useEffect, useRef } from "preact/hooks";
import { type Axis, type Plane, turned } from "../../files/planes.js";
import { VOLUME } from "../../words/volume.js";
import { changeVolume, type Held, type Point, point, type Seen, seen, shades } from "./state.js";

/** Opacity of labels and distances over the values. */
const OPACITY = 0.5;
const colours = palette();

/** The colour of a value over a plane; undefined where there is none. */
type ColourOf = (value: number) => ArrayLike<number> | undefined;

/** Lines lie where distances pass a multiple of the step. */
const WHITE = [255, 255, 255];

/** Draws a plane through a point into an image of its size. */
export function drawPlane(
  image: ImageData,
  { opened: { data }, sizes }: Held,
  { across, down, through, isMirrored, isUpsideDown }: Plane,
  at: number,
  [low, high]: readonly [number, number],
  over: Seen | undefined,
): void {
  const strides = [1, sizes[0], sizes[0] * sizes[1]];
  const scale = 255 / (high - low || 1);
  // Windows run along the first of their two axes.
  const [first] = ([0, 1, 2] as const).filter((axis) => axis !== through);
  const steps = [across === first ? 1 : sizes[first], across === first ? sizes[first] : 1];
  const layer = over?.planes[through];
  const { farthest = 0, lines: every = 0 } = over ?? {};
  const colourOf: ColourOf =
    over?.kind === "labels"
      ? (value) => (value > 0 ? objectColour(colours, value) : undefined)
      : (value) => (Number.isFinite(value) ? rampColour(value, 0, farthest) : undefined);
  const bandOf = (value: number): number => Math.floor(value / every);
  const rgba = image.data;
  for (let row = 0; row < sizes[down]; row++) {
    const y = turned(row, sizes[down], isUpsideDown);
    for (let column = 0; column < sizes[across]; column++) {
      const x = turned(column, sizes[across], isMirrored);
      const value = data[x * strides[across] + y * strides[down] + at * strides[through]];
      const grey = Math.max(0, Math.min(255, (value - low) * scale));
      const to = 4 * (row * sizes[across] + column);
      const here = x * steps[0] + y * steps[1];
      let colour = layer && colourOf(layer[here]);
      if (layer && every > 0 && over?.kind === "distances") {
        const band = bandOf(layer[here]);
        const isLine =
          (x > 0 && bandOf(layer[here - steps[0]]) < band) || (y > 0 && bandOf(layer[here - steps[1]]) < band);
        if (isLine) colour = WHITE;
      }
      for (let c = 0; c < 3; c++)
        rgba[to + c] = colour === undefined ? grey : grey * (1 - OPACITY) + colour[c] * OPACITY;
      rgba[to + 3] = 255;
    }
  }
}

const moved = (from: Point, axis: Axis, to: number): Point => {
  const next: [number, number, number] = [...from];
  next[axis] = to;
  return next;
};

export function Slice({ volume, plane, isSeeding }: { volume: Held; plane: Plane; isSeeding: boolean }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const { sizes, sides } = volume;
  const { across, down, through, letters, name } = plane;
  const [columns, rows] = [sizes[across], sizes[down]];
  const ratio = (columns * sides[across]) / (rows * sides[down]);
  const now = point.value;
  useEffect(() => {
    const context = canvas.current?.getContext("2d");
    if (!context) return;
    const image = context.createImageData(columns, rows);
    drawPlane(image, volume, plane, now[through], shades.value, seen.value);
    context.putImageData(image, 0, 0);
  }, [volume, plane, now[through], shades.value, seen.value]);

  const clamped = (axis: Axis, at: number): number => Math.max(0, Math.min(sizes[axis] - 1, at));
  const step = (axis: Axis, by: number, isTurned = false): void => {
    point.value = moved(now, axis, clamped(axis, now[axis] + (isTurned ? -by : by)));
  };
  const pressed = (event: PointerEvent): Point => {
    const box = (event.currentTarget as HTMLElement).getBoundingClientRect();
    const column = Math.floor(((event.clientX - box.left) / box.width) * columns);
    const row = Math.floor(((event.clientY - box.top) / box.height) * rows);
    const x = turned(clamped(across, column), columns, plane.isMirrored);
    return moved(moved(point.value, across, x), down, turned(clamped(down, row), rows, plane.isUpsideDown));
  };
  const keys: Readonly<Record<string, () => void>> = {
    ArrowLeft: () => step(across, -1, plane.isMirrored),
    ArrowRight: () => step(across, 1, plane.isMirrored),
    ArrowUp: () => step(down, -1, plane.isUpsideDown),
    ArrowDown: () => step(down, 1, plane.isUpsideDown),
    PageUp: () => step(through, 1),
    PageDown: () => step(through, -1),
    Enter: () => {
      if (isSeeding) changeVolume({ seed: point.value });
    },
  };
  const part = (axis: Axis, isTurned: boolean): string =>
    `${(100 * (turned(now[axis], sizes[axis], isTurned) + 0.5)) / sizes[axis]}%`;
  const label = VOLUME.slice(VOLUME.planes[name], now[through], sizes[through] - 1);
  return (
    <figure class="plane">
      <figcaption>{label}</figcaption>
      <div class="slice" style={{ aspectRatio: `${ratio}`, width: `min(100%, calc(36vh * ${ratio}))` }}>
        <canvas
          ref={canvas}
          width={columns}
          height={rows}
          role="application"
          tabIndex={0}
          aria-label={label}
          data-plane={name}
          onPointerDown={(event) => {
            event.currentTarget.setPointerCapture(event.pointerId);
            point.value = pressed(event);
            if (isSeeding && !event.shiftKey) changeVolume({ seed: point.value });
          }}
          onPointerMove={(event) => {
            if (!event.currentTarget.hasPointerCapture(event.pointerId)) return;
            if (!event.shiftKey) {
              point.value = pressed(event);
              return;
            }
            // Right is more contrast, up is brighter.
            const [low, high] = shades.value;
            const by = (high - low) / 200;
            shades.value = [
              low + by * (event.movementY + event.movementX),
              high + by * (event.movementY - event.movementX),
            ];
          }}
          onWheel={(event) => {
            event.preventDefault();
            step(through, Math.sign(event.deltaY));
          }}
          onKeyDown={(event) => {
            const work = keys[event.key];
            if (!work) return;
            event.preventDefault();
            work();
          }}
        />
        <i class="across" style={{ top: part(down, plane.isUpsideDown) }} />
        <i class="down" style={{ left: part(across, plane.isMirrored) }} />
        {letters.map((letter, i) => (
          <b key={["left", "right", "top", "bottom"][i]} class={["left", "right", "top", "bottom"][i]}>
            {letter}
          </b>
        ))}
      </div>
    </figure>
  );
}
