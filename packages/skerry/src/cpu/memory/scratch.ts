// Memory for the time of one piece of work.

import type { Pool } from "./pool.js";

/** Memory of one piece of work. {@link ScratchScope.freeAll} frees all blocks that are left. */
export class ScratchScope {
  readonly #pool: Pool;
  #pointers: number[] = [];

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  /** Reserves memory, with `lead` bytes in front of the address. */
  async allocate(bytes: number, lead = 0): Promise<number> {
    const pointer = await this.#pool.allocate(bytes, lead);
    this.#pointers.push(pointer);
    return pointer;
  }

  /** A block with a copy of an array. */
  async copyIn(array: ArrayBufferView): Promise<number> {
    const pointer = await this.allocate(array.byteLength);
    await this.#pool.write(pointer, array);
    return pointer;
  }

  /** Takes over a block that was allocated elsewhere. */
  keep(pointer: number): number {
    this.#pointers.push(pointer);
    return pointer;
  }

  /** One block per lane. */
  async lanes(count: number, bytes: number, lead = 0): Promise<number[]> {
    const pointers: number[] = [];
    for (let i = 0; i < count; i++) pointers.push(await this.allocate(bytes, lead));
    return pointers;
  }

  /** Frees one block before the others. */
  free(pointer: number): void {
    this.#pointers = this.#pointers.filter((held) => held !== pointer);
    this.#pool.free(pointer);
  }

  freeAll(): void {
    for (const pointer of this.#pointers) this.#pool.free(pointer);
    this.#pointers = [];
  }
}

/** Runs `work` with memory that is freed after it. */
export async function withScratch<T>(pool: Pool, work: (scope: ScratchScope) => Promise<T>): Promise<T> {
  const scope = new ScratchScope(pool);
  try {
    return await work(scope);
  } finally {
    scope.freeAll();
  }
}
