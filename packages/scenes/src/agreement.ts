// Compares devices: runs every case on every engine, compares the results bit for bit, and computes one hash per engine, to
// compare machines.

import type { Engine } from "skerry";
import { caseOf } from "./cases.js";

/** An engine and its name in the result. */
export interface Runner {
  readonly name: string;
  readonly engine: Engine;
}

export interface Agreement {
  readonly cases: number;
  /** Hash of all results, for each runner in order. */
  readonly hashes: readonly string[];
  /** Cases with differences, and the runners whose result differs from that of the first runner. */
  readonly differing: readonly { readonly name: string; readonly runners: readonly string[] }[];
}

/**
 * Runs the cases of seeds 1 to `count` on each runner. `onCase` is called after each case with the number of cases done.
 * @example
 * import { agreementOf } from "@skerry/scenes";
 * const runners = [{ name: "first", engine }, { name: "second", engine }];
 * const { differing } = await agreementOf(runners, 2);
 * console.log(differing.length); // 0
 */
export async function agreementOf(
  runners: readonly Runner[],
  count: number,
  onCase: (done: number) => void = () => {},
): Promise<Agreement> {
  const all = runners.map(() => "");
  const differing: { name: string; runners: string[] }[] = [];
  for (let seed = 1; seed <= count; seed++) {
    const { name, run } = caseOf(seed);
    const digests: string[] = [];
    for (const [i, { engine }] of runners.entries()) {
      const digest = await digestOf(await run(engine));
      all[i] += digest;
      digests.push(digest);
    }
    const others = runners.filter((_, i) => digests[i] !== digests[0]).map((runner) => runner.name);
    if (others.length > 0) differing.push({ name, runners: others });
    onCase(seed);
  }
  const hashes = await Promise.all(all.map(async (digests) => (await sha256(encode(digests))).slice(0, 16)));
  return { cases: count, hashes, differing };
}

/**
 * The SHA-256 of arrays, each preceded by its length in bytes.
 * @example
 * import { digestOf } from "@skerry/scenes";
 * console.log(await digestOf([Uint8Array.of(1, 2), Float32Array.of(0.5)]));
 */
export async function digestOf(arrays: readonly ArrayBufferView[]): Promise<string> {
  const parts = arrays.flatMap(({ buffer, byteOffset, byteLength }) => [
    encode(`${byteLength} `),
    new Uint8Array(buffer, byteOffset, byteLength),
  ]);
  const joined = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return sha256(joined);
}

const encode = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text);

async function sha256(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
