// The compiled kernels, and the records that some of them take.

import { KERNELS } from "../../generated/kernels.js";
import type { Records } from "../../platform/messages.js";
import { Unsupported } from "../../types/errors.js";
import { PAGE } from "./heap.js";

/** Each thread has room for the record that a kernel is called with, at the end of the first page; see scripts/embed.mjs. */
const RECORD_BYTES = 512;
export const RECORDS_OF_THREADS = 64;

/** The records of kernels that take one. */
export const RECORDS: Records = Object.fromEntries(Object.entries(KERNELS).map(([name, { record }]) => [name, record]));

/** The address of a thread's record. */
export const recordAddress = (thread: number): number => PAGE - (thread + 1) * RECORD_BYTES;

/** Flags of an imported memory with a maximum. */
const [UNSHARED_FLAGS, SHARED_FLAGS] = [1, 3];

/** Compiles the kernels for a memory that is shared, or not. */
export async function compileKernels(shared: boolean): Promise<WebAssembly.Module> {
  const { wasm, memoryFlagsAt } = await import("../../generated/wasm.js");
  const bytes = bytesOfDigits(wasm);
  bytes[memoryFlagsAt] = shared ? SHARED_FLAGS : UNSHARED_FLAGS;
  return WebAssembly.compile(bytes).catch((cause) => {
    throw notStarted("WebAssembly could not be compiled", cause);
  });
}

/** Bytes from their hexadecimal digits, in small letters. */
function bytesOfDigits(digits: string): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(digits.length / 2);
  // "7" is 0x37 and "b" is 0x62: of letters the lower half counts from 1 on.
  const valueAt = (i: number): number => (digits.charCodeAt(i) & 15) + 9 * (digits.charCodeAt(i) >> 6);
  for (let i = 0; i < bytes.length; i++) bytes[i] = 16 * valueAt(2 * i) + valueAt(2 * i + 1);
  return bytes;
}

/** The error of an engine that cannot start: its usual cause, in a browser, and the remedy. */
export function notStarted(what: string, cause: unknown): Unsupported {
  const reason = (cause as Error | undefined)?.message;
  return new Unsupported(
    `${what}${reason ? ` (${reason.slice(0, 80)})` : ""}. A content security policy must allow worker-src blob: and script-src 'wasm-unsafe-eval'; with open({ worker }), check that the worker's script is there.`,
    { cause },
  );
}
