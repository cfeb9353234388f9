// The storage of a run: objects by kind and number. It holds the whole state of a run; a queue only delivers steps.

import { FileStore, isRemote, S3Store, type WritableStore } from "@skerry/files/zarr/internal";
import { ClusterError } from "./errors.js";
import { decodeObject, encodeObject, type Section, type Sections } from "./format.js";

/** Keys and bytes: the part of a writable store that a run uses. */
export type Keys = Pick<WritableStore, "get" | "set" | "list" | "remove">;

/** The keys of a scratch: a folder, or s3://BUCKET/PATH. */
export const keysOf = (scratch: string): Keys => (isRemote(scratch) ? new S3Store(scratch) : new FileStore(scratch));

/** Bytes that were read from a storage, and written to it. */
export interface Moved {
  read: number;
  written: number;
}

/** The time to wait for an object that has to exist: other machines see new files on NFS late. */
export interface Patience {
  readonly milliseconds: number;
  /** Waits; tests replace the clock. */
  sleep(milliseconds: number): Promise<void>;
}

/** Attribute caches of NFS last up to 60 s. */
export const PATIENCE: Patience = {
  milliseconds: 90_000,
  sleep: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
};

/** Number of times that a step is tried before the run stops. */
export const ATTEMPTS = 3;

/** A step that failed. */
export interface StepFailure {
  readonly phase: string;
  readonly number: number;
  readonly attempts: number;
  readonly message: string;
}

/** The file ending of objects. */
const ENDING = ".skry";

/**
 * The value of a JSON object of a run.
 * @throws ClusterError if it is none, as what a proxy answers instead
 */
export function jsonOf(bytes: Uint8Array, shown: string): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch (cause) {
    throw new ClusterError("damaged", `Expected ${shown} to be JSON, as skerry writes it; it is damaged.`, { cause });
  }
}

export class Storage {
  readonly run: string;
  readonly keys: Keys;
  readonly moved: Moved = { read: 0, written: 0 };
  readonly #patience: Patience;

  constructor(keys: Keys, run: string, patience: Patience = PATIENCE) {
    this.keys = keys;
    this.run = run;
    this.#patience = patience;
  }

  keyOf(kind: string, number: number): string {
    return `${this.run}/${kind}/${number}${ENDING}`;
  }

  /** Whether the plan still exists: a run ends when its plan is removed. */
  async isAlive(): Promise<boolean> {
    return (await this.keys.get(`${this.run}/plan.json`)) !== undefined;
  }

  /**
   * Writes a whole object.
   * @throws ClusterError if the run was removed
   */
  async write(kind: string, number: number, sections: Sections): Promise<void> {
    const bytes = await encodeObject({ run: this.run, kind, number }, sections);
    await this.fence();
    await this.keys.set(this.keyOf(kind, number), bytes);
    this.moved.written += bytes.length;
  }

  /**
   * Checks that the run was not removed.
   * @throws ClusterError if it was
   */
  async fence(): Promise<void> {
    if (!(await this.isAlive())) {
      throw new ClusterError("cancelled", `Run ${this.run} is not there any more: it was removed, or never planned.`);
    }
  }

  /**
   * Reads an object that an earlier phase has written, and waits for it if necessary.
   * @throws ClusterError if it does not appear, or is damaged
   */
  async read<K extends string>(
    kind: string,
    number: number,
    only?: readonly K[],
  ): Promise<Readonly<Record<K, Section>>> {
    const { milliseconds, sleep } = this.#patience;
    for (let waited = 0, pause = 50; ; waited += pause, pause = Math.min(5000, pause * 2)) {
      const found = await this.find<K>(kind, number, only);
      if (found) return found;
      if (waited >= milliseconds || !(await this.isAlive())) break;
      await sleep(pause);
    }
    await this.fence();
    throw new ClusterError("missing", `Expected ${this.keyOf(kind, number)}, which a phase before has written.`);
  }

  /** Reads an object; undefined if it does not exist. */
  async find<K extends string>(
    kind: string,
    number: number,
    only?: readonly K[],
  ): Promise<Readonly<Record<K, Section>> | undefined> {
    const bytes = await this.keys.get(this.keyOf(kind, number));
    if (!bytes) return undefined;
    this.moved.read += bytes.length;
    return (await decodeObject(bytes, { run: this.run, kind, number }, only)) as Record<K, Section>;
  }

  /** Marks a step as begun, so that other workers take other steps first. */
  async claim(phase: string, number: number): Promise<void> {
    await this.fence();
    await this.keys.set(`${this.run}/claims/${phase}/${number}`, new TextEncoder().encode("begun"));
  }

  /** Removes the claim of a step, after a failure. */
  async release(phase: string, number: number): Promise<void> {
    await this.keys.remove(`${this.run}/claims/${phase}/${number}`);
  }

  /** Numbers of the steps of a phase that were begun. */
  async claims(phase: string): Promise<Set<number>> {
    return new Set(
      (await this.keys.list(`${this.run}/claims/${phase}`)).filter((name) => /^\d+$/.test(name)).map(Number),
    );
  }

  /** Stores the costs of a step, and removes its failure. */
  async report(report: { readonly phase: string; readonly number: number }): Promise<void> {
    await this.#json(`reports/${report.phase}-${report.number}.json`, report);
    await this.keys.remove(`${this.run}/failures/${report.phase}-${report.number}.json`);
  }

  /** Stores the reason of a step's failure, and counts it. */
  async fail({ phase, number }: { readonly phase: string; readonly number: number }, message: string): Promise<void> {
    const { attempts = 0 } = (await this.failure(phase, number)) ?? {};
    await this.#json(`failures/${phase}-${number}.json`, { phase, number, attempts: attempts + 1, message });
  }

  async failure(phase: string, number: number): Promise<StepFailure | undefined> {
    return this.#parsed(`failures/${phase}-${number}.json`);
  }

  failures(): Promise<StepFailure[]> {
    return this.#events("failures");
  }

  /** The costs of a step that is done; undefined if they were not stored. */
  reportOf<T>(phase: string, number: number): Promise<T | undefined> {
    return this.#parsed(`reports/${phase}-${number}.json`);
  }

  reports<T>(): Promise<T[]> {
    return this.#events("reports");
  }

  async #events<T>(kind: "failures" | "reports"): Promise<T[]> {
    const names = (await this.keys.list(`${this.run}/${kind}`)).filter((name) => name.endsWith(".json"));
    const all = await Promise.all(names.map((name) => this.#parsed<T>(`${kind}/${name}`)));
    return all.filter((each) => each !== undefined) as T[];
  }

  /** Removes failures and claims, so that failed steps, and those of dead workers, are tried again at once. */
  async forgive(): Promise<void> {
    await this.keys.remove(`${this.run}/claims`);
    await this.keys.remove(`${this.run}/failures`);
  }

  async #json(key: string, value: object): Promise<void> {
    await this.fence();
    await this.keys.set(`${this.run}/${key}`, new TextEncoder().encode(`${JSON.stringify(value)}\n`));
  }

  async #parsed<T>(key: string): Promise<T | undefined> {
    const bytes = await this.keys.get(`${this.run}/${key}`);
    return bytes && (jsonOf(bytes, `${this.run}/${key}`) as T);
  }

  /** Numbers of the objects of a kind. */
  async list(kind: string): Promise<Set<number>> {
    const names = await this.keys.list(`${this.run}/${kind}`);
    return new Set(names.filter((name) => name.endsWith(ENDING)).map((name) => Number.parseInt(name, 10)));
  }
}
