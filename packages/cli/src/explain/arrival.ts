// The order in which a flood fill arrives, by breadth-first search. Each round reaches the pixels one step from those
// of the round before. A fill by such rounds needs as many rounds as its longest path has steps, so it is slow in
// slender regions and mazes.

import type { Place, Raster } from "skerry";

/** Result of a search by rounds. */
export interface Arrival {
  /** The round in which a pixel is reached: 1 for seeds, 0 for pixels that are not reached. */
  readonly round: Uint32Array;
  readonly rounds: number;
  readonly pixels: number;
}

/** Fills from each seed against the seed's own colour; a pixel matches where no channel differs by more than its tolerance. */
export function arrivalOf(
  { data, width, height, channels }: Raster & { channels: number },
  seeds: readonly Place[],
  tolerance: readonly number[],
  connectivity: 4 | 8,
): Arrival {
  const round = new Uint32Array(width * height);
  for (const seed of seeds) searchFrom(seed[1] * width + seed[0]);
  let [rounds, pixels] = [0, 0];
  for (const n of round) {
    if (n > 0) pixels++;
    rounds = Math.max(rounds, n);
  }
  return { round, rounds, pixels };

  /** Writes the round of every pixel that the seed reaches; an earlier round of another seed stays. */
  function searchFrom(seed: number): void {
    const seen = new Uint8Array(round.length);
    let frontier = [seed];
    seen[seed] = 1;
    for (let n = 1; frontier.length > 0; n++) {
      const next: number[] = [];
      for (const at of frontier) {
        const before = round[at];
        round[at] = before === 0 ? n : Math.min(before, n);
        const [x, y] = [at % width, Math.floor(at / width)];
        for (let v = Math.max(0, y - 1); v <= Math.min(height - 1, y + 1); v++) {
          for (let u = Math.max(0, x - 1); u <= Math.min(width - 1, x + 1); u++) {
            const to = v * width + u;
            if ((connectivity === 4 && u !== x && v !== y) || seen[to] || !matches(to, seed)) continue;
            seen[to] = 1;
            next.push(to);
          }
        }
      }
      frontier = next;
    }
  }

  function matches(at: number, seed: number): boolean {
    for (let c = 0; c < channels; c++) {
      const difference = Math.abs(data[at * channels + c] - data[seed * channels + c]);
      if (!(difference <= tolerance[tolerance.length === 1 ? 0 : c])) return false;
    }
    return true;
  }
}
