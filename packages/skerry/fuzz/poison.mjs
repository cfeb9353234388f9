// Poisons memory: the first 256 KiB of every allocation of a CPU engine are filled with the engine's own byte. So a kernel
// that reads uninitialised memory returns another result on each engine.

import { Pool } from "../checked/cpu/memory/pool.js";

const PATTERNS = [0x00, 0xff, 0x7f, 0xc3, 0x80];
const MOST_BYTES = 1 << 18;
let engines = 0;

/** Poisons every allocation of the engines opened from here on, each with another byte. */
export function poisonMemory() {
  const bytes = new WeakMap();
  const { allocate } = Pool.prototype;
  Pool.prototype.allocate = async function (size, lead) {
    const pointer = await allocate.call(this, size, lead);
    if (!bytes.has(this)) bytes.set(this, PATTERNS[engines++ % PATTERNS.length]);
    // write() must not allocate, and large blocks would take most of the time.
    await this.write(pointer, new Uint8Array(Math.min(size, MOST_BYTES)).fill(bytes.get(this)));
    return pointer;
  };
}
