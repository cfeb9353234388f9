import type { Pool } from "./pool.js";

/** Memory that a piece of work borrows: everything is released together, whatever happens. */
export class Loan {
  readonly #pool: Pool;
  #pointers: number[] = [];

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  async allocate(bytes: number): Promise<number> {
    const pointer = await this.#pool.allocate(bytes);
    this.#pointers.push(pointer);
    return pointer;
  }

  /** A block with what an array holds. */
  async hold(array: ArrayBufferView): Promise<number> {
    const pointer = await this.allocate(array.byteLength);
    await this.#pool.write(pointer, array);
    return pointer;
  }

  /** One block per lane. */
  async lanes(count: number, bytes: number): Promise<number[]> {
    const pointers: number[] = [];
    for (let i = 0; i < count; i++) pointers.push(await this.allocate(bytes));
    return pointers;
  }

  /** Gives one block back before the others. */
  give(pointer: number): void {
    this.#pointers = this.#pointers.filter((held) => held !== pointer);
    this.#pool.release(pointer);
  }

  release(): void {
    for (const pointer of this.#pointers) this.#pool.release(pointer);
    this.#pointers = [];
  }
}

/** Borrows memory for the time of `work`. */
export async function borrowing<T>(pool: Pool, work: (loan: Loan) => Promise<T>): Promise<T> {
  const loan = new Loan(pool);
  try {
    return await work(loan);
  } finally {
    loan.release();
  }
}
