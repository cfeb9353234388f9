// The compiled kernels, and the records that some of them take.

import { KERNELS } from "../../generated/kernels.js";
import type { Records } from "../../platform/messages.js";
import { Unsupported } from "../../types/errors.js";
import { PAGE } from "./heap.js";

/** Bytes of a thread's record of kernel arguments. All threads' records end the first page; see scripts/embed.mjs. */
const RECORD_BYTES = 512;
export const RECORDS_OF_THREADS = 64;

/** Bytes of a field; see the letters in scripts/kernels.mjs. */
const FIELD_BYTES: Readonly<Record<string, number>> = { b: 1, w: 4, f: 8 };

/** The records of kernels that take one: letter and offset of each field, aligned to its size. "bwf" lie at 0, 4 and 8. */
export const RECORDS: Records = Object.fromEntries(
  Object.entries(KERNELS).map(([name, { record }]) => {
    let end = 0;
    const fields = record?.split("").map((letter) => {
      const bytes = FIELD_BYTES[letter];
      const offset = Math.ceil(end / bytes) * bytes;
      end = offset + bytes;
      return [letter, offset] as const;
    });
    return [name, fields];
  }),
);

const parameters = new Map<string, readonly string[]>();

/** Parameters of a kernel in their order; undefined where there is no such kernel. */
export function parametersOf(kernel: keyof typeof KERNELS): readonly string[] | undefined {
  const known = parameters.get(kernel) ?? KERNELS[kernel]?.parameters.split(" ");
  if (known) parameters.set(kernel, known);
  return known;
}

/** The address of a thread's record. */
export const recordAddress = (thread: number): number => PAGE - (thread + 1) * RECORD_BYTES;

/** Flags of an imported memory with a maximum. */
const [UNSHARED_FLAGS, SHARED_FLAGS] = [1, 3];

/** The bytes of `i16x8.relaxed_q15mulr_s` behind the prefix 0xfd, where kernels have `i16x8.q15mulr_sat_s`. */
const RELAXED_PRODUCT = [0x91, 0x02] as const;

/** The digits of a module whose one function returns a relaxed product of two vectors of zeros. */
const RELAXED_MODULE = "0061736d010000000105016000017b030201000a0f010d004100fd0f4100fd0ffd91020b";

/**
 * Compiles the kernels for a memory that is shared, or not. A file of them is compiled while it arrives. Where there is relaxed SIMD,
 * products of 16 bits are one instruction instead of five: they differ only for -32768 times -32768, which kernels never multiply.
 */
export async function compileKernels(shared: boolean): Promise<WebAssembly.Module> {
  const { wasm, memoryFlagsAt, productsAt } = await import("../../generated/wasm.js");
  // wide: a byte for each place
  const places = new Map<number, number>([[memoryFlagsAt, shared ? SHARED_FLAGS : UNSHARED_FLAGS]]);
  if (WebAssembly.validate(bytesOfDigits(RELAXED_MODULE))) {
    for (const at of productsAt) for (const [i, byte] of RELAXED_PRODUCT.entries()) places.set(at + 1 + i, byte);
  }
  try {
    if (typeof wasm === "function") return await WebAssembly.compileStreaming(withBytes(await wasm(), places));
    const bytes = bytesOfDigits(wasm);
    for (const [at, byte] of places) bytes[at] = byte;
    return await WebAssembly.compile(bytes);
  } catch (cause) {
    throw notStarted("WebAssembly could not be compiled", cause);
  }
}

/** A response of WebAssembly with some bytes replaced on their way, whatever type its host gives it. */
function withBytes({ ok, status, body }: Response, places: ReadonlyMap<number, number>): Response {
  if (!ok || !body) throw new Error(`its file was answered with ${status}`);
  let from = 0;
  const replace = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
    transform(chunk, controller) {
      const bytes = chunk.slice();
      for (const [at, byte] of places) if (at >= from && at < from + bytes.length) bytes[at - from] = byte;
      from += chunk.length;
      controller.enqueue(bytes);
    },
  });
  return new Response(body.pipeThrough(replace), { headers: { "Content-Type": "application/wasm" } });
}

/** Bytes from their hexadecimal digits, in lower case. */
function bytesOfDigits(digits: string): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(digits.length / 2);
  // "7" is 0x37 and "b" is 0x62: the low four bits of a letter count from 1 on.
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
