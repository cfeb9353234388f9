// Stores the user's work in the browser: the file, the settings and the place of the view, so that the page can restore it
// after a reload, a crash or on another day. Each tab has its own work; that of the last few tabs is kept.

import { del, get, set, update } from "idb-keyval";
import { readText, writeText } from "./browser.js";
import { ownRecipe, type Recipe } from "./recipe.js";
import type { Place } from "./view.js";

const VERSION = 1;
const MOST_TABS = 4;
/** Changes are written this long after the first that is not written yet. */
const PAUSE_MILLISECONDS = 250;
const TAB = "skerry:tab";
const INDEX = "tabs";

/** Everything that is stored of a tab, besides the file. */
export interface Work {
  readonly recipe: Recipe;
  /** Undefined if the whole picture is shown. */
  readonly place: Place | undefined;
  readonly divider: number;
}

interface Kept extends Work {
  readonly version: number;
}

/** Work that was stored. `file` is defined for files of the user's. */
export interface Restored extends Work {
  readonly file: File | undefined;
  /** Whether it is the work of this tab, rather than of the tab that was used last. */
  readonly isOwn: boolean;
}

let tab = "";

/** The name of this tab, which a reload and the browser's own restoring keep. */
function tabOf(): string {
  if (tab) return tab;
  // crypto.randomUUID() exists only on secure pages.
  tab = readText("sessionStorage", TAB) ?? Array.from(crypto.getRandomValues(new Uint32Array(4))).join("-");
  writeText("sessionStorage", TAB, tab);
  return tab;
}

const workKey = (of: string): string => `work ${of}`;
const fileKey = (of: string): string => `file ${of}`;

/** The work of this tab, or of the tab that was used last; undefined if there is none, or no storage. */
export async function restored(): Promise<Restored | undefined> {
  try {
    const tabs = (await get<string[]>(INDEX)) ?? [];
    const own = tabOf();
    const mine = await get<Kept>(workKey(own));
    const from = mine ? own : tabs[0];
    if (from === undefined) return undefined;
    const kept = mine ?? (await get<Kept>(workKey(from)));
    if (kept?.version !== VERSION) return undefined;
    // Settings that were stored before a tool existed lack its fields.
    const recipe = { ...ownRecipe(kept.recipe.source, kept.recipe.tool), ...kept.recipe };
    return { ...kept, recipe, file: await get<File>(fileKey(from)), isOwn: mine !== undefined };
  } catch {
    // Private windows of some browsers have no storage.
    return undefined;
  }
}

/** Stores a file of the user's, or deletes the stored one if `file` is undefined. Resolves to false if that fails. */
export async function keepFile(file: File | undefined): Promise<boolean> {
  const own = tabOf();
  try {
    if (file) await set(fileKey(own), file);
    else await del(fileKey(own));
    await touch(own);
    const old = ((await get<string[]>(INDEX)) ?? []).slice(MOST_TABS);
    for (const each of old) await Promise.all([del(workKey(each)), del(fileKey(each))]);
    if (old.length > 0) await update<string[]>(INDEX, (tabs = []) => tabs.slice(0, MOST_TABS));
    return true;
  } catch {
    await del(fileKey(own)).catch(() => undefined);
    return false;
  }
}

/** Marks this tab as the one that was used last. */
const touch = (own: string): Promise<void> =>
  update<string[]>(INDEX, (tabs = []) => [own, ...tabs.filter((each) => each !== own)]);

let timer: ReturnType<typeof setTimeout> | undefined;
let newest: (() => Work) | undefined;

async function write(): Promise<void> {
  clearTimeout(timer);
  timer = undefined;
  if (!newest) return;
  const kept: Kept = { version: VERSION, ...newest() };
  newest = undefined;
  await set(workKey(tabOf()), kept)
    .then(() => touch(tabOf()))
    .catch(() => undefined);
}

/** Stores settings after a pause. */
export function keepWork(work: () => Work): void {
  newest = work;
  timer ??= setTimeout(() => void write(), PAUSE_MILLISECONDS);
}

/** Writes waiting changes at once, because the page may be closed. */
export const writeNow = (): void => void write();

/** Deletes the stored work of this tab. */
export async function forgetWork(): Promise<void> {
  clearTimeout(timer);
  timer = undefined;
  newest = undefined;
  await Promise.all([del(workKey(tabOf())), del(fileKey(tabOf()))]).catch(() => undefined);
}
