// The picture as a line scan: the lines as they pass, and each object once it is finished.

import { useSignal } from "@preact/signals";
import { typeOfArray } from "@skerry/files/internal";
import { useEffect, useRef } from "preact/hooks";
import { session } from "../../state/engine.js";
import { failure, found, picture, recipe } from "../../state/lab.js";
import { shownRgba } from "../../state/shown.js";
import { LINE } from "../../words/line.js";
import { TEXT } from "../../words/text.js";
import { linesOf, scanOf } from "./scan.js";
import { levels } from "./state.js";

/** Lines and objects that are shown at most. */
const [LINES, OBJECTS] = [160, 8];
/** Boxes that are kept for the lines in sight. */
const MOST_BOXES = 400;

interface Box {
  readonly bounds: readonly number[];
}

/** Draws the last lines that passed, the newest at the bottom, with the boxes of finished objects. */
function draw(canvas: HTMLCanvasElement, row: number, boxes: readonly Box[]): void {
  const opened = picture.value;
  const context = canvas.getContext("2d");
  if (!opened || !context) return;
  const { width, height } = opened;
  const first = row - canvas.height;
  for (let y = Math.max(0, first); y < row; ) {
    const from = y % height;
    const rows = Math.min(height - from, row - y);
    const rgba = shownRgba(opened, { x: 0, y: from, width, height: rows });
    context.putImageData(new ImageData(new Uint8ClampedArray(rgba.buffer as ArrayBuffer), width, rows), 0, y - first);
    y += rows;
  }
  context.strokeStyle = getComputedStyle(canvas).color;
  for (const { bounds } of boxes) {
    const [x0, y0, x1, y1] = bounds;
    if (y1 > first) context.strokeRect(x0 - 1.5, y0 - first - 1.5, x1 - x0 + 3, y1 - y0 + 3);
  }
}

export function LineScan() {
  const canvas = useRef<HTMLCanvasElement>(null);
  const running = useSignal<AbortController | undefined>(undefined);
  const told = useSignal<readonly string[]>([]);
  const sum = useSignal({ count: 0, rows: 0 });
  const opened = picture.value;
  const scan = scanOf(recipe.value.objects, found.value, levels.value?.isInteger ?? true);
  useEffect(() => () => running.value?.abort(), []);
  if (!opened || !scan) return <p>{LINE.refused}</p>;

  const start = async (): Promise<void> => {
    const { engine } = session;
    if (!engine) return;
    const stop = new AbortController();
    running.value = stop;
    told.value = [];
    const boxes: Box[] = [];
    const { signal } = stop;
    const { width, channels } = opened;
    const data = linesOf(opened, signal, (row) => {
      sum.value = { ...sum.value, rows: row };
      if (canvas.current) draw(canvas.current, row, boxes);
    });
    const lines = { width, channels, type: typeOfArray(opened.data), data };
    sum.value = { count: 0, rows: 0 };
    try {
      for await (const object of engine.stream(lines, { ...scan.options, properties: ["area", "bounds"] })) {
        boxes.push(object);
        if (boxes.length > MOST_BOXES) boxes.shift();
        sum.value = { ...sum.value, count: object.id };
        const { id, area, polarity, bounds } = object;
        told.value = [LINE.object({ id, area, polarity, y1: bounds[3] }), ...told.value.slice(0, OBJECTS - 1)];
      }
    } catch (error) {
      if (!signal.aborted) failure.value = { text: TEXT.failures.call((error as Error).message) };
    } finally {
      if (running.value === stop) running.value = undefined;
    }
  };
  return (
    <div>
      <p>{LINE.says}</p>
      {scan.leftOut.length > 0 && <p>{LINE.leftOut(scan.leftOut)}</p>}
      <button type="button" onClick={() => (running.value ? running.value.abort() : void start())}>
        {running.value ? LINE.stop : LINE.start}
      </button>
      <output>{LINE.told(sum.value.count, sum.value.rows)}</output>
      <canvas ref={canvas} class="scanned" width={opened.width} height={LINES} aria-label={LINE.name} />
      <ul>
        {told.value.map((text) => (
          <li key={text}>{text}</li>
        ))}
      </ul>
    </div>
  );
}
