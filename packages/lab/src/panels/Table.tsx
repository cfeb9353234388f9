// One row per object, sorted by a column. Only the rows in view are made: their height is fixed, so their places are arithmetic.

import { useComputed, useSignal } from "@preact/signals";
import type { Regions } from "skerry";
import { draw, hovered, measured, zoomTo } from "../state/lab.js";
import { TEXT } from "../text.js";

const ROW = 28;
const SPARE = 6;
/** Browsers end elements near 2^24 pixels. */
const MOST_ROWS = 500_000;

/** The number that a column shows of an object, counted from 0. */
const VALUES: readonly ((regions: Regions, i: number) => number)[] = [
  (_, i) => i + 1,
  ({ area }, i) => area?.[i] ?? 0,
  ({ centroid }, i) => centroid?.[2 * i] ?? 0,
  ({ centroid }, i) => centroid?.[2 * i + 1] ?? 0,
  ({ eccentricity }, i) => eccentricity?.[i] ?? 0,
];
const DIGITS = [0, 0, 1, 1, 2];

export function Table() {
  const column = useSignal(1);
  const down = useSignal(true);
  const top = useSignal(0);
  const order = useComputed(() => {
    const regions = measured.value?.regions;
    if (!regions) return new Uint32Array();
    const value = VALUES[column.value] as (typeof VALUES)[number];
    const keys = Float64Array.from({ length: regions.count }, (_, i) => value(regions, i));
    const sign = down.value ? -1 : 1;
    return Uint32Array.from(keys.keys()).sort((a, b) => sign * ((keys[a] as number) - (keys[b] as number)) || a - b);
  });
  const regions = measured.value?.regions;
  const count = Math.min(MOST_ROWS, order.value.length);
  const first = Math.max(0, Math.floor(top.value / ROW) - SPARE);
  const rows = Array.from(order.value.subarray(first, Math.min(count, first + 60)));
  return (
    <div
      class="table"
      role="grid"
      tabIndex={0}
      aria-rowcount={order.value.length + 1}
      aria-label={TEXT.objects(2)}
      onScroll={(event) => {
        top.value = event.currentTarget.scrollTop;
      }}
    >
      <div class="head" role="row" tabIndex={-1}>
        {TEXT.columns.map((name, i) => (
          <span
            role="columnheader"
            tabIndex={-1}
            key={name}
            aria-sort={column.value === i ? (down.value ? "descending" : "ascending") : "none"}
          >
            <button
              type="button"
              onClick={() => {
                down.value = column.value === i ? !down.value : i > 0;
                column.value = i;
              }}
            >
              {name}
              {column.value === i ? (down.value ? " ↓" : " ↑") : ""}
            </button>
          </span>
        ))}
      </div>
      <div class="body" style={{ height: `${count * ROW}px` }}>
        {regions &&
          rows.map((i, k) => (
            <div
              class={hovered.value === i + 1 ? "object hovered" : "object"}
              role="row"
              tabIndex={0}
              aria-rowindex={first + k + 2}
              key={i}
              style={{ transform: `translateY(${(first + k) * ROW}px)` }}
              onPointerEnter={() => {
                hovered.value = i + 1;
                draw();
              }}
              onClick={() => zoomTo(i + 1)}
              onKeyDown={(event) => {
                if (event.key === "Enter") zoomTo(i + 1);
              }}
            >
              {VALUES.map((value, c) => (
                <span role="gridcell" tabIndex={-1} key={TEXT.columns[c]}>
                  {value(regions, i).toFixed(DIGITS[c])}
                </span>
              ))}
            </div>
          ))}
      </div>
    </div>
  );
}
