// Random recipes by all ways: the same bytes, or the same refusal.

import fc from "fast-check";
import { open } from "skerry";
import { expect, test } from "vitest";
import type { Operation, Recipe } from "../../src/index.js";
import { OPERATIONS } from "../../src/internal.js";
import { recipes, SHARES } from "./recipes.js";
import { byCommandLine, byProgram, byRecipeFile, byRun, makeScene, parsedAgain, REFUSED, removeScene } from "./ways.js";

/** Compares so many recipes. */
export function compareWays(count: number, seed: number): void {
  test(`${count} random recipes: run(), the command line, skerry run and the printed program give the same bytes`, async () => {
    const scene = await makeScene();
    const engine = await open({ device: "cpu", threads: 2 });
    const made: Partial<Record<Operation, number>> = {};
    try {
      for (const operation of OPERATIONS) {
        const own: readonly Recipe[] = fc.sample(recipes(operation), {
          seed,
          numRuns: Math.ceil((count * SHARES[operation]) / 100),
        });
        for (const recipe of own) {
          const told = JSON.stringify(recipe);
          const expected = await byRun(engine, recipe, scene);
          expect({ told, got: await byProgram(engine, recipe, scene) }).toEqual({ told, got: expected });
          expect({ told, got: await byRecipeFile(recipe, scene) }).toEqual({ told, got: expected });
          const spoken = await byCommandLine(recipe, scene);
          if (spoken !== undefined) {
            expect({ told, got: spoken }).toEqual({ told, got: expected });
            expect(await parsedAgain(recipe, scene)).toEqual(recipe);
          }
          if (expected !== REFUSED) made[operation] = (made[operation] ?? 0) + 1;
        }
      }
    } finally {
      await engine.close();
      removeScene(scene);
    }
    // Refusals are compared, but most recipes have to give something.
    for (const operation of OPERATIONS) {
      expect((made[operation] ?? 0) / Math.ceil((count * SHARES[operation]) / 100)).toBeGreaterThan(0.15);
    }
  }, 600_000);
}
