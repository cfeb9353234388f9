// Stores the user's work in the browser: the files, the settings and the place of the view, so that the page can restore it
// after a reload, a crash or on another day. Each tab has its own work; that of the last few tabs is kept. What belongs to a file
// is stored by the file's bytes, for all tabs.

import * as keyval from "idb-keyval";
import { ownRecipe, type Recipe } from "../settings/recipe.js";
import { EMBEDDER, readText, writeText } from "./browser.js";
import type { History } from "./history.js";
import type { Place } from "./view.js";

const VERSION = 2;
const MOST_TABS = 4;
/** Files whose belongings are kept, the latest first. */
const MOST_FILES = 200;
/** Steps of undo and of redo that are kept of each. */
const MOST_STEPS = 50;
/** Bytes of all files of a tab that are kept over a reload; the picture that is shown comes first. */
const MOST_KEPT_BYTES = 512 << 20;
/** Changes are written this long after the first that is not written yet. */
const PAUSE_MILLISECONDS = 250;
const TAB = "skerry:tab";
const INDEX = "tabs";
const FILES = "files";

/** Everything that is stored of a tab, besides the file. */
export interface Work {
  readonly recipe: Recipe;
  /** Undefined if the whole picture is shown. */
  readonly place: Place | undefined;
  readonly divider: number;
  /** The settings that the picture took over, if it has none of its own. */
  readonly from?: Recipe | undefined;
}

/** The belongings of a file of the user's. */
export interface Belonging extends Work, History {
  /** Labels of the selected objects. */
  readonly selection: readonly number[];
}

interface Kept extends Work {
  readonly version: number;
}

/** Work that was stored. */
export interface Restored extends Work {
  /** Files of the user's. */
  readonly files: readonly File[];
  /** Whether it is the work of this tab, rather than of the tab that was used last. */
  readonly isOwn: boolean;
}

type Store = Pick<typeof keyval, "del" | "get" | "set" | "update">;

/** A storage that keeps nothing, of a page within another one. */
const NOTHING: Store = {
  del: async () => undefined,
  get: async () => undefined,
  set: async () => undefined,
  update: async () => undefined,
};

const { del, get, set, update }: Store = EMBEDDER === null ? keyval : NOTHING;

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
const listKey = (of: string): string => `files ${of}`;
const fileKey = (of: string, name: string): string => `file ${of} ${name}`;
const ownKey = (identity: string): string => `belongs ${identity}`;

/** The work of this tab, or of the tab that was used last; undefined if there is none, or no storage. */
export async function restored(): Promise<Restored | undefined> {
  try {
    const tabs = (await get<string[]>(INDEX)) ?? [];
    const tab = tabOf();
    const mine = await get<Kept>(workKey(tab));
    const from = mine ? tab : tabs[0];
    if (from === undefined) return undefined;
    const kept = mine ?? (await get<Kept>(workKey(from)));
    if (kept?.version !== VERSION) return undefined;
    // Settings that were stored before a tool existed lack its fields.
    const recipe = { ...ownRecipe(kept.recipe.source, kept.recipe.tool), ...kept.recipe };
    const names = (await get<string[]>(listKey(from))) ?? [];
    const found = await Promise.all(names.map((name) => get<File>(fileKey(from, name))));
    const files = found.filter((file) => file !== undefined);
    // Files of this tab are in the storage already, and are not written once more.
    if (mine) for (const file of files) stored.set(file.name, file);
    return { ...kept, recipe, files, isOwn: mine !== undefined };
  } catch {
    // Private windows of some browsers have no storage.
    return undefined;
  }
}

/** Files that this tab has stored, by name. */
const stored = new Map<string, File>();

/** Stores the files of this tab, those first in the list that may not be left out. Resolves to the names of the others. */
export async function keepFiles(files: readonly File[]): Promise<readonly string[]> {
  const tab = tabOf();
  const left: string[] = [];
  let bytes = 0;
  try {
    for (const file of files) {
      const { name, size } = file;
      if (bytes + size > MOST_KEPT_BYTES) {
        left.push(name);
        continue;
      }
      bytes += size;
      if (stored.get(name) === file) continue;
      try {
        await set(fileKey(tab, name), file);
        stored.set(name, file);
      } catch {
        bytes -= size;
        left.push(name);
      }
    }
    const kept = files.filter(({ name }) => !left.includes(name)).map(({ name }) => name);
    for (const name of stored.keys()) {
      if (kept.includes(name)) continue;
      stored.delete(name);
      await del(fileKey(tab, name));
    }
    await set(listKey(tab), kept);
    await touch(tab);
    for (const old of ((await get<string[]>(INDEX)) ?? []).slice(MOST_TABS)) await forgetTab(old);
    await update<string[]>(INDEX, (tabs = []) => tabs.slice(0, MOST_TABS));
    return left;
  } catch {
    // No storage, as in private windows of some browsers.
    return files.map(({ name }) => name);
  }
}

