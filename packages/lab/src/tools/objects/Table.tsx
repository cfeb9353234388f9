// One row per object, sorted by any column. Only the rows in view are made: their height is fixed, so their places are arithmetic.

import { type Signal, useComputed, useSignal, useSignalEffect } from "@preact/signals";
import { useRef } from "preact/hooks";
import type { Regions } from "skerry";
import { titleOf } from "skerry/internal";
import { PROPERTIES, type Property } from "../../settings/objects.js";
import { hovered, selection, sought } from "../../state/lab.js";
import { Tick } from "../../widgets/fields.js";
import { RESULTS } from "../../words/results.js";
import { TEXT } from "../../words/text.js";
import { copyRows } from "./Card.js";
import { type Column, columnsOf, headOf, summaryOf, textOf } from "./columns.js";
import { choose, measureAnew, removeSelected } from "./edits.js";
import { order, sort } from "./order.js";
import { columns as chosenColumns, measured, wantedProperties } from "./state.js";

const ROW = 28;
const SPARE = 6;
/** Browsers limit the height of elements to about 2^24 pixels. */
const MOST_ROWS = 500_000;

/** Brings an object to the middle of the view. */
function zoomTo(label: number): void {
  const bounds = measured.value?.regions.bounds;
  if (!bounds) return;
  sought.value = Array.from(bounds.subarray(4 * (label - 1), 4 * label)) as [number, number, number, number];
}

interface Sorting {
  readonly by: string;
  readonly down: boolean;
}

/** The columns' names: a click sorts by one, another click reverses the order. */
function Head({ columns, sorted }: { columns: readonly Column[]; sorted: Signal<Sorting> }) {
  const { by, down } = sorted.value;
  return (
    <div class="head" role="row" aria-rowindex={1} tabIndex={-1}>
      {columns.map((column) => (
        <span
          role="columnheader"
          tabIndex={-1}
          key={column.name}
          aria-sort={by === column.name ? (down ? "descending" : "ascending") : "none"}
        >
          <button
            type="button"
            title={headOf(column)}
            onClick={() => {
              sorted.value = { by: column.name, down: by === column.name ? !down : column.name !== "label" };
            }}
          >
            {headOf(column)}
            {by === column.name ? (down ? " ↓" : " ↑") : ""}
          </button>
        </span>
      ))}
    </div>
  );
}

/** Means and sums of the columns; ids and classes have none. */
function Foot({
  columns,
  summaries,
}: {
  columns: readonly Column[];
  summaries: readonly ReturnType<typeof summaryOf>[];
}) {
  return (
    <>
      {(["mean", "sum"] as const).map((which) => (
        <div class="foot" role="row" key={which}>
          {columns.map(({ name, digits, hasSum }, k) => (
            <span role="gridcell" key={name}>
              {name === "label"
                ? RESULTS.summary[which]
                : hasSum || (which === "mean" && name !== "value")
                  ? summaries[k][which].toFixed(digits)
                  : ""}
            </span>
          ))}
        </div>
      ))}
    </>
  );
}

interface RowOf {
  /** The object, counted from 0, and its place in the order. */
  readonly i: number;
  readonly place: number;
  readonly last: number;
  readonly regions: Regions;
  readonly columns: readonly Column[];
  readonly focusRow: (place: number) => void;
  /** Selects the rows from the one that was chosen last to a place. */
  readonly selectTo: (place: number) => void;
}

function ObjectRow({ i, place, last, regions, columns, focusRow, selectTo }: RowOf) {
  const label = i + 1;
  const select = ({ shiftKey, ctrlKey, metaKey }: KeyboardEvent | MouseEvent): void => {
    if (shiftKey) selectTo(place);
    else choose(label, ctrlKey || metaKey);
  };
  const hover = (): void => {
    hovered.value = label;
  };
  const press = (event: KeyboardEvent): void => {
    const keys: Record<string, () => void> = {
      ArrowDown: () => focusRow(place + 1),
      ArrowUp: () => focusRow(place - 1),
      Home: () => focusRow(0),
      End: () => focusRow(last),
      Enter: () => zoomTo(label),
      " ": () => select(event),
      Delete: removeSelected,
    };
    const work = keys[event.key];
    if (!work) return;
    event.preventDefault();
    event.stopPropagation();
    work();
  };
  return (
    <div
      class={`object${hovered.value === label ? " hovered" : ""}${selection.value.has(label) ? " selected" : ""}`}
      role="row"
      tabIndex={place === 0 ? 0 : -1}
      aria-rowindex={place + 2}
      aria-selected={selection.value.has(label)}
      style={{ transform: `translateY(${place * ROW}px)` }}
      onPointerEnter={hover}
      onPointerLeave={() => {
        hovered.value = 0;
      }}
      onFocus={hover}
      onClick={select}
      onDblClick={() => zoomTo(label)}
      onKeyDown={press}
    >
      {columns.map((column) => (
        <span role="gridcell" key={column.name}>
          {textOf(column, regions, i)}
        </span>
      ))}
    </div>
  );
}

