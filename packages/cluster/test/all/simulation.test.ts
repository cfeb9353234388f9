// Two thousand schedules in virtual time, from another seed than the ordinary tests.

import { expect, test } from "vitest";
import { folder } from "../support/images.js";
import { knownRun } from "../support/known-run.js";
import { simulate } from "../support/simulation.js";

const SCHEDULES = 2000;
const SEED = 1_000_000;

test("2000 schedules end with the same bytes", { timeout: 600_000 }, async () => {
  const known = await knownRun(await folder());
  let executions = 0;
  for (let seed = SEED; seed < SEED + SCHEDULES; seed++) {
    const outcome = await simulate(known, seed);
    expect(outcome.wrong, `schedule ${seed}`).toBe(undefined);
    executions += outcome.executions;
  }
  expect(executions).toBeGreaterThan(known.steps.size * SCHEDULES * 0.8);
});
