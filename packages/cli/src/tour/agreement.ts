// Whether devices agree: every case on every engine, bit for bit, and one hash per engine to compare between machines.

import { createHash } from "node:crypto";
import type { Engine } from "skerry";
import { caseOf } from "./cases.js";

/** An engine and what to call it. */
export interface Runner {
  readonly name: string;
  readonly engine: Engine;
}

export interface Agreement {
  readonly cases: number;
  /** Of all results of each runner, in order. */
  readonly hashes: readonly string[];
  /** What differs: the case, and the runners that give another result than the first. */
  readonly differing: readonly { readonly name: string; readonly runners: readonly string[] }[];
}

/** Runs the cases of seeds 1 to `count` on each runner; `onCase` is told how many are through. */
export async function agreementOf(
  runners: readonly Runner[],
  count: number,
  onCase: (done: number) => void = () => {},
): Promise<Agreement> {
  const all = runners.map(() => createHash("sha256"));
  const differing: { name: string; runners: string[] }[] = [];
  for (let seed = 1; seed <= count; seed++) {
    const { name, run } = caseOf(seed);
    const digests: string[] = [];
    for (const [i, { engine }] of runners.entries()) {
      const hash = createHash("sha256");
      for (const { buffer, byteOffset, byteLength } of await run(engine)) {
        hash.update(`${byteLength} `).update(new Uint8Array(buffer, byteOffset, byteLength));
      }
      const digest = hash.digest("hex");
      all[i].update(digest);
      digests.push(digest);
    }
    const others = runners.filter((_, i) => digests[i] !== digests[0]).map((runner) => runner.name);
    if (others.length > 0) differing.push({ name, runners: others });
    onCase(seed);
  }
  return { cases: count, hashes: all.map((hash) => hash.digest("hex").slice(0, 16)), differing };
}
