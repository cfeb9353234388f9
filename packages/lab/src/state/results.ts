// Computes the result again: as components for saving, on both devices for comparison; and random cases on the GPU.

import { compareDevices, checkGpu as runCases } from "../engine/agree.js";
import { TEXT } from "../text.js";
import { componentsOf, fillStrokes, rgbOf } from "../tools/fill.js";
import { findObjects } from "../tools/objects.js";
import type { Given } from "../tools/tool.js";
import { busyComparing, comparison, failure, picture, recipe } from "./lab.js";
import { fenceOf, session } from "./session.js";

/** The result as components, for saving. The caller disposes them. */
export async function resultComponents() {
  const { resident } = session;
  if (!resident) return undefined;
  const { tool, objects: wanted, fill, within } = recipe.value;
  const fence = await fenceOf({ resident }, within);
  const given: Given = { resident, within: fence };
  if (tool === "objects") {
    const made = await findObjects(given, wanted);
    return { components: made.components, plane: made.plane };
  }
  const made = await fillStrokes(given, fill, fill.strokes);
  return { components: await componentsOf(given, made, fill.connectivity), plane: await resident.image() };
}

/** Each painted colour with its components, for the painted picture; they are the caller's to dispose. */
export async function coatComponents() {
  const { resident } = session;
  if (!resident) return [];
  const { fill, within } = recipe.value;
  const given: Given = { resident, within: await fenceOf({ resident }, within) };
  const made = [];
  for (const coat of fill.coats) {
    const strokes = await fillStrokes(given, coat, coat.strokes);
    made.push({ components: await componentsOf(given, strokes, coat.connectivity), colour: rgbOf(coat.colour) });
  }
  return made;
}

/** Runs what is on the screen on both devices. */
export async function compare(): Promise<void> {
  const opened = picture.value;
  const { tool, objects: wanted, fill } = recipe.value;
  if (!opened) return;
  busyComparing.value = "…";
  try {
    comparison.value = await compareDevices(opened, async (own) => {
      const given: Given = { resident: own };
      if (tool === "fill") {
        const { mask, milliseconds } = await fillStrokes(given, fill, fill.strokes);
        return { arrays: [mask.bits], milliseconds };
      }
      const { components, milliseconds } = await findObjects(given, { ...wanted, dropped: [] });
      const { data } = await components.labels();
      const { area, bounds, centroid } = await components.regions();
      components.dispose();
      return { arrays: [data, area, bounds, centroid].filter((array) => array !== undefined), milliseconds };
    });
  } catch (error) {
    failure.value = { text: TEXT.failures.compare((error as Error).message) };
  } finally {
    busyComparing.value = "";
  }
}

/** Seeded cases on both devices; resolves to a line to paste into an issue. */
export async function checkGpu(told: (done: number, count: number) => void): Promise<string> {
  const count = Number(new URLSearchParams(location.search).get("cases") ?? 200);
  try {
    return await runCases(count, (done) => told(done, count));
  } catch (error) {
    return TEXT.failures.compare((error as Error).message);
  }
}
