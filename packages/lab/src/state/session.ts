// The session: the open engine, the picture on it, and what follows the recipe.

import type { Engine } from "skerry";
import { type DeviceChoice, openDevice, Resident } from "../engine/devices.js";
import { TEXT } from "../text.js";
import type { Follower } from "./follow.js";
import { choice, device, failure, hasGpu, picture } from "./lab.js";

export const session: {
  engine: Engine | undefined;
  resident: Resident | undefined;
  follower: Follower | undefined;
  /** Pictures that are on their way. */
  opening: number;
} = { engine: undefined, resident: undefined, follower: undefined, opening: 0 };

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
    session.engine = await openDevice(choice.value, hasGpu.value);
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

/** Disposes the results of the picture, and the picture on the engine. */
export function dropPicture(): void {
  session.follower?.drop();
  session.resident?.dispose();
  session.resident = undefined;
}

/** The same picture on another device. */
export async function chooseDevice(next: DeviceChoice): Promise<void> {
  choice.value = next;
  await restart();
}

export async function restart(): Promise<void> {
  const opened = picture.value;
  dropPicture();
  if (!(await openEngine()) || !opened || !session.engine) return;
  session.resident = new Resident(session.engine, opened);
  session.follower?.ask();
}

/** Whether the result belongs to the settings, as an attribute of the document, for programs that drive the page. */
export function tellSettled(): void {
  const isSettled = session.follower?.isSettled === true && session.opening === 0;
  document.documentElement.dataset.settled = String(isSettled);
}

/** Names the device that ran. */
export function tellDevice(ran: string | undefined): void {
  if (!session.engine) return;
  const { threads, gpu, device: own } = session.engine.describe();
  device.value = TEXT.on((ran ?? own) === "gpu" && gpu ? "gpu" : "cpu", threads);
}

/** The engine's memory, for the bench. */
export const memory = () => session.engine?.describe().memory;
