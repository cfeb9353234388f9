// A scatter plot of any two properties, with a point for each object. Points are drawn once into a canvas of their own.
// A second canvas shows the hovered and selected points and the box.

import { useSignal } from "@preact/signals";
import { useEffect, useMemo, useRef } from "preact/hooks";
import type { Regions } from "skerry";
import { titleOf } from "skerry/internal";
import type { Property } from "../../settings/objects.js";
import { hovered, selection } from "../../state/lab.js";
import { Tick } from "../../widgets/fields.js";
import { CHARTS } from "../../words/dialogs.js";
import { scaleOf, valuesOf } from "./scale.js";
import { scattered } from "./state.js";

const [WIDTH, HEIGHT] = [308, 168];
const [LEFT, BOTTOM, MARGIN] = [44, 18, 6];
/** Pixels within which a point is under the pointer. */
const NEAR = 12;

/** Places of objects on the chart, and the labels of its axes. */
interface Points {
  readonly x: Float32Array;
  readonly y: Float32Array;
  readonly ticks: { readonly x: readonly [string, string]; readonly y: readonly [string, string] };
  /** The last object at each pixel, from 0; -1 for none. */
  readonly first: Int32Array;
}

function pointsOf(regions: Regions, names: readonly [Property, Property], isLog: boolean): Points {
  const places = names.map((name, axis) => {
    const values = valuesOf(regions, name);
    const scale = scaleOf(values);
    // Logarithms begin at the smallest value above 0.
    let least = scale.high;
    for (let i = 0; i < values.length; i++) if (values[i] > 0 && values[i] < least) least = values[i];
    const low = isLog ? Math.min(least, scale.high) : scale.low;
    const of = (value: number): number => (isLog ? Math.log(Math.max(value, low)) : value);
    const [from, to] = [of(low), of(scale.high)];
    const [start, length] = axis === 0 ? [LEFT, WIDTH - LEFT - MARGIN] : [HEIGHT - BOTTOM, MARGIN + BOTTOM - HEIGHT];
    const at = new Float32Array(values.length);
    for (let i = 0; i < values.length; i++) at[i] = start + ((of(values[i]) - from) / (to - from || 1)) * length;
    const tick = (value: number): string => String(Number(value.toPrecision(3)));
    return { at, ticks: [tick(low), tick(scale.high)] as [string, string] };
  });
  const [{ at: x, ticks: ofX }, { at: y, ticks: ofY }] = places;
  const first = new Int32Array(WIDTH * HEIGHT).fill(-1);
  for (let i = 0; i < x.length; i++) {
    if (!Number.isFinite(x[i]) || !Number.isFinite(y[i])) continue;
    const at = Math.round(y[i]) * WIDTH + Math.round(x[i]);
    first[at] = i;
  }
  return { x, y, ticks: { x: ofX, y: ofY }, first };
}

/** The object whose point is nearest, from 1; 0 if none is near. */
function nearest({ first }: Points, px: number, py: number): number {
  let [label, least] = [0, NEAR * NEAR];
  for (let y = Math.max(0, Math.floor(py - NEAR)); y <= Math.min(HEIGHT - 1, py + NEAR); y++) {
    for (let x = Math.max(0, Math.floor(px - NEAR)); x <= Math.min(WIDTH - 1, px + NEAR); x++) {
      const i = first[y * WIDTH + x];
      const apart = (x - px) ** 2 + (y - py) ** 2;
      if (i >= 0 && apart < least) [label, least] = [i + 1, apart];
    }
  }
  return label;
}

/** Draws the points: darker where they are many. */
function drawPoints(pen: CanvasRenderingContext2D, { x, y, ticks }: Points, canvas: HTMLCanvasElement): void {
  const style = getComputedStyle(canvas);
  pen.clearRect(0, 0, WIDTH, HEIGHT);
  const counts = new Float32Array(WIDTH * HEIGHT);
  for (let i = 0; i < x.length; i++) {
    if (!Number.isFinite(x[i]) || !Number.isFinite(y[i])) continue;
    const [cx, cy] = [Math.round(x[i]), Math.round(y[i])];
    for (let dy = -1; dy <= 1; dy++) {
      for (let dx = -1; dx <= 1; dx++) {
        const at = (cy + dy) * WIDTH + cx + dx;
        if (at >= 0 && at < counts.length) counts[at] = counts[at] + 1;
      }
    }
  }
  const [red = 0, green = 0, blue = 0] = style.color.match(/\d+/g)?.map(Number) ?? [];
  const each = Math.max(0.08, Math.min(0.7, 400 / Math.max(1, x.length)));
  const image = pen.createImageData(WIDTH, HEIGHT);
  for (let i = 0; i < counts.length; i++) {
    if (counts[i] === 0) continue;
    image.data.set([red, green, blue, 255 * (1 - (1 - each) ** counts[i])], 4 * i);
  }
  pen.putImageData(image, 0, 0);
  pen.fillStyle = style.getPropertyValue("--quiet");
  pen.strokeStyle = style.getPropertyValue("--line");
  pen.beginPath();
  pen.moveTo(LEFT - 4, MARGIN);
  pen.lineTo(LEFT - 4, HEIGHT - BOTTOM + 4);
  pen.lineTo(WIDTH - MARGIN, HEIGHT - BOTTOM + 4);
  pen.stroke();
  pen.font = "11px system-ui, sans-serif";
  pen.textAlign = "left";
  pen.fillText(ticks.x[0], LEFT - 4, HEIGHT - 4);
  pen.textAlign = "right";
  pen.fillText(ticks.x[1], WIDTH - MARGIN, HEIGHT - 4);
  pen.fillText(ticks.y[0], LEFT - 8, HEIGHT - BOTTOM);
  pen.fillText(ticks.y[1], LEFT - 8, MARGIN + 10);
}