/** The choice of columns, and a button that copies the table as text. */
function Bar({ rows }: { rows: Uint32Array }) {
  const wanted = chosenColumns.value;
  const set = (name: Property, on: boolean): void => {
    const next = new Set(wanted);
    if (on) next.add(name);
    else next.delete(name);
    chosenColumns.value = next;
    measureAnew();
  };
  return (
    <div class="row tools">
      <strong>{TEXT.counted(rows.length)}</strong>
      <details class="columns">
        <summary>{RESULTS.chooseColumns}</summary>
        <div class="choices">
          {PROPERTIES.filter((name) => name !== "area").map((name) => (
            <Tick
              key={name}
              {...{ name: `column-${name}`, label: titleOf(name), value: wantedProperties.value.has(name) }}
              change={(on) => set(name, on)}
            />
          ))}
        </div>
      </details>
      <button type="button" disabled={rows.length === 0} onClick={() => void copyRows(Array.from(rows, (i) => i + 1))}>
        {RESULTS.copyTable}
      </button>
    </div>
  );
}

export function Table() {
  const sorted = useSignal<Sorting>({ by: "area", down: true });
  const top = useSignal(0);
  const grid = useRef<HTMLDivElement>(null);
  const columns = useComputed(() => {
    const regions = measured.value?.regions;
    return regions ? columnsOf(wantedProperties.value, regions) : [];
  });
  useSignalEffect(() => {
    const regions = measured.value?.regions;
    const column = columns.value.find(({ name }) => name === sorted.value.by) ?? columns.value[0];
    if (regions && column) sort(regions, column, sorted.value.down);
  });
  const { regions, rows: all = new Uint32Array() } = order.value ?? {};
  const ordered = useComputed(() => order.value?.regions);
  // Another order has the same sums.
  const summaries = useComputed(() => {
    const order = ordered.value;
    return order ? columns.value.map((column) => summaryOf(column, order)) : [];
  });
  const shown = regions === undefined ? [] : columns.value.filter((_, k) => summaries.value[k]);
  const count = Math.min(MOST_ROWS, all.length);
  const first = Math.max(0, Math.floor(top.value / ROW) - SPARE);
  const rows = Array.from(all.subarray(first, Math.min(count, first + 60)));
  const widths = summaries.value.map(({ letters }) => `minmax(0, ${letters}fr)`).join(" ");
  const letters = summaries.value.reduce((sum, column) => sum + column.letters, 0);

  /** Scrolls a row into view. */
  const show = (place: number): void => {
    const table = grid.current;
    if (!table) return;
    const at = place * ROW;
    if (at < table.scrollTop) table.scrollTop = at;
    const bottom = table.scrollTop + table.clientHeight - 4 * ROW;
    if (at > bottom) table.scrollTop = at - table.clientHeight + 4 * ROW;
    top.value = table.scrollTop;
  };
  // An object that was clicked in the picture, or was selected when its file was left, is shown in the table.
  useSignalEffect(() => {
    const [label] = selection.value;
    const place = label === undefined ? -1 : (order.value?.rows.indexOf(label - 1) ?? -1);
    if (selection.value.size === 1 && place >= 0) show(place);
  });
  /** Moves the focus to another row, which is scrolled into view first. */
  const focusRow = (k: number): void => {
    const next = Math.min(count - 1, Math.max(0, k));
    show(next);
    requestAnimationFrame(() => grid.current?.querySelector<HTMLElement>(`[aria-rowindex="${next + 2}"]`)?.focus());
  };
  const selectTo = (place: number): void => {
    const last = [...selection.value].at(-1);
    const from = last === undefined ? -1 : all.indexOf(last - 1);
    const [first, end] = from < 0 ? [place, place] : [Math.min(from, place), Math.max(from, place)];
    const between = Array.from(all.subarray(first, end + 1), (i) => i + 1);
    // The row that the range begins at stays the last one chosen.
    const others = [...selection.value, ...between].filter((label) => label !== last);
    selection.value = new Set(from < 0 ? between : [...others, last as number]);
  };
  return (
    <section class="results" aria-label={RESULTS.table}>
      <Bar rows={all} />
      <div
        class="table"
        role="grid"
        ref={grid}
        tabIndex={0}
        style={{ "--widths": widths, "--letters": `${letters}ch` }}
        aria-rowcount={all.length + 1}
        aria-label={TEXT.objects(2)}
        aria-multiselectable
        onScroll={(event) => {
          top.value = event.currentTarget.scrollTop;
        }}
      >
        <Head columns={shown} sorted={sorted} />
        <div class="body" role="rowgroup" style={{ height: `${count * ROW}px` }}>
          {regions &&
            rows.map((i, k) => (
              <ObjectRow
                {...{ i, place: first + k, regions, columns: shown, last: count - 1, focusRow, selectTo }}
                key={i}
              />
            ))}
        </div>
        <div class="feet" role="rowgroup">
          {count > 0 && <Foot columns={shown} summaries={summaries.value} />}
        </div>
      </div>
    </section>
  );
}
