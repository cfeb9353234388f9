// The script of a worker thread: receives jobs, requests bytes, returns results.

import { parentPort } from "node:worker_threads";
import { collect } from "./collect.js";
import { forget } from "./decode.js";
import { type FromWorker, reasonOf, type ToWorker } from "./jobs.js";
import { work } from "./work.js";

/** Requests for bytes without an answer yet. */
const waiting = new Map<
  number,
  { resolve(bytes: Uint8Array<ArrayBuffer> | undefined): void; reject(error: Error): void }
>();
let calls = 0;

const tell = (message: FromWorker, transfer: ArrayBuffer[] = []): void => parentPort?.postMessage(message, transfer);

parentPort?.on("message", (message: ToWorker) => {
  if (message.kind === "job") {
    const { id, job } = message;
    work(
      job,
      (array, key, range) =>
        new Promise((resolve, reject) => {
          const call = calls++;
          waiting.set(call, { resolve, reject });
          tell({ kind: "read", call, id, array, key, range });
        }),
    ).then(
      (result) => tell({ kind: "done", id, result }, result.bytes ? [result.bytes.buffer] : []),
      (error: Error) => tell({ kind: "failed", id, reason: reasonOf(error) }),
    );
    return;
  }
  if (message.kind === "collect") {
    collect();
    return;
  }
  if (message.kind === "forget") {
    forget(message.array);
    return;
  }
  const call = waiting.get(message.call);
  waiting.delete(message.call);
  if (message.kind === "bytes") call?.resolve(message.bytes);
  else call?.reject(new Error(message.reason));
});