type Box = readonly [number, number, number, number];

export function Scatter({ regions }: { regions: Regions }) {
  const under = useRef<HTMLCanvasElement>(null);
  const over = useRef<HTMLCanvasElement>(null);
  const isLog = useSignal(false);
  const box = useSignal<Box | undefined>(undefined);
  const [xName, yName] = scattered.value;
  const points = useMemo(() => pointsOf(regions, [xName, yName], isLog.value), [regions, xName, yName, isLog.value]);
  useEffect(() => {
    const canvas = under.current;
    const pen = canvas?.getContext("2d");
    if (canvas && pen) drawPoints(pen, points, canvas);
  }, [points]);
  const chosen = selection.value;
  const hoveredLabel = hovered.value;
  useEffect(() => {
    const canvas = over.current;
    const pen = canvas?.getContext("2d");
    if (!canvas || !pen) return;
    pen.clearRect(0, 0, WIDTH, HEIGHT);
    pen.strokeStyle = getComputedStyle(canvas).getPropertyValue("--accent");
    pen.lineWidth = 2;
    pen.beginPath();
    for (const label of hoveredLabel ? [...chosen, hoveredLabel] : chosen) {
      if (label > points.x.length) continue;
      const [x, y] = [points.x[label - 1], points.y[label - 1]];
      pen.moveTo(x + 5, y);
      pen.arc(x, y, 5, 0, 2 * Math.PI);
    }
    pen.stroke();
    if (box.value) pen.strokeRect(...(box.value as [number, number, number, number]));
  }, [points, chosen, hoveredLabel, box.value]);

  const from = useRef<readonly [number, number] | undefined>(undefined);
  const at = (event: MouseEvent): [number, number] => {
    const { left, top, width, height } = (event.currentTarget as HTMLElement).getBoundingClientRect();
    return [((event.clientX - left) / width) * WIDTH, ((event.clientY - top) / height) * HEIGHT];
  };
  /** Selects the objects whose points lie in a box. */
  const take = ([x0, y0, width, height]: Box, add: boolean): void => {
    const next = new Set(add ? selection.value : []);
    for (let i = 0; i < points.x.length; i++) {
      const [x, y] = [points.x[i], points.y[i]];
      if (x >= x0 && x <= x0 + width && y >= y0 && y <= y0 + height) next.add(i + 1);
    }
    selection.value = next;
  };
  return (
    <>
      <Tick
        {...{ name: "log", label: CHARTS.log, value: isLog.value }}
        change={(on) => {
          isLog.value = on;
        }}
      />
      <div class="scatter">
        <canvas ref={under} width={WIDTH} height={HEIGHT} />
        <canvas
          ref={over}
          role="img"
          aria-label={CHARTS.scatterOf(titleOf(xName), titleOf(yName))}
          width={WIDTH}
          height={HEIGHT}
          onPointerDown={(event) => {
            event.currentTarget.setPointerCapture(event.pointerId);
            from.current = at(event);
          }}
          onPointerMove={(event) => {
            const [x, y] = at(event);
            if (!from.current) {
              hovered.value = nearest(points, x, y);
              return;
            }
            const [x0, y0] = from.current;
            if (box.value || Math.hypot(x - x0, y - y0) > 4) {
              box.value = [Math.min(x0, x), Math.min(y0, y), Math.abs(x - x0), Math.abs(y - y0)];
            }
          }}
          onPointerUp={(event) => {
            from.current = undefined;
            if (box.value) take(box.value, event.shiftKey);
            else {
              const label = nearest(points, ...at(event));
              const before = event.shiftKey ? [...selection.value] : [];
              selection.value = new Set(label ? [...before, label] : before);
            }
            box.value = undefined;
          }}
          onPointerLeave={() => {
            hovered.value = 0;
          }}
        />
      </div>
    </>
  );
}