async function forgetTab(of: string): Promise<void> {
  const names = (await get<string[]>(listKey(of))) ?? [];
  await Promise.all([del(workKey(of)), del(listKey(of)), ...names.map((name) => del(fileKey(of, name)))]);
}

/** Other tabs of the page, which are told of files that are worked on here. */
const tabs = EMBEDDER === null && globalThis.BroadcastChannel ? new BroadcastChannel("skerry:belongings") : undefined;
/** Files that another tab has worked on since this one did. */
const elsewhere = new Set<string>();
/** The settings and steps that this tab had last, by file. */
const had = new Map<string, string>();

/** The belongings of the file of an identity; undefined if nothing does, or if there is no storage. */
export async function readBelonging(identity: string): Promise<Belonging | undefined> {
  const stored = await get<Belonging>(ownKey(identity)).catch(() => undefined);
  // Work of before there were corrections is not read.
  const belonging = stored?.recipe.objects.edits ? stored : undefined;
  elsewhere.delete(identity);
  if (belonging) had.set(identity, workOf(belonging));
  return belonging;
}

/** A file with belongings: its identity, and its name. */
type Indexed = readonly [identity: string, name: string];

/** The files that something belongs to, the latest first. */
export const filesWorkedOn = async (): Promise<readonly Indexed[]> =>
  (await get<Indexed[]>(FILES).catch(() => undefined)) ?? [];

/** Calls `told` with each file that another tab works on. */
export function onOtherTab(listener: (identity: string) => void): void {
  tabs?.addEventListener("message", ({ data }: MessageEvent<string>) => {
    elsewhere.add(data);
    listener(data);
  });
}

/** Settings and steps, without what changes by looking. */
const workOf = ({ recipe, past, future }: Belonging): string => JSON.stringify([recipe, past.length, future.length]);

/** Stores what belongs to a file, in place of that of the file that was worked on longest ago. */
export async function writeBelonging(identity: string, belonging: Belonging): Promise<void> {
  const { past, future } = belonging;
  const now = workOf(belonging);
  const isWork = had.get(identity) !== now && past.length + future.length > 0;
  had.set(identity, now);
  // A tab that only looks at a file does not write over what another one did to it.
  if (elsewhere.has(identity) && !isWork) return;
  elsewhere.delete(identity);
  try {
    await set(ownKey(identity), { ...belonging, past: past.slice(-MOST_STEPS), future: future.slice(-MOST_STEPS) });
    let old: readonly Indexed[] = [];
    await update<readonly Indexed[]>(FILES, (files = []) => {
      const now = [[identity, belonging.recipe.source] as const, ...files.filter(([other]) => other !== identity)];
      old = now.slice(MOST_FILES);
      return now.slice(0, MOST_FILES);
    });
    for (const [other] of old) await del(ownKey(other));
    if (isWork) tabs?.postMessage(identity);
  } catch {
    // No storage.
  }
}

/** Marks this tab as the one that was used last. */
const touch = (key: string): Promise<void> =>
  update<string[]>(INDEX, (tabs = []) => [key, ...tabs.filter((each) => each !== key)]);

let timer: ReturnType<typeof setTimeout> | undefined;
let newest: (() => Work) | undefined;
/** The belongings of the file that is shown, and the file's identity. */
let newestOwn: () => readonly [string, Belonging] | undefined = () => undefined;

async function write(): Promise<void> {
  clearTimeout(timer);
  timer = undefined;
  if (!newest) return;
  const kept: Kept = { version: VERSION, ...newest() };
  newest = undefined;
  const newestWork = newestOwn();
  // Both begin at once: a page that is closed goes on with nothing that waits.
  const work = set(workKey(tabOf()), kept).then(() => touch(tabOf()));
  await Promise.all([work.catch(() => undefined), newestWork && writeBelonging(...newestWork)]);
}

/** Stores settings, and what belongs to the file that is shown, after a pause. */
export function keepWork(work: () => Work, newestKey: typeof newestOwn): void {
  newest = work;
  newestOwn = newestKey;
  timer ??= setTimeout(() => void write(), PAUSE_MILLISECONDS);
}

/** Writes waiting changes at once, because the page may be closed. */
export const writeNow = (): void => void write();

/** Deletes the stored work of this tab. */
export async function forgetWork(): Promise<void> {
  clearTimeout(timer);
  timer = undefined;
  newest = undefined;
  const newestWork = newestOwn();
  if (newestWork) await del(ownKey(newestWork[0])).catch(() => undefined);
  stored.clear();
  await forgetTab(tabOf()).catch(() => undefined);
}
