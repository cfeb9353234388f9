// Corrections of a volume by hand, in the plane along z: a press that moves draws a line, a click is one place or one end of a line.

import type { EditName } from "skerry/internal";
import { editOf, isLine } from "../../tools/objects/hand/line.js";
import { radius } from "../../tools/objects/hand/state.js";
import { begun, changeVolume, edits, hand, type Point } from "./state.js";

/** The places of the line that is being drawn. */
let drawn: Point[] = [];

/** Adds the correction of a line, or of one place. */
function take(name: EditName, places: readonly Point[]): void {
  begun.value = [];
  const edit = editOf(name, places, radius.value);
  changeVolume({ edits: [...edits.value, edit] }, { gesture: `edit ${edits.value.length}` });
}

export function beginLine(place: Point): void {
  drawn = [place];
}

export function goOn([x, y]: Point): void {
  const last = drawn.at(-1);
  if (!last || hand.value === "drop" || hand.value === "fill") return;
  // The wheel may have gone on to another slice; a line lies in one.
  const place: Point = [x, y, drawn[0][2]];
  if (last.join() === place.join()) return;
  drawn = hand.value === "join" ? [drawn[0], place] : [...drawn, place];
  begun.value = drawn;
}

/** Ends a press: a line, or a click where it did not move. */
export function endLine(): void {
  const [first] = drawn;
  const line = drawn;
  drawn = [];
  const { value: name } = hand;
  if (!first || !name) return;
  if (line.length > 1 || !isLine(name)) {
    take(name, line);
    return;
  }
  const [before] = begun.value;
  // A cut lies in one slice; objects of two slices can be joined.
  const isSecond = before !== undefined && (name === "join" || before[2] === first[2]);
  if (isSecond) take(name, [before, first]);
  else begun.value = [first];
}

export function forgetLine(): void {
  drawn = [];
  begun.value = [];
}
