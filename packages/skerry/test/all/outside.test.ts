// scikit-image's own tests of `label`, `flood` and `flood_fill`, and SciPy's of `distance_transform_edt`, with skerry in their
// place; see outside/judge.py. Where Debian's packages are not, this test is skipped.

import { spawnSync } from "node:child_process";
import { resolve } from "node:path";
import { expect, test } from "vitest";

const judge = resolve(import.meta.dirname, "../../outside/judge.py");
const python = process.env.PYTHON ?? "/usr/bin/python3";
const missing = spawnSync(python, ["-c", "import skimage, scipy, pytest"]).status !== 0;
if (missing)
  console.warn("the tests of scikit-image and SciPy are skipped: python3-skimage or python3-pytest is not installed");

/** The counts that the judge prints last. */
function run(...args: string[]): {
  status: number | null;
  passed: number;
  failed: number;
  refused: number;
  out: string;
} {
  const { status, stdout } = spawnSync(python, [judge, ...args], { encoding: "utf8" });
  const [, passed, failed, refused] = /^all: (\d+) passed, (\d+) failed, (\d+) refused/m.exec(stdout) ?? [];
  return { status, passed: Number(passed), failed: Number(failed), refused: Number(refused), out: stdout };
}

test.skipIf(missing)("the tests of scikit-image and SciPy pass", () => {
  const { status, passed, failed, refused, out } = run();
  expect([status, failed, refused], out).toEqual([0, 0, 0]);
  expect(passed, out).toBeGreaterThanOrEqual(70);
});

test.skipIf(missing)("they fail if every answer is spoiled", () => {
  const { passed, failed } = run("--break");
  expect(failed).toBeGreaterThanOrEqual(70);
  // One test of scikit-image asks only that each label has one value.
  expect(passed).toBeLessThanOrEqual(1);
});
