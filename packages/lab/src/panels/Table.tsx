// One row per object, sorted by any column. Only the rows in view are made: their height is fixed, so their places are arithmetic.

import { useComputed, useSignal } from "@preact/signals";
import { useRef } from "preact/hooks";
import type { Regions } from "skerry";
import { fenceSelected, removeSelected } from "../state/edits.js";
import { change, hovered, measured, recipe, selection, wantedProperties } from "../state/lab.js";
import { PROPERTIES, type Property } from "../state/recipe.js";
import { TEXT } from "../text.js";
import { theScreen } from "../view/screen.js";

const ROW = 28;
const SPARE = 6;
/** Browsers end elements near 2^24 pixels. */
const MOST_ROWS = 500_000;

interface Column {
  readonly name: string;
  readonly text: string;
  readonly digits: number;
  /** The number of an object, counted from 0. */
  readonly value: (regions: Regions, i: number) => number;
}

const PLACE: readonly Column[] = [
  { name: "label", text: TEXT.columns.label, digits: 0, value: (_, i) => i + 1 },
  { name: "area", text: TEXT.properties.area, digits: 0, value: ({ area }, i) => area?.[i] ?? 0 },
  { name: "x", text: TEXT.columns.x, digits: 1, value: ({ centroid }, i) => centroid?.[2 * i] ?? 0 },
  { name: "y", text: TEXT.columns.y, digits: 1, value: ({ centroid }, i) => centroid?.[2 * i + 1] ?? 0 },
];

const WHOLE: readonly Property[] = ["eulerNumber"];

/** The columns of what is measured: where an object is, and what the page asked for of it. */
function columnsOf(wanted: ReadonlySet<Property>): Column[] {
  const names = PROPERTIES.filter((name) => name !== "area" && wanted.has(name));
  const own = names.map((name) => ({
    ...{ name, text: TEXT.properties[name], digits: WHOLE.includes(name) ? 0 : name === "mean" ? 1 : 2 },
    value: (regions: Regions, i: number) => Number(regions[name]?.[i] ?? Number.NaN),
  }));
  return [...PLACE, ...own];
}

/** Brings an object to the middle of the view. */
function zoomTo(label: number): void {
  const bounds = measured.value?.regions.bounds;
  if (!bounds) return;
  theScreen()?.zoomTo(Array.from(bounds.subarray(4 * (label - 1), 4 * label)) as [number, number, number, number]);
}

function choose(label: number, add: boolean): void {
  const next = new Set(add ? selection.value : []);
  if (add && next.has(label)) next.delete(label);
  else next.add(label);
  selection.value = next;
}

export function Table() {
  const column = useSignal("area");
  const down = useSignal(true);
  const top = useSignal(0);
  const grid = useRef<HTMLDivElement>(null);
  const columns = useComputed(() => columnsOf(wantedProperties.value));
  const order = useComputed(() => {
    const regions = measured.value?.regions;
    if (!regions) return new Uint32Array();
    const { value } = columns.value.find(({ name }) => name === column.value) ?? PLACE[0];
    const keys = Float64Array.from({ length: regions.count }, (_, i) => value(regions, i));
    const sign = down.value ? -1 : 1;
    return Uint32Array.from(keys.keys()).sort((a, b) => sign * (keys[a] - keys[b]) || a - b);
  });
  const regions = measured.value?.regions;
  const count = Math.min(MOST_ROWS, order.value.length);
  const first = Math.max(0, Math.floor(top.value / ROW) - SPARE);
  const rows = Array.from(order.value.subarray(first, Math.min(count, first + 60)));
  const grown = { "--columns": columns.value.length };

  /** Moves the focus to another row, which is scrolled into view first. */
  const focusRow = (k: number): void => {
    const next = Math.min(count - 1, Math.max(0, k));
    const table = grid.current as HTMLDivElement;
    const place = next * ROW;
    if (place < table.scrollTop) table.scrollTop = place;
    const bottom = table.scrollTop + table.clientHeight - 2 * ROW;
    if (place > bottom) table.scrollTop = place - table.clientHeight + 2 * ROW;
    top.value = table.scrollTop;
    requestAnimationFrame(() => table.querySelector<HTMLElement>(`[aria-rowindex="${next + 2}"]`)?.focus());
  };
  return (
    <section class="results" aria-label={TEXT.table}>
      <div class="chosen">
        <span>{TEXT.selected(selection.value.size)}</span>
        <button type="button" disabled={selection.value.size === 0} onClick={removeSelected}>
          {TEXT.remove}
        </button>
        <button type="button" disabled={selection.value.size === 0} onClick={fenceSelected}>
          {TEXT.fence}
        </button>
        {recipe.value.within && (
          <button type="button" onClick={() => change({ within: undefined }, "fence")}>
            {TEXT.unfence}
          </button>
        )}
      </div>
      <div
        class="table"
        role="grid"
        ref={grid}
        tabIndex={0}
        style={grown}
        aria-rowcount={order.value.length + 1}
        aria-label={TEXT.objects(2)}
        aria-multiselectable
        onScroll={(event) => {
          top.value = event.currentTarget.scrollTop;
        }}
      >
        <div class="head" role="row" aria-rowindex={1} tabIndex={-1}>
          {columns.value.map(({ name, text }) => (
            <span
              role="columnheader"
              tabIndex={-1}
              key={name}
              aria-sort={column.value === name ? (down.value ? "descending" : "ascending") : "none"}
            >
              <button
                type="button"
                onClick={() => {
                  down.value = column.value === name ? !down.value : name !== "label";
                  column.value = name;
                }}
              >
                {text}
                {column.value === name ? (down.value ? " ↓" : " ↑") : ""}
              </button>
            </span>
          ))}
        </div>
        <div class="body" role="rowgroup" style={{ height: `${count * ROW}px` }}>
          {regions &&
            rows.map((i, k) => (
              <div
                class={`object${hovered.value === i + 1 ? " hovered" : ""}${selection.value.has(i + 1) ? " selected" : ""}`}
                role="row"
                tabIndex={first + k === 0 ? 0 : -1}
                aria-rowindex={first + k + 2}
                aria-selected={selection.value.has(i + 1)}
                key={i}
                style={{ transform: `translateY(${(first + k) * ROW}px)` }}
                onPointerEnter={() => {
                  hovered.value = i + 1;
                }}
                onPointerLeave={() => {
                  hovered.value = 0;
                }}
                onFocus={() => {
                  hovered.value = i + 1;
                }}
                onClick={(event) => choose(i + 1, event.shiftKey)}
                onDblClick={() => zoomTo(i + 1)}
                onKeyDown={(event) => {
                  const keys: Record<string, () => void> = {
                    ArrowDown: () => focusRow(first + k + 1),
                    ArrowUp: () => focusRow(first + k - 1),
                    Home: () => focusRow(0),
                    End: () => focusRow(count - 1),
                    Enter: () => zoomTo(i + 1),
                    " ": () => choose(i + 1, event.shiftKey),
                    Delete: removeSelected,
                  };
                  const work = keys[event.key];
                  if (!work) return;
                  event.preventDefault();
                  event.stopPropagation();
                  work();
                }}
              >
                {columns.value.map(({ name, digits, value }) => (
                  <span role="gridcell" key={name}>
                    {value(regions, i).toFixed(digits)}
                  </span>
                ))}
              </div>
            ))}
        </div>
      </div>
    </section>
  );
}
