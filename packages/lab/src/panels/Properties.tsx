// Panel of measurements: the histogram of a property with bounds that filter, and a scatter plot of any two.

import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { Regions } from "skerry";
import { titleOf } from "skerry/internal";
import { measureAnew } from "../state/follow.js";
import { brushed, changeObjects, hovered, measured, recipe, scattered, selection } from "../state/lab.js";
import { PROPERTIES, type Property } from "../state/recipe.js";
import { TEXT } from "../text.js";
import { Choice } from "./fields.js";
import { Levels } from "./Levels.js";

const BINS = 64;
const OPTIONS = PROPERTIES.map((name) => [name, titleOf(name)] as const);

interface Scale {
  readonly low: number;
  readonly high: number;
}

/** A property's numbers; the sums of integers come as big ones. */
const valuesOf = (regions: Regions, name: Property): ArrayLike<number> => {
  const values = regions[name] ?? [];
  return values instanceof BigInt64Array ? Float64Array.from(values, Number) : values;
};

function scaleOf(values: ArrayLike<number>, bounds?: readonly [number, number]): Scale {
  let [low, high] = bounds ?? [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (let i = 0; i < values.length; i++) {
    const value = values[i];
    if (Number.isFinite(value)) [low, high] = [Math.min(low, value), Math.max(high, value)];
  }
  return low < high
    ? { low, high }
    : { low: Number.isFinite(low) ? low : 0, high: (Number.isFinite(low) ? low : 0) + 1 };
}

/** The bounds that a scale began with stay while a property is brushed, so that handles do not jump. */
let held: { name: Property; scale: Scale } | undefined;

function Brush({ regions }: { regions: Regions }) {
  const name = brushed.value;
  const values = valuesOf(regions, name);
  const bounds = recipe.value.objects.keep[name];
  if (!bounds || held?.name !== name) held = { name, scale: scaleOf(values, bounds) };
  const { low, high } = held.scale;
  const counts = new Float64Array(BINS);
  const binOf = (value: number): number =>
    Math.min(BINS - 1, Math.max(0, Math.floor(((value - low) / (high - low)) * BINS)));
  for (let i = 0; i < values.length; i++) {
    const value = values[i];
    if (Number.isFinite(value)) counts[binOf(value)] = counts[binOf(value)] + 1;
  }
  const edge = (bin: number): number => Number((low + ((high - low) * bin) / BINS).toPrecision(6));
  const set = (next: [number, number], gesture: string): void => {
    const all = next[0] <= low && next[1] >= high;
    const { [name]: _, ...rest } = recipe.value.objects.keep;
    changeObjects({ keep: all ? rest : { ...rest, [name]: next } }, gesture ? { gesture } : {});
  };
  const [least, most] = bounds ?? [low, high];
  const text = titleOf(name);
  return (
    <Levels
      values={counts}
      label={text}
      taken={bounds ? [[binOf(least), binOf(most) + 1]] : []}
      handles={[
        {
          ...{ name: "least", label: TEXT.least(text), at: binOf(least), text: String(least) },
          move: (bin, gesture) => set([bin === 0 ? low : edge(bin), most], gesture),
        },
        {
          ...{ name: "most", label: TEXT.most(text), at: binOf(most), text: String(most) },
          move: (bin, gesture) => set([least, bin === BINS - 1 ? high : edge(bin + 1)], gesture),
        },
      ]}
    />
  );
}

const [WIDTH, HEIGHT] = [308, 150];
const MARGIN = 6;

/** Objects as points: darker where they are many; the nearest is outlined and selected. */
function Scatter({ regions }: { regions: Regions }) {
  const ref = useRef<HTMLCanvasElement>(null);
  const [xName, yName] = scattered.value;
  const [xs, ys] = [valuesOf(regions, xName), valuesOf(regions, yName)];
  const [sx, sy] = [scaleOf(xs), scaleOf(ys)];
  const count = Math.min(xs.length, ys.length);
  const place = (i: number): [number, number] => [
    MARGIN + ((xs[i] - sx.low) / (sx.high - sx.low)) * (WIDTH - 2 * MARGIN),
    HEIGHT - MARGIN - ((ys[i] - sy.low) / (sy.high - sy.low)) * (HEIGHT - 2 * MARGIN),
  ];
  const chosen = selection.value;
  const over = hovered.value;
  useEffect(() => {
    const canvas = ref.current as HTMLCanvasElement;
    const pen = canvas.getContext("2d");
    if (!pen) return;
    pen.clearRect(0, 0, WIDTH, HEIGHT);
    const style = getComputedStyle(canvas);
    pen.fillStyle = style.color;
    pen.globalAlpha = Math.max(0.08, Math.min(0.7, 400 / Math.max(1, count)));
    for (let i = 0; i < count; i++) {
      const [x, y] = place(i);
      pen.fillRect(x - 1.5, y - 1.5, 3, 3);
    }
    pen.globalAlpha = 1;
    pen.strokeStyle = style.getPropertyValue("--accent");
    pen.lineWidth = 2;
    for (const label of [...chosen, ...(over ? [over] : [])]) {
      if (label > count) continue;
      pen.beginPath();
      pen.arc(...place(label - 1), 5, 0, 2 * Math.PI);
      pen.stroke();
    }
  }, [regions, xName, yName, chosen, over]);
  const nearest = (event: MouseEvent): number => {
    const box = (event.currentTarget as HTMLCanvasElement).getBoundingClientRect();
    const [px, py] = [
      ((event.clientX - box.left) / box.width) * WIDTH,
      ((event.clientY - box.top) / box.height) * HEIGHT,
    ];
    let [label, least] = [0, 144];
    for (let i = 0; i < count; i++) {
      const [x, y] = place(i);
      const apart = (x - px) ** 2 + (y - py) ** 2;
      if (apart < least) [label, least] = [i + 1, apart];
    }
    return label;
  };
  return (
    <canvas
      ref={ref}
      class="scatter"
      role="img"
      aria-label={TEXT.scatterOf(titleOf(xName), titleOf(yName))}
      width={WIDTH}
      height={HEIGHT}
      onPointerMove={(event) => {
        hovered.value = nearest(event);
      }}
      onPointerLeave={() => {
        hovered.value = 0;
      }}
      onClick={(event) => {
        const label = nearest(event);
        const before = event.shiftKey ? [...selection.value] : [];
        selection.value = new Set(label ? [...before, label] : before);
      }}
    />
  );
}

export function Properties() {
  const opened = useSignal(false);
  const regions = measured.value?.regions;
  const name = brushed.value;
  const choose = (set: () => void): void => {
    set();
    measureAnew();
  };
  return (
    <details
      class="more properties"
      open={opened.value}
      onToggle={(event) => {
        opened.value = event.currentTarget.open;
      }}
    >
      <summary>{TEXT.filter}</summary>
      <div class="row">
        <Choice
          {...{ name: "brushed", label: TEXT.property, value: name, options: OPTIONS, quiet: true }}
          change={(value) => choose(() => (brushed.value = value))}
        />
        <button
          type="button"
          disabled={Object.keys(recipe.value.objects.keep).length === 0}
          onClick={() => changeObjects({ keep: {} })}
        >
          {TEXT.all}
        </button>
      </div>
      {opened.value && regions?.[name] && <Brush regions={regions} />}
      <div class="row">
        <Choice
          {...{ name: "scatterY", label: TEXT.vertical, value: scattered.value[1], options: OPTIONS, quiet: true }}
          change={(value) => choose(() => (scattered.value = [scattered.value[0], value]))}
        />
        {TEXT.over}
        <Choice
          {...{ name: "scatterX", label: TEXT.horizontal, value: scattered.value[0], options: OPTIONS, quiet: true }}
          change={(value) => choose(() => (scattered.value = [value, scattered.value[1]]))}
        />
      </div>
      {opened.value && regions?.[scattered.value[0]] && regions[scattered.value[1]] && <Scatter regions={regions} />}
    </details>
  );
}
