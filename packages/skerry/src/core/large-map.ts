// A map of numbers that may hold more than 2^24 entries, the limit of one Map in V8.

const MAPS = 256;

/** A map from numbers to numbers, spread over several Maps. */
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

  /** The lowest bits of the key's integer part choose the map; an infinite key uses the first. */
  #mapOf(key: number): Map<number, number> {
    return this.#maps[key & (MAPS - 1)];
  }
}
