// The belongings of a file of the user's: its settings with their corrections, steps of undo and redo, the view, the divider, the
// selection. It is found by the bytes of the file, so that it is there after a look at another file, a reload and on another day.

import type { Recipe, Taken } from "../settings/recipe.js";
import { clear, historyNow, takeUp } from "./history.js";
import { divider, others, recipe, selection } from "./lab.js";
import { type Belonging, filesWorkedOn, onOtherTab, readBelonging, writeBelonging } from "./store.js";
import { isCorrected } from "./strip.js";
import type { Place } from "./view.js";

/** Bytes up to which a file is known by all of them; a larger one by its name, its size, and its first and last MiB. */
const MOST_HASHED_BYTES = 64 << 20;
const END_BYTES = 1 << 20;

const hashes = new WeakMap<Blob, Promise<string>>();
const known = new Map<string, Belonging>();

/**
 * The hash of a file's bytes, the image that is taken of several, and the name: images of one file, and two files of the same bytes that are open
 * at once, are worked on apart.
 */
export async function identityOf(blob: Blob, name: string, taken?: Taken): Promise<string> {
  const hash = hashes.get(blob) ?? hashOf(blob, name);
  hashes.set(blob, hash);
  const image = Object.entries(taken ?? {}).flatMap(([axis, at]) => (at ? [`:${axis}=${at}`] : []));
  return `${await hash}${image.join("")} ${name}`;
}

async function hashOf(blob: Blob, name: string): Promise<string> {
  const isWhole = blob.size <= MOST_HASHED_BYTES;
  // Only secure pages have crypto.subtle.
  if (!globalThis.crypto?.subtle) return `${blob.size}-${blob instanceof File ? blob.lastModified : ""}`;
  const ends = [blob.slice(0, END_BYTES), blob.slice(-END_BYTES)];
  const bytes = await (isWhole ? blob : new Blob([`${name} ${blob.size}`, ...ends])).arrayBuffer();
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return Array.from(hash, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Whether a file was changed or corrected, and has not just been looked at. */
export const isChanged = (belonging: Belonging | undefined): belonging is Belonging =>
  belonging !== undefined && (belonging.past.length + belonging.future.length > 0 || isCorrected(belonging.recipe));

/** Whether the work on a file was stored on an earlier visit, and not seen on this one. */
export const isOfEarlier = (identity: string): boolean => !known.has(identity);

/** The work on a file that had another name, and is not open under that. */
async function renamed(identity: string): Promise<Belonging | undefined> {
  const [hash] = identity.split(" ", 1);
  const isOpen = (name: string): boolean => others.value.some((each) => each.name === name);
  const [before] = (await filesWorkedOn()).find(([key, name]) => key.startsWith(`${hash} `) && !isOpen(name)) ?? [];
  return before === undefined ? undefined : readBelonging(before);
}

/** Images of a file, beside one of them, that were worked on, such as "stack.tif page 3". */
export async function workedBeside(file: Blob, name: string, taken: Taken | undefined): Promise<readonly string[]> {
  const identity = await identityOf(file, name, taken);
  const [hash] = (await identityOf(file, name)).split(" ", 1);
  const seen = [...known].flatMap(([key, belonging]) => (isChanged(belonging) ? [key] : []));
  const keys = new Set([...seen, ...(await filesWorkedOn()).map(([key]) => key)]);
  const images = [...keys].filter(
    (key) => key !== identity && key.endsWith(` ${name}`) && key.split(/[ :]/, 1)[0] === hash,
  );
  return images.map((key) => {
    const axes = key
      .slice(hash.length, -name.length - 1)
      .split(":")
      .filter(Boolean);
    return [name, ...(axes.length > 0 ? axes.map((axis) => axis.replace("=", " ")) : ["page 0"])].join(" ");
  });
}

/** The work on a file, under its present name. */
export async function belongingOf(identity: string, name: string): Promise<Belonging | undefined> {
  const belonging = known.get(identity) ?? (await readBelonging(identity)) ?? (await renamed(identity));
  if (!belonging) return undefined;
  const named = (settings: Recipe): Recipe => ({ ...settings, source: name });
  return {
    ...belonging,
    recipe: named(belonging.recipe),
    past: belonging.past.map(named),
    future: belonging.future.map(named),
  };
}

/** The work on the picture that is shown. */
export function belongingNow(place: Place | undefined): Belonging {
  return { ...historyNow(), recipe: recipe.value, place, divider: divider.value, selection: [...selection.value] };
}

/** Keeps the work on a file. */
export function keepBelonging(identity: string, belonging: Belonging): void {
  known.set(identity, belonging);
  // Files that were looked at take no place from those that were worked on.
  if (isChanged(belonging)) void writeBelonging(identity, belonging);
}

/** Takes up the work of other tabs: on a file that is not shown when it is opened next; of the one that is shown, `told` is called. */
export function takeFromTabs(shown: () => string | undefined, onChanged: () => void): void {
  onOtherTab((identity) => {
    if (identity === shown()) onChanged();
    else known.delete(identity);
  });
}

/** Gives the picture that was just opened what belongs to it. Labels of a selection are those of the same settings. */
export function giveBack(belonging: Belonging | undefined): void {
  if (!belonging) {
    clear();
    return;
  }
  takeUp(belonging);
  divider.value = belonging.divider;
  selection.value = new Set(belonging.selection);
}

/** Work on a file with other settings, from which one step leads back; labels of its selection were those of the settings before. */
export const changedTo = (next: Recipe, { recipe: last, past, ...rest }: Belonging): Belonging => ({
  ...rest,
  recipe: next,
  past: [...past, last],
  future: [],
  selection: [],
});

/** Forgets the work on a file, which the storage has forgotten. */
export const forgetBelonging = (identity: string): boolean => known.delete(identity);
