// Copies on the calling thread between the caller's arrays and WebAssembly memory. They are timed, and spread over turns of
// the event loop, so that the thread is never blocked for more than one band.

import { copyBytes } from "#copy";
import { turn } from "#event-loop";
import { changedError } from "../../types/errors.js";

/** The calling thread copies at most this many bytes between two turns of the event loop. */
const COPY_BUDGET = 4 << 20;

/** The same in milliseconds: pages that are touched for the first time take ten times as long. */
const COPY_MILLISECONDS = 4;

/** Minimum bytes of a copy whose time counts as a measure of memory's speed. */
const RATED_BYTES = 1 << 16;

/** Time and bytes that the calling thread itself spent, within the stages of the workers. */
export interface Meter {
  allocate: { milliseconds: number; bytes: number };
  copy: { milliseconds: number; bytes: number };
}

export class Copies {
  readonly meter: Meter = { allocate: { milliseconds: 0, bytes: 0 }, copy: { milliseconds: 0, bytes: 0 } };
  #copied = 0;
  /** Expected milliseconds of the copies since the last turn. */
  #expected = 0;
  /** Milliseconds per byte: the maximum over recent copies, which decays. */
  #rate = 0;
  #turns: Promise<void> = Promise.resolve();

  /** Copies bytes to a view of the same length. */
  copy(from: Uint8Array, to: Uint8Array): void {
    this.timed(from.byteLength, () => copyBytes(from, to));
  }

  /** Writes that many bytes to memory. */
  timed(bytes: number, write: () => void): void {
    const begin = performance.now();
    try {
      write();
    } catch (cause) {
      // The lengths were equal when last checked, a turn of the event loop ago: the caller changed its array.
      throw changedError(cause);
    }
    const milliseconds = performance.now() - begin;
    // The time of a small copy depends more on the clock than on memory.
    if (bytes >= RATED_BYTES) this.#rate = Math.max(milliseconds / bytes, this.#rate * 0.8);
    this.meter.copy.milliseconds += milliseconds;
    this.meter.copy.bytes += bytes * 2;
  }

  /** Lets the event loop turn before the calling thread copies more than its budget in one go. */
  pay(bytes: number): Promise<void> {
    const milliseconds = bytes * this.#rate;
    this.#copied += bytes;
    this.#expected += milliseconds;
    if (this.#copied > COPY_BUDGET || this.#expected > COPY_MILLISECONDS) {
      this.#copied = bytes;
      this.#expected = milliseconds;
      // Copies that wait for one turn share its budget; the next ones wait for the turn after it.
      this.#turns = this.#turns.then(turn);
    }
    return this.#turns;
  }
}

/** From this many bytes of shared memory on, V8 drops messages that hold views of it, without an error. */
const UNSENT_BYTES = 2 ** 32;

/** Whether workers can be sent an array as it is. */
export function isShared(array: ArrayBufferView): boolean {
  const { buffer } = array;
  return (
    typeof SharedArrayBuffer !== "undefined" && buffer instanceof SharedArrayBuffer && buffer.byteLength < UNSENT_BYTES
  );
}
