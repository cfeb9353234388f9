// One plane of a volume on the screen: what is drawn of it, the lines of the other two planes, and what pointer and keys do in it.

import { effect } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { type Axis, type Plane, turned } from "../../files/planes.js";
import { hasBrush } from "../../tools/objects/hand/line.js";
import { radius } from "../../tools/objects/hand/state.js";
import { VOLUME } from "../../words/volume.js";
import { drawPlane } from "./draw.js";
import { beginLine, endLine, forgetLine, goOn } from "./hand.js";
import { begun, changeVolume, type Held, hand, kindNow, type Point, point, seen, shades } from "./state.js";

/** How far a press may move in a click, in CSS pixels. */
const SLOP = 4;

const moved = (from: Point, axis: Axis, to: number): Point => {
  const next: [number, number, number] = [...from];
  next[axis] = to;
  return next;
};

export function Slice({ volume, plane, isSeeding }: { volume: Held; plane: Plane; isSeeding: boolean }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  /** The place of the window at which a press began that has not moved yet. */
  const from = useRef<readonly [number, number] | undefined>(undefined);
  const { sizes, sides } = volume;
  const { across, down, through, letters, name } = plane;
  const [columns, rows] = [sizes[across], sizes[down]];
  const ratio = (columns * sides[across]) / (rows * sides[down]);
  const now = point.value;
  // Lines lie in one slice.
  const isCorrecting = hand.value !== undefined && kindNow() === "objects" && through === 2;
  // A result is drawn as it arrives: an effect of a component would wait for the browser's next frame.
  useEffect(
    () =>
      effect(() => {
        const context = canvas.current?.getContext("2d");
        if (!context) return;
        const image = context.createImageData(columns, rows);
        drawPlane(image, volume, plane, point.value[through], shades.value, seen.value);
        context.putImageData(image, 0, 0);
      }),
    [volume, plane],
  );

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
    Escape: forgetLine,
    Enter: () => {
      if (isCorrecting) {
        beginLine(point.value);
        endLine();
      }
      if (isSeeding) changeVolume({ seed: point.value });
    },
  };
  const part = (axis: Axis, isTurned: boolean): string =>
    `${(100 * (turned(now[axis], sizes[axis], isTurned) + 0.5)) / sizes[axis]}%`;
  const onScreen = (place: Point, axis: Axis, isTurned: boolean): number =>
    turned(place[axis], sizes[axis], isTurned) + 0.5;
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
            if (event.button !== 0 || !event.isPrimary) return;
            event.currentTarget.setPointerCapture(event.pointerId);
            if (isCorrecting && !event.shiftKey) {
              from.current = [event.clientX, event.clientY];
              beginLine(pressed(event));
              return;
            }
            point.value = pressed(event);
            if (isSeeding && !event.shiftKey) changeVolume({ seed: point.value });
          }}
          onPointerMove={(event) => {
            if (!event.currentTarget.hasPointerCapture(event.pointerId)) return;
            if (isCorrecting && !event.shiftKey) {
              const [x, y] = from.current ?? [event.clientX, event.clientY];
              // A press that hardly moves is a click.
              if (from.current && Math.hypot(event.clientX - x, event.clientY - y) < SLOP) return;
              from.current = undefined;
              goOn(pressed(event));
              return;
            }
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
          onPointerUp={() => {
            if (isCorrecting) endLine();
          }}
          onPointerCancel={forgetLine}
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
        {isCorrecting && begun.value.length > 0 && begun.value[0][2] === now[2] && (
          <svg viewBox={`0 0 ${columns} ${rows}`} preserveAspectRatio="none" aria-hidden="true">
            <path
              d={`M${begun.value.map((place) => `${onScreen(place, across, plane.isMirrored)} ${onScreen(place, down, plane.isUpsideDown)}`).join("L")}l0 0`}
              stroke-width={hasBrush(hand.value) ? 2 * radius.value + 1 : 1}
            />
          </svg>
        )}
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
