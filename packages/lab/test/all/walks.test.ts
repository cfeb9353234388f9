// Random walks over three files, in every browser that is there: nothing that belongs to a file is lost by looks at others, undo and
// reloads, and the counts at the end are those of the command with the saved recipe. SKERRY_WALKS says how many walks each browser takes.

import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Bench, blobs, firefoxPath, noBrowser, type Opened, pngOf, skerry } from "../page.js";

const NAMES = ["one.png", "two.png", "three.png"] as const;
const SIZES = [
  [150, 110],
  [170, 100],
  [130, 120],
] as const;
const WALKS = Number(process.env.SKERRY_WALKS ?? 2);
const STEPS = 15;

const button = (of: Opened, name: string) => of.page.getByRole("button", { name, exact: true });
const smallest = (of: Opened) => of.page.locator('input[name="minArea"]');
const sourceOf = (of: Opened): Promise<string | null> => of.page.locator(".source").textContent();

/** All that a user sees of the work on a file. */
async function stateOf(of: Opened): Promise<readonly unknown[]> {
  await of.settled();
  return [
    await of.count(),
    await smallest(of).inputValue(),
    await button(of, "Undo").isEnabled(),
    await button(of, "Redo").isEnabled(),
  ];
}

/** A step: what is done, and a number that chooses within it. */
type Step = readonly [what: "area" | "delete" | "undo" | "redo" | "reload" | "show", number: number];

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: fc.tuple(fc.constant("area" as const), fc.integer({ min: 1, max: 40 })) },
  { weight: 3, arbitrary: fc.tuple(fc.constant("show" as const), fc.nat(2)) },
  { weight: 1, arbitrary: fc.tuple(fc.constantFrom("delete" as const, "undo" as const, "redo" as const), fc.nat(9)) },
  { weight: 1, arbitrary: fc.tuple(fc.constant("reload" as const), fc.nat(0)) },
);

describe.skipIf(noBrowser).each([
  ["Chromium", false],
  ["Firefox", firefoxPath === undefined],
] as const)("walks over three files in %s", (kind, isMissing) => {
  let bench: Bench;
  let folder: string;
  beforeAll(async () => {
    if (isMissing) return;
    bench = await Bench.start([], kind);
    folder = mkdtempSync(join(tmpdir(), "skerry-walks-"));
    for (const [i, name] of NAMES.entries()) {
      const [width, height] = SIZES[i] as readonly [number, number];
      writeFileSync(join(folder, name), await pngOf(blobs(width, height, i + 1)));
    }
  });
  afterAll(async () => {
    await bench?.close();
    if (folder) rmSync(folder, { recursive: true, force: true });
  });

  const walks = fc.sample(fc.array(step, { minLength: STEPS, maxLength: STEPS }), { seed: 531, numRuns: WALKS });
  test.skipIf(isMissing).each(walks.map((walk, i) => [i, walk] as const))(
    "walk %i loses nothing",
    async (i, walk) => {
      const lab = await bench.open("isolated", "", { colorScheme: i % 2 === 0 ? "light" : "dark" });
      const { page } = lab;
      await lab.go();
      await lab.settled();
      await page.locator('header input[type="file"]').setInputFiles(NAMES.map((name) => join(folder, name)));
      let now: string = NAMES[0];
      await expect.poll(() => sourceOf(lab)).toBe(now);
      await lab.settled();
      const model = new Map<string, readonly unknown[]>();
      for (const [at, [what, number]] of walk.entries()) {
        if (what === "area") await smallest(lab).fill(String(number));
        else if (what === "undo" && (await button(lab, "Undo").isEnabled())) await button(lab, "Undo").click();
        else if (what === "redo" && (await button(lab, "Redo").isEnabled())) await button(lab, "Redo").click();
        else if (what === "delete" && (await lab.count()) > 1) {
          await page.getByRole("gridcell").first().click();
          await button(lab, "Delete").click();
        } else if (what === "reload") {
          await page.waitForTimeout(600);
          await page.reload();
          await expect.poll(() => sourceOf(lab)).toBe(now);
        } else if (what === "show") {
          now = NAMES[number] as string;
          await button(lab, now).click();
          await expect.poll(() => sourceOf(lab)).toBe(now);
        }
        const state = await stateOf(lab);
        const before = model.get(now);
        if (before && (what === "reload" || what === "show")) expect(state, `step ${at} on ${now}`).toEqual(before);
        // A file that was only looked at has the settings of the one before.
        if (state[2] === true || state[3] === true) model.set(now, state);
        else model.delete(now);
      }
      for (const name of NAMES) {
        await button(lab, name).click();
        await expect.poll(() => sourceOf(lab)).toBe(name);
        await lab.settled();
        writeFileSync(join(folder, "saved.json"), await lab.saves("recipe"));
        const words = ["run", "saved.json", name, "--json"];
        const { stdout, stderr } = spawnSync(process.execPath, [skerry, ...words], { cwd: folder, encoding: "utf8" });
        expect(stderr).not.toContain("skerry:");
        expect(JSON.parse(stdout).count, name).toBe(await lab.count());
      }
      await lab.close();
    },
    120_000,
  );
});
