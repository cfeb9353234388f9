// A virtual clock: tasks wait for a time, and time goes to the next one that waits once nothing else is left to do.

/** Random numbers, seeded (mulberry32). */
export function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

interface Timer {
  readonly at: number;
  readonly number: number;
  readonly run: () => void;
}

/** A clock with what waits for it, the earliest first (a binary heap). */
export class Clock {
  now = 0;
  /** Real work that time waits for. */
  holds = 0;
  readonly #heap: Timer[] = [];
  #numbers = 0;

  sleep(milliseconds: number): Promise<void> {
    return new Promise((resolve) => this.#push({ at: this.now + milliseconds, number: this.#numbers++, run: resolve }));
  }

  /** Lets time go on until `isOver`, or until nothing waits, or for so long. */
  async go(isOver: () => boolean, most: number): Promise<void> {
    while (!isOver()) {
      // Everything that does not wait for the clock comes first.
      do await new Promise((resolve) => setImmediate(resolve));
      while (this.holds > 0);
      const next = this.#pop();
      if (!next || next.at > most) return;
      this.now = next.at;
      next.run();
    }
  }

  #before(a: Timer, b: Timer): boolean {
    return a.at < b.at || (a.at === b.at && a.number < b.number);
  }

  #push(timer: Timer): void {
    const heap = this.#heap;
    let at = heap.push(timer) - 1;
    while (at > 0) {
      const up = (at - 1) >> 1;
      if (!this.#before(timer, heap[up])) break;
      heap[at] = heap[up];
      at = up;
    }
    heap[at] = timer;
  }

  #pop(): Timer | undefined {
    const heap = this.#heap;
    const [first] = heap;
    const last = heap.pop();
    if (!last || heap.length === 0) return first;
    let at = 0;
    for (;;) {
      let down = 2 * at + 1;
      if (down >= heap.length) break;
      if (down + 1 < heap.length && this.#before(heap[down + 1], heap[down])) down++;
      if (!this.#before(heap[down], last)) break;
      heap[at] = heap[down];
      at = down;
    }
    heap[at] = last;
    return first;
  }
}
