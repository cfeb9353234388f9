// The order of the table's rows, sorted in a worker.

import { signal } from "@preact/signals";
import type { Regions } from "skerry";
import type { Column } from "./columns.js";
import type { Asked, Sorted } from "./sort.worker.js";

/** An order of the objects that were measured. */
export interface Order {
  readonly regions: Regions;
  readonly rows: Uint32Array;
}

export const order = signal<Order | undefined>(undefined);

let worker: Worker | undefined;
let newest: { readonly id: number; readonly regions: Regions } = { id: 0, regions: undefined as unknown as Regions };

/** Sorts objects by a column; of several requests the newest is answered. */
export function sort(regions: Regions, { numbers }: Column, down: boolean): void {
  worker ??= started();
  newest = { id: newest.id + 1, regions };
  const keys = numbers(regions);
  const asked: Asked = { id: newest.id, keys, down };
  worker.postMessage(asked, [keys.buffer]);
}

function started(): Worker {
  const worker = new Worker(new URL("./sort.worker.ts", import.meta.url), { type: "module" });
  worker.onmessage = ({ data: { id, order: rows } }: MessageEvent<Sorted>) => {
    if (id === newest.id) order.value = { regions: newest.regions, rows };
  };
  return worker;
}
