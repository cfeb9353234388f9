// A chart of a row of values, as a curve or bars, with handles that pointers and keys move: histograms with thresholds,
// properties with bounds, areas with a tolerance.

import { signal, useSignal } from "@preact/signals";
import { useMemo, useRef } from "preact/hooks";
import { readText, writeText } from "../state/browser.js";
import { measureFrom } from "./measure.js";

const HEIGHT = 64;

export interface Handle {
  readonly name: string;
  readonly label: string;
  /** The bin that it lies on. */
  readonly at: number;
  /** Text for screen readers. */
  readonly text: string;
  readonly move: (bin: number, gesture: string) => void;
  /** Whether it is a dashed line, for the value that is shown as black or white. */
  readonly isLevel?: boolean;
}

interface Mark {
  readonly first: number;
  readonly last: number;
  readonly label: string;
  /** The text under the mark. */
  readonly text: string;
  readonly take: () => void;
}

interface Props {
  readonly values: ArrayLike<number>;
  readonly handles: readonly Handle[];
  /** Ranges [from, to) of bins that are taken. */
  readonly taken?: readonly (readonly [number, number])[];
  /** Whether values are drawn as a line instead of bars; the line leaves out values below 0. */
  readonly line?: boolean;
  readonly marks?: readonly Mark[];
  /** The title of the chart. */
  readonly label: string;
  /** A hint at the first handle, until a handle is dragged. */
  readonly coach?: string | undefined;
  /** The value of a bin, for ticks and handles, and a sentence on it under the pointer. */
  readonly textAt: (bin: number) => string;
  readonly tellBin: (bin: number) => string;
}

/** Heights are square roots, so that rare values are visible beside the background. */
function pathOf(values: ArrayLike<number>, line: boolean): string {
  let most = 1;
  for (let i = 0; i < values.length; i++) most = Math.max(most, values[i]);
  const top = (n: number): string => (HEIGHT * (1 - Math.sqrt(Math.max(0, n) / most))).toFixed(1);
  const list = Array.from(values, (n, i) => [i, n] as const);
  if (!line) return `M0,${HEIGHT}${list.map(([i, n]) => `L${i},${top(n)}h1`).join("")}L${values.length},${HEIGHT}Z`;
  return list
    .filter(([, n]) => n >= 0)
    .map(([i, n], k) => `${k ? "L" : "M"}${i + 0.5},${top(n)}`)
    .join("");
}

/** Width of a digit of a tick, as a part of the chart's. */
const LETTER = 0.022;

/** Whether the number of a handle, which lies in the middle below it, covers a tick: 0 is the one at the left, 1 that at the right. */
function isCovered(text: string, place: number, handles: Props["handles"], bins: number): boolean {
  const width = LETTER * text.length;
  const middle = width / 2 + place * (1 - width);
  return handles.some(
    ({ isLevel, at, text: own }) =>
      !isLevel && Math.abs((at + 0.5) / bins - middle) < (width + LETTER * (own.length + 1)) / 2,
  );
}

let gestures = 0;

const COACHED = "skerry:coached";
/** Whether the user has dragged a handle, on this visit or an earlier one. */
const coached = signal(readText("localStorage", COACHED) !== undefined);
coached.subscribe((done) => {
  if (done) writeText("localStorage", COACHED, "1");
});

export function Levels({
  values,
  handles,
  taken = [],
  line = false,
  marks = [],
  label,
  coach,
  textAt,
  tellBin,
}: Props) {
  const under = useSignal<number | undefined>(undefined);
  const ref = useRef<HTMLDivElement>(null);
  const dragged = useRef<{ handle: string; gesture: string } | undefined>(undefined);
  const bins = values.length;
  const path = useMemo(() => pathOf(values, line), [values, line]);
  const binAt = (event: PointerEvent): number => {
    const box = (ref.current as HTMLDivElement).getBoundingClientRect();
    return Math.min(bins - 1, Math.max(0, Math.floor(((event.clientX - box.left) / box.width) * bins)));
  };
  const move = (event: PointerEvent): void => {
    const { handle, gesture } = dragged.current ?? {};
    if (!gesture) return;
    measureFrom(performance.now());
    handles.find(({ name }) => name === handle)?.move(binAt(event), gesture);
  };
  return (
    <div class="levels">
      <p class="title">
        {label}
        <output>{under.value === undefined ? "" : tellBin(under.value)}</output>
      </p>
      <div
        class="chart"
        ref={ref}
        onPointerDown={(event) => {
          const bin = binAt(event);
          const [nearest] = handles.toSorted((a, b) => Math.abs(a.at - bin) - Math.abs(b.at - bin));
          if (!nearest) return;
          event.currentTarget.setPointerCapture(event.pointerId);
          coached.value = true;
          dragged.current = { handle: nearest.name, gesture: `${nearest.name} ${++gestures}` };
          move(event);
        }}
        onPointerMove={(event) => {
          under.value = binAt(event);
          move(event);
        }}
        onPointerLeave={() => {
          under.value = undefined;
        }}
        onPointerUp={() => {
          dragged.current = undefined;
        }}
      >
        <svg viewBox={`0 0 ${bins} ${HEIGHT}`} preserveAspectRatio="none" role="img" aria-label={label}>
          {taken.map(([from, to]) => (
            <rect key={`${from} ${to}`} x={from} y={0} width={Math.max(0, to - from)} height={HEIGHT} />
          ))}
          <path class={line ? "line" : "bars"} d={path} />
          {handles.map(({ name, at, isLevel }) => (
            <line key={name} class={isLevel ? "level" : undefined} x1={at + 0.5} x2={at + 0.5} y1={0} y2={HEIGHT} />
          ))}
        </svg>
        {coach && !coached.value && handles[0] && (
          <span class="coach" style={{ left: `${(100 * (handles[0].at + 0.5)) / bins}%` }}>
            {coach}
          </span>
        )}
        {handles.map(({ name, label, at, text, move }) => (
          <input
            key={name}
            type="range"
            name={name}
            aria-label={label}
            aria-valuetext={text}
            min={0}
            max={bins - 1}
            value={at}
            onInput={(event) => move(event.currentTarget.valueAsNumber, "")}
          />
        ))}
      </div>
      <div class="ticks" aria-hidden="true">
        {[0, Math.floor(bins / 2), bins - 1].map((bin, place) => (
          <span key={bin}>{isCovered(textAt(bin), place / 2, handles, bins) ? "" : textAt(bin)}</span>
        ))}
        {handles
          .filter(({ isLevel }) => !isLevel)
          .map(({ name, at, text }) => (
            <strong key={name} style={{ left: `${(100 * (at + 0.5)) / bins}%` }}>
              {text}
            </strong>
          ))}
      </div>
      {marks.length > 0 && (
        <div class="marks">
          {marks.map(({ first, last, label, text, take }) => (
            <button
              type="button"
              key={first}
              title={label}
              aria-label={label}
              style={{ left: `${(100 * first) / bins}%`, width: `${(100 * (last + 1 - first)) / bins}%` }}
              onClick={take}
            >
              <span>{text}</span>
            </button>
          ))}
        </div>
      )}
    </div>
  );
}
