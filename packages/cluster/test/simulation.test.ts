// The protocol in virtual time: seeded schedules of workers that die, freeze and wake, over a storage and a queue with faults. Every one
// ends with the same bytes. SKERRY_SCHEDULES=100000 runs more of them;
// `npm run test:all` runs 2000.

import { expect, test } from "vitest";
import { folder } from "./support/images.js";
import { knownRun } from "./support/known-run.js";
import { FAULTS, simulate } from "./support/simulation.js";

const SCHEDULES = Number(process.env.SKERRY_SCHEDULES ?? 100);
/** Schedules within which a fault has to be found. */
const MOST_SCHEDULES = 10_000;
const SEED = Number(process.env.SKERRY_SEED ?? 1);

test("every schedule ends with the same bytes", { timeout: 3_600_000 }, async () => {
  const known = await knownRun(await folder());
  let executions = 0;
  for (let seed = SEED; seed < SEED + SCHEDULES; seed++) {
    const outcome = await simulate(known, seed);
    expect(outcome.wrong, `schedule ${seed}`).toBe(undefined);
    executions += outcome.executions;
  }
  const least = [...known.steps].length;
  expect(executions).toBeGreaterThan(least * SCHEDULES * 0.8);
});

test.each(FAULTS)("a protocol that %s is found", { timeout: 60_000 }, async (fault) => {
  const known = await knownRun(await folder());
  for (let seed = 1; seed <= MOST_SCHEDULES; seed++) {
    const { wrong } = await simulate(known, seed, fault);
    if (wrong === undefined) continue;
    if (process.env.SKERRY_SCHEDULES) console.log(`${fault}: schedule ${seed}: ${wrong}`);
    return;
  }
  expect.fail(`no schedule of ${MOST_SCHEDULES} found it`);
});
