// Opens pictures in a worker; if that has no WebGL2, on the page's thread.

import type { Recipe } from "../settings/recipe.js";
import type { Asked } from "./decode.worker.js";

import { type Opened, type Refusal, Refused, type Wanted } from "./opened.js";

export { type Opened, type Refusal, Refused } from "./opened.js";

type Answer = { readonly id: number } & ({ readonly opened: Opened } | { readonly refusal: Refusal });

let worker: Worker | undefined;
let ids = 0;
const waiting = new Map<number, { resolve(answer: Answer): void; reject(error: Error): void }>();

function start(): Worker {
  const started = new Worker(new URL("./decode.worker.ts", import.meta.url), { type: "module" });
  started.onmessage = ({ data }: MessageEvent<Answer>) => {
    waiting.get(data.id)?.resolve(data);
    waiting.delete(data.id);
  };
  started.onerror = () => {
    worker = undefined;
    for (const { reject } of waiting.values()) reject(new Error("the decoder's worker ended"));
    waiting.clear();
  };
  return started;
}

/** Starts the decoder before there is a file, so that its script loads in parallel with others. */
export function startDecoder(): void {
  worker ??= start();
}

/** Ends the decoder with what it does; the next file starts another one. */
function stopDecoder(reason: unknown): void {
  worker?.terminate();
  worker = undefined;
  for (const { reject } of waiting.values()) reject(reason as Error);
  waiting.clear();
}

/** Numbers of files: a worker gets a copy of a file each time, and keeps what it unpacked of the last one. */
const keys = new WeakMap<Blob, number>();
function keyOf(blob: Blob): number {
  const key = keys.get(blob) ?? ids++;
  keys.set(blob, key);
  return key;
}

/** Decodes an image of a file; rejects with {@link Refused}, and with the reason of the signal. */
export const openImage = (
  blob: Blob,
  name: string,
  { shrink, taken }: Pick<Recipe, "shrink" | "taken">,
  signal?: AbortSignal,
): Promise<Opened> => openAny({ blob, key: keyOf(blob), name, shrink, taken }, signal);

/** Decodes all slices of a volume, or a box of OME-Zarr, at one time; rejects as {@link openImage} does. */
export const openWhole = (
  blob: Blob,
  name: string,
  { taken, box }: Pick<Wanted, "taken" | "box">,
  signal?: AbortSignal,
): Promise<Opened> => openAny({ blob, key: keyOf(blob), name, shrink: 1, taken, box, isWhole: true }, signal);

async function openAny(wanted: Wanted, signal?: AbortSignal): Promise<Opened> {
  const stop = (): void => stopDecoder(signal?.reason);
  signal?.addEventListener("abort", stop, { once: true });
  const answer = await new Promise<Answer>((resolve, reject) => {
    worker ??= start();
    const asked: Asked = { id: ids++, ...wanted };
    waiting.set(asked.id, { resolve, reject });
    worker.postMessage(asked);
  })
    .catch(() => undefined)
    .finally(() => signal?.removeEventListener("abort", stop));
  signal?.throwIfAborted();
  if (answer && "opened" in answer) return answer.opened;
  if (answer && answer.refusal.why !== "webgl") throw new Refused(answer.refusal);
  return (await import("./decode.js")).decode(wanted);
}
