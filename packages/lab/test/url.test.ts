// Links: settings into letters and back, short ones, and none where they are too long or damaged.

import { expect, test } from "vitest";
import { hashOf, linkedOf, packed, unpacked } from "../src/session/url.js";
import { ownRecipe, type Recipe, recipeFor, SAMPLES } from "../src/settings/recipe.js";

test("links of all samples lead to the same settings", async () => {
  for (const sample of SAMPLES) {
    const settings = recipeFor(sample);
    const hash = (await hashOf(settings)) as string;
    expect(hash).toMatch(/^#v=4&source=/);
    expect(hash.length).toBeLessThan(400);
    const linked = await linkedOf(hash);
    expect(await hashOf(linked as Recipe)).toBe(hash);
  }
});

test("a fence is part of the link", async () => {
  const [sample] = SAMPLES;
  const objects = recipeFor(sample!).objects;
  const settings: Recipe = { ...recipeFor(sample!), within: { tool: "objects", objects, spots: [[3, 4]] } };
  const linked = await linkedOf((await hashOf(settings)) as string);
  expect(linked?.within).toMatchObject({ tool: "objects", spots: [[3, 4]] });
});

test("settings of a volume are part of the link; wrong ones give none", async () => {
  const own = ownRecipe("head.nii.gz", "fill", 1, { page: 4 });
  const volume = { connectivity: 26, seed: [3, 4, 5], tolerance: 12.5 } as const;
  const hash = (await hashOf({ ...own, volume })) as string;
  expect((await linkedOf(hash))?.volume).toEqual(volume);
  for (const wrong of ['{"connectivity":8}', '{"seed":[1,2]}', '{"seed":[1,2,-3]}', '{"tolerance":-1}', "null", "{"]) {
    const fields = new URLSearchParams(hash.slice(1));
    fields.set("volume", wrong);
    expect(await linkedOf(`#${fields}`), wrong).toBe(undefined);
  }
});

test("what is too long for a link gives none, never a half", async () => {
  let state = 7;
  const next = (): number => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state % 100_000;
  };
  const own = ownRecipe("a.png", "objects");
  const edits = Array.from({ length: 5000 }, () => ({ drop: [next(), next()] as const }));
  expect(await hashOf({ ...own, objects: { ...own.objects, edits } })).toBe(undefined);
  const some = { ...own, objects: { ...own.objects, edits: edits.slice(0, 500) } };
  const linked = await linkedOf((await hashOf(some)) as string);
  expect(linked?.objects.edits).toEqual(some.objects.edits);
});

test("plain links of the version before are read", async () => {
  const recipe = encodeURIComponent('{"skerry":1,"operation":"components","options":{"threshold":{"above":60}}}');
  const linked = await linkedOf(`#v=3&source=galaxies&tool=objects&recipe=${recipe}`);
  expect(linked?.objects).toMatchObject({ rule: "bright", method: "fixed", threshold: 60 });
});

test("hashes that hold no settings give none", async () => {
  const good = (await hashOf(ownRecipe("a.png", "objects"))) as string;
  for (const hash of [
    "",
    "#",
    "#v=4",
    "#v=9&source=a&tool=objects",
    "#v=4&source=a&tool=paint",
    `${good.slice(0, -8)}`,
  ]) {
    expect(await linkedOf(hash), hash).toBe(undefined);
  }
  expect(await unpacked(await packed("ä 60 € \u{1f41a}"))).toBe("ä 60 € \u{1f41a}");
  await expect(unpacked("AAAA")).rejects.toThrow();
});
