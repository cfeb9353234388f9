// The film strip's facts about each file: a thumbnail, its number of objects, and whether it was corrected or failed.

import { signal } from "@preact/signals";
import { byNumbers } from "@skerry/files/internal";
import type { Recipe } from "../settings/recipe.js";
import { others, type Waiting } from "./lab.js";

export interface Mark {
  /** A small picture, as a data URL. */
  readonly thumbnail?: string | undefined;
  /** Objects of the last result. */
  readonly count?: number | undefined;
  /** Whether objects were corrected or strokes drawn by hand. */
  readonly isCorrected?: boolean | undefined;
  /** Why it could not be opened or measured. */
  readonly failure?: string | undefined;
}

/** Whether the panel of all files is shown. */
export const showsFiles = signal(false);
/** Marks by the names of files. */
export const marks = signal<ReadonlyMap<string, Mark>>(new Map());

/** Adds to what is told of a file. */
export function mark(name: string, next: Mark): void {
  marks.value = new Map(marks.value).set(name, { ...marks.value.get(name), ...next });
}

/** Files by the numbers in their names, as the command line orders them. */
export const inOrder = (files: readonly Waiting[]): Waiting[] => files.toSorted((a, b) => byNumbers(a.name, b.name));

/** Takes a file out of the strip; what belongs to it stays for when it is opened again. */
export function takeOut(name: string): void {
  others.value = others.value.filter((each) => each.name !== name);
  const next = new Map(marks.value);
  next.delete(name);
  marks.value = next;
}

/** Whether positions in the picture are a part of settings. */
export const isCorrected = ({ objects, fill, distance, volume }: Recipe): boolean =>
  objects.edits.length + (volume?.edits?.length ?? 0) + fill.strokes.length + distance.points.length > 0;
