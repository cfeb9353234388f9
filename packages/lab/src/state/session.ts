// The session: the open engine, the picture on it, and the masks of fences.

import type { Engine, Mask } from "skerry";
import { openDevice, type Resident } from "../engine/devices.js";
import { TEXT } from "../text.js";
import { fillStrokes } from "../tools/fill.js";
import { maskOfObjects } from "../tools/objects.js";
import type { Given } from "../tools/tool.js";
import { choice, failure } from "./lab.js";
import type { Fence } from "./recipe.js";

export const session: {
  engine: Engine | undefined;
  resident: Resident | undefined;
  /** Pictures that are on their way. */
  opening: number;
} = { engine: undefined, resident: undefined, opening: 0 };

export async function hasAdapter(software: boolean): Promise<boolean> {
  try {
    const adapter = await navigator.gpu?.requestAdapter();
    return adapter !== null && adapter !== undefined && (software || !adapter.info?.isFallbackAdapter);
  } catch {
    return false;
  }
}

/**
 * Opens the chosen device instead of the open one. If there is none, resolves to false, with a sentence on the page.
 */
export async function openEngine(): Promise<boolean> {
  await session.engine?.close().catch(() => undefined);
  try {
    session.engine = await openDevice(choice.value);
    return true;
  } catch (error) {
    if (choice.value === "gpu") {
      choice.value = "cpu";
      const opened = await openEngine();
      if (opened) failure.value = { text: TEXT.failures.gpu((error as Error).message) };
      return opened;
    }
    failure.value = { text: TEXT.failures.engine((error as Error).message) };
    return false;
  }
}

/** The engine's memory, for the bench. */
export const memory = () => session.engine?.describe().memory;

/** Masks of fences, by their definitions as JSON. */
const fences = new Map<string, Mask>();

export async function fenceOf(given: Given, fence: Fence | undefined): Promise<Mask | undefined> {
  if (!fence) return undefined;
  const key = JSON.stringify(fence);
  const known = fences.get(key);
  if (known) return known;
  const within = await fenceOf(given, fence.within);
  const inner = { ...given, within };
  const mask =
    fence.tool === "objects"
      ? await maskOfObjects(inner, fence.objects, fence.spots)
      : (await fillStrokes(inner, fence.fill, fence.fill.strokes)).mask;
  fences.set(key, mask);
  return mask;
}

export const forgetFences = (): void => fences.clear();
