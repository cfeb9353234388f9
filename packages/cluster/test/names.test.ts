import { expect, test } from "vitest";
import * as cluster from "../src/index.js";

test("the public names", () => {
  expect(Object.keys(cluster).sort()).toEqual([
    "ClusterError",
    "KNOWN_PROPERTIES",
    "PHASES",
    "checkAllowed",
    "clean",
    "enroll",
    "estimate",
    "missingOf",
    "nextPhase",
    "openRun",
    "parsePlan",
    "phaseOf",
    "phasesOf",
    "plan",
    "plansFlag",
    "queueWorker",
    "runOf",
    "slurmScript",
    "status",
    "submitTo",
    "work",
  ]);
});
