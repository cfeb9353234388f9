// The button that fills the finest level of OME-Zarr, and what was found there.

import { spacingOf } from "@skerry/files";
import type { FinestFound } from "../../files/zarr.js";
import { download } from "../../state/download.js";
import { done } from "../../state/lab.js";
import { TEXT } from "../../words/text.js";
import { VOLUME } from "../../words/volume.js";
import { beginFinest, fillsByChunks, forgetFinest } from "./finest.js";
import { savedFill } from "./run.js";
import { finest, type Held, type Point, seed } from "./state.js";

/** Saves the recipe of the fill, with which the command line writes its mask. */
function save(at: Point): void {
  const saved = `${JSON.stringify(savedFill(at, 0), undefined, 2)}\n`;
  done.value = TEXT.saved(download(new Blob([saved]), "-recipe.json"));
}

export function FinestFill({ volume }: { volume: Held }) {
  const { value: from } = seed;
  const { value: now } = finest;
  if (!from || !fillsByChunks(volume)) return null;
  const { found, read = 0 } = now ?? {};
  return (
    <p class="saves" data-testid="finest" aria-live="polite">
      {!now && (
        <button type="button" name="fillFinest" onClick={() => void beginFinest(volume, from)}>
          {VOLUME.finest.fill}
        </button>
      )}
      {now && !found && (
        <>
          {VOLUME.finest.reads(read)}{" "}
          <button type="button" onClick={forgetFinest}>
            {TEXT.cancel}
          </button>
        </>
      )}
      {found && (
        <>
          {VOLUME.finest.found(found.filled.foreground, sizeOf(found, volume), read, found.filled.chunkCount)}{" "}
          <button type="button" onClick={() => save(found.seed)}>
            {VOLUME.finest.recipe}
          </button>
        </>
      )}
    </p>
  );
}

/** The volume of a fill in units; undefined without. */
function sizeOf({ filled }: FinestFound, { unit }: Held): string | undefined {
  const sides = spacingOf(filled.space);
  if (unit === undefined || !sides) return undefined;
  const volume = sides.reduce((product, side) => product * side, filled.foreground);
  return `${volume.toLocaleString("en", { maximumFractionDigits: 2 })} ${unit}³`;
}
