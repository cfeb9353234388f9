// A picture as lines without an end: the settings that such lines take, and the lines at the beat of a camera.

import type { ComponentsOptions, PixelArray, StreamOptions } from "skerry";
import { defined } from "skerry/internal";
import type { Opened } from "../../files/opened.js";
import { type Chosen, dragged, lineOf, type ObjectsRecipe, optionsOf, sideOf } from "../../settings/objects.js";

/** Time between two groups of lines, in milliseconds. */
const BEAT_MILLISECONDS = 30;
/** Seconds that the picture takes to pass. */
const SECONDS = 4;

/** The options of a stream for settings of the page, and the names of those that it leaves out. */
export interface Scan {
  readonly options: Omit<StreamOptions<"area" | "bounds">, "properties">;
  readonly leftOut: readonly string[];
}

/** An automatic threshold becomes the value that was chosen. Undefined where objects are found in something else than the values. */
export function scanOf(recipe: ObjectsRecipe, found: Chosen | undefined, isWhole: boolean): Scan | undefined {
  if (recipe.channel !== "luma" || recipe.rule === "labels") return undefined;
  const fixed = { ...recipe, ...dragged(recipe, found), threshold: lineOf(recipe, found, isWhole) };
  const { threshold, polarity, by, background, connectivity, minArea, maxArea, fillHoles, ...others } =
    optionsOf(fixed);
  if (typeof threshold === "string" && threshold !== "nonzero") return undefined;
  const isLocal = typeof threshold === "object" && "local" in threshold;
  const options = defined<Scan["options"]>({
    threshold: threshold as StreamOptions["threshold"],
    polarity: isLocal && polarity ? sideOf(recipe, found) : undefined,
    by,
    background,
    connectivity,
    minArea,
    maxArea,
    fillHoles: fillHoles === true ? true : undefined,
  });
  const leftOut = Object.entries(others as ComponentsOptions).flatMap(([name, value]) =>
    value === undefined ? [] : [name],
  );
  return { options, leftOut };
}

/** The picture again and again, at a beat, until the signal aborts. `onRow` is told the rows that passed. */
export async function* linesOf(
  { data, width, height, channels }: Opened,
  signal: AbortSignal,
  onRow: (row: number) => void,
): AsyncGenerator<PixelArray> {
  const values = width * channels;
  const begin = performance.now();
  for (let row = 0; !signal.aborted; ) {
    const due = Math.floor(((performance.now() - begin) / 1000 / SECONDS) * height);
    while (row < due) {
      const [from, to] = [row % height, Math.min(height, (row % height) + due - row)];
      yield data.subarray(from * values, to * values);
      row += to - from;
    }
    onRow(row);
    await new Promise((resolve) => setTimeout(resolve, BEAT_MILLISECONDS));
  }
}
