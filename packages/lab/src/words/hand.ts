// Texts of corrections by hand, loaded with their panel.

import type { EditName } from "skerry/internal";

export type HandName = "select" | "lasso" | "region" | EditName | "measure";

export const HAND = {
  title: "By hand",
  names: {
    select: "Select",
    lasso: "Lasso",
    region: "Region",
    draw: "Draw",
    erase: "Erase",
    cut: "Cut",
    join: "Join",
    fill: "Fill a hole",
    drop: "Delete one",
    measure: "Measure",
  } satisfies Record<HandName, string>,
  /** Meanings, each with its key. */
  tips: {
    select: "Click objects, or draw a box with Shift (V)",
    lasso: "Draw around objects to select them; clicks set corners (L)",
    region: "Draw around the part to work in, or click two corners of a box (R)",
    draw: "Paint what was missed; from inside an object it grows; a click with Shift goes on from the last (D)",
    erase: "Rub out; what comes apart becomes objects of their own; a click with Shift goes on from the last (E)",
    cut: "Draw a line through objects that touch, or click its ends (K)",
    join: "Drag from one object to another, or click both (J)",
    fill: "Click a hole to fill it (H)",
    drop: "Click an object to delete it (X)",
    measure: "Draw a line, or click its ends, to read its length (M)",
  } satisfies Record<HandName, string>,
  size: "Brush",
  sizeTip: "[ and ], the wheel with Alt, or a turn of two fingers",
  object: (label: number) => (label > 0 ? `object ${label}` : "background"),
  /** The effect of a click, or of a stroke from here. */
  will: {
    select: () => "",
    lasso: () => "draw around objects",
    region: () => "draw around the part to work in",
    draw: (label: number) => (label > 0 ? `object ${label} grows` : "a new object"),
    erase: (label: number) => (label > 0 ? `rubs out of object ${label}` : "rubs out"),
    cut: () => "a line through objects parts them",
    join: (label: number) => (label > 0 ? `joins object ${label} to another` : "begin in an object"),
    fill: (label: number) => (label > 0 ? "no hole here" : "fills the hole, if one object is around it"),
    drop: (label: number) => (label > 0 ? `deletes object ${label}` : "no object here"),
    measure: () => "measures to the next place",
  } satisfies Record<HandName, (label: number) => string>,
  second: "click the other end, or Esc",
  ids: (count: number) => `This picture has ${count} numbers in areas, as a label image does.`,
  takeIds: "Take each as an object",
  labelsInside: "A label image is not worked on inside a selection; leave the selection first.",
  noRegion: "Objects of a label image are not worked on inside a region.",
  tooSmall: "This line encloses nothing.",
  noObject: "There is no object here.",
  noHole: "This is an object; click inside a hole.",
  corrections: (count: number) => (count === 1 ? "1 correction" : `${count} corrections`),
  idle: (idle: number, count: number) => `${idle} of ${count} ${idle === 1 ? "changes" : "change"} nothing here`,
  isIdle: "changes nothing",
  entry: (name: EditName, place: readonly number[]) => `${HAND.names[name]} at ${place.join(", ")}`,
  /** In a volume. */
  move: "Move",
  moveTip: "A press moves the planes",
  titleIn: (plane: string) => `By hand, in the plane ${plane}`,
  takeBack: (entry: string) => `Take back: ${entry}`,
  takeBackAll: "Take all back",
  show: (entry: string) => `Show: ${entry}`,
  measures: "Measures",
  copied: (count: number) => `${count} measures copied`,
  copy: "Copy",
  line: (length: string, unit: string) => `${length} ${unit}`,
  removeLine: (text: string) => `Remove the line of ${text}`,
};
