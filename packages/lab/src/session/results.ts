// Computes the result again: on both devices for comparison; and random cases on the GPU.

import { session } from "../state/engine.js";
import { busyComparing, comparison, failure, picture, recipe } from "../state/lab.js";
import { maskOfFence, toolOf } from "../tools/index.js";
import type { Given } from "../tools/tool.js";
import { TEXT } from "../words/text.js";

/** Arguments of tools for the picture and the fence of the recipe; undefined without a picture. */
export async function givenNow(): Promise<Given | undefined> {
  const { resident } = session;
  resident?.scaleTo(recipe.value.scale);
  return resident && { resident, within: await maskOfFence({ resident }, recipe.value.within) };
}

/** Runs the current recipe on both devices, inside the fence. */
export async function compare(): Promise<void> {
  const opened = picture.value;
  const wanted = recipe.value;
  if (!opened) return;
  busyComparing.value = "…";
  try {
    comparison.value = await (await import("../engine/agree.js")).compareDevices(opened, async (resident) => {
      resident.scaleTo(wanted.scale);
      const within = await maskOfFence({ resident }, wanted.within);
      const begin = performance.now();
      const arrays = await toolOf(wanted).arrays({ resident, within }, wanted);
      return { arrays, milliseconds: performance.now() - begin };
    });
  } catch (error) {
    failure.value = { text: TEXT.failures.compare((error as Error).message) };
  } finally {
    busyComparing.value = "";
  }
}

/** Runs seeded cases on both devices; resolves to a line to paste into an issue. */
export async function checkGpu(onCase: (done: number, count: number) => void): Promise<string> {
  const count = Number(new URLSearchParams(location.search).get("cases") ?? 200);
  try {
    return await (await import("../engine/agree.js")).checkGpu(count, (done) => onCase(done, count));
  } catch (error) {
    return TEXT.failures.compare((error as Error).message);
  }
}
