// Two thousand schedules in virtual time, from another seed than the ordinary tests, and some with the steps themselves instead of what
// is known of them. SKERRY_SCHEDULES=2000 runs more of these.

import { expect, test } from "vitest";
import { folder } from "../support/images.js";
import { knownRun, realRun } from "../support/known-run.js";
import { simulate } from "../support/simulation.js";

const SCHEDULES = 2000;
const SEED = 1_000_000;
const REAL_SCHEDULES = Number(process.env.SKERRY_SCHEDULES ?? 60);

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

test("schedules with real steps end with the same bytes", { timeout: 3_600_000 }, async () => {
  const run = await realRun(await folder());
  let executions = 0;
  for (let seed = SEED; seed < SEED + REAL_SCHEDULES; seed++) {
    const outcome = await simulate(run, seed);
    expect(outcome.wrong, `schedule ${seed}`).toBe(undefined);
    executions += outcome.executions;
  }
  await run.close();
  expect(executions).toBeGreaterThan(run.steps.size * REAL_SCHEDULES * 0.8);
});
