// One row per object, sorted by any column. Only the rows in view are made: their height is fixed, so their places are arithmetic.

import { type Signal, useComputed, useSignal } from "@preact/signals";
import { useRef } from "preact/hooks";
import type { Regions } from "skerry";
import { factsOf, type PropertyUnit, titleOf } from "skerry/internal";
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
  { name: "area", text: titleOf("area"), digits: 0, value: ({ area }, i) => area?.[i] ?? 0 },
  { name: "x", text: TEXT.columns.x, digits: 1, value: ({ centroid }, i) => centroid?.[2 * i] ?? 0 },
  { name: "y", text: TEXT.columns.y, digits: 1, value: ({ centroid }, i) => centroid?.[2 * i + 1] ?? 0 },
];

/** Digits that are shown of numbers of a kind, 2 by default. */
const DIGITS: Partial<Record<PropertyUnit, number>> = { size: 0, count: 0, sum: 0, value: 1 };

/** The columns of what is measured: where an object is, and what the page asked for of it. */
function columnsOf(wanted: ReadonlySet<Property>): Column[] {
  const names = PROPERTIES.filter((name) => name !== "area" && wanted.has(name));
  const own = names.map((name) => ({
    ...{ name, text: titleOf(name), digits: DIGITS[factsOf(name).unit ?? "ratio"] ?? 2 },
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

interface Sorted {
  readonly by: string;
  readonly down: boolean;
}

/** How many are selected, and what is done with them. */
function Selected() {
  const { size } = selection.value;
  return (
    <div class="chosen">
      <span>{TEXT.selected(size)}</span>
      <button type="button" disabled={size === 0} onClick={removeSelected}>
        {TEXT.remove}
      </button>
      <button type="button" disabled={size === 0} onClick={fenceSelected}>
        {TEXT.fence}
      </button>
      {recipe.value.within && (
        <button type="button" onClick={() => change({ within: undefined }, "fence")}>
          {TEXT.unfence}
        </button>
      )}
    </div>
  );
}

/** The columns' names: a click sorts by one, another click turns the order. */
function Head({ columns, sorted }: { columns: readonly Column[]; sorted: Signal<Sorted> }) {
  const { by, down } = sorted.value;
  return (
    <div class="head" role="row" aria-rowindex={1} tabIndex={-1}>
      {columns.map(({ name, text }) => (
        <span
          role="columnheader"
          tabIndex={-1}
          key={name}
          aria-sort={by === name ? (down ? "descending" : "ascending") : "none"}
        >
          <button
            type="button"
            onClick={() => {
              sorted.value = { by: name, down: by === name ? !down : name !== "label" };
            }}
          >
            {text}
            {by === name ? (down ? " ↓" : " ↑") : ""}
          </button>
        </span>
      ))}
    </div>
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
}

function ObjectRow({ i, place, last, regions, columns, focusRow }: RowOf) {
  const label = i + 1;
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
      " ": () => choose(label, event.shiftKey),
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
      onClick={(event) => choose(label, event.shiftKey)}
      onDblClick={() => zoomTo(label)}
      onKeyDown={press}
    >
      {columns.map(({ name, digits, value }) => (
        <span role="gridcell" key={name}>
          {value(regions, i).toFixed(digits)}
        </span>
      ))}
    </div>
  );
}

export function Table() {
  const sorted = useSignal<Sorted>({ by: "area", down: true });
  const top = useSignal(0);
  const grid = useRef<HTMLDivElement>(null);
  const columns = useComputed(() => columnsOf(wantedProperties.value));
  const order = useComputed(() => {
    const regions = measured.value?.regions;
    if (!regions) return new Uint32Array();
    const { by, down } = sorted.value;
    const { value } = columns.value.find(({ name }) => name === by) ?? PLACE[0];
    const keys = Float64Array.from({ length: regions.count }, (_, i) => value(regions, i));
    const sign = down ? -1 : 1;
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
      <Selected />
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
        <Head columns={columns.value} sorted={sorted} />
        <div class="body" role="rowgroup" style={{ height: `${count * ROW}px` }}>
          {regions &&
            rows.map((i, k) => (
              <ObjectRow
                {...{ i, place: first + k, regions, columns: columns.value, last: count - 1, focusRow }}
                key={i}
              />
            ))}
        </div>
      </div>
    </section>
  );
}
