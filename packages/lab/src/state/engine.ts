// The open engine, the picture on it, and the follower that computes results.

import { signal } from "@preact/signals";
import type { Engine } from "skerry";
import { type DeviceChoice, openDevice, Resident } from "../engine/devices.js";
import type { Spot } from "../settings/spots.js";
import { TEXT } from "../words/text.js";
import { choice, device, failure, hasGpu, picture } from "./lab.js";

/** The loop that computes results, as the rest of the page calls it. */
interface Following {
  readonly isSettled: boolean;
  ask(): void;
  again(): void;
  repeat(): void;
  moved(): void;
  cancel(): void;
  preview(spot: Spot | undefined): void;
  setAside(isKept: boolean): void;
  failed(error: unknown): Promise<void>;
  drop(): void;
}

export const session: {
  engine: Engine | undefined;
  resident: Resident | undefined;
  follower: Following | undefined;
  /** Number of pictures that are being opened. */
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
 * Opens the chosen device instead of the open one. If the GPU cannot be opened, opens the CPU. If that fails too, resolves
 * to false. The page shows the reason.
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

/** Changes the device; the picture stays. */
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

/** Whether the result belongs to the settings. */
export const settled = signal(false);

/** Tells whether it does, also in an attribute of the document, for programs that drive the page. */
export function tellSettled(): void {
  settled.value = session.follower?.isSettled === true && session.opening === 0;
  document.documentElement.dataset.settled = String(settled.value);
}

/** Shows the name of the device that ran. */
export function tellDevice(ran: string | undefined): void {
  if (!session.engine) return;
  const { threads, gpu, device: kind } = session.engine.describe();
  device.value = TEXT.on((ran ?? kind) === "gpu" && gpu ? "gpu" : "cpu", threads);
}

/** From how many pixels on the GPU does each kind of work, as far as it was measured. */
export const speeds = () => session.engine?.describe().gpuFrom ?? {};

/** The engine's memory, for the bench. */
export const memory = () => session.engine?.describe().memory;
