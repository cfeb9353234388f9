// A map of numbers that may hold more than 2^24 entries, where one Map of V8 ends.

const MAPS = 256;

/** Numbers by number. */
export class LargeMap {
  readonly #maps = Array.from({ length: MAPS }, () => new Map<number, number>()); // wide: one of 256

  get size(): number {
    return this.#maps.reduce((sum, map) => sum + map.size, 0);
  }

  get(key: number): number | undefined {
    return this.#mapOf(key).get(key);
  }

  set(key: number, value: number): void {
    this.#mapOf(key).set(key, value);
  }

  *keys(): Generator<number> {
    for (const map of this.#maps) yield* map.keys();
  }

  /** The lowest bits of a number's whole part choose the map; of an infinity they are 0. */
  #mapOf(key: number): Map<number, number> {
    return this.#maps[key & (MAPS - 1)];
  }
}
