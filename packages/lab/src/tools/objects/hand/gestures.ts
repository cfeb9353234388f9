// Pointers and keys of corrections by hand. A press that moves draws a line; a click is a line of one place, or one end of a line.

import type { Edit } from "skerry";
import { defined, EDITS } from "skerry/internal";
import { OBJECTS } from "../../../settings/objects.js";
import type { Mode, Spot } from "../../../settings/spots.js";
import { stroke } from "../../../state/drawn.js";
import { change, divider, failure, hovered, picture, reading, recipe } from "../../../state/lab.js";
import { HAND, type HandName } from "../../../words/hand.js";
import type { Gestures } from "../../tool.js";
import { addEdits, selectWhere } from "../edits.js";
import { fresh, handed } from "../state.js";
import { objectAt, gestures as selecting } from "../view.js";
import { editOf, hasBrush, isInside, linePlaces, middleOf } from "./line.js";
import { addLine } from "./measures.js";
import { begun, hand, MOST_BRUSH, radius } from "./state.js";

/** A threshold above every value. */
const ABOVE_ALL = 3e38;

/** How far from an object a place still means it: a hand does not hit a pixel. */
const NEAR = 4;

/** The nearest pixel of an object around a place, else the place itself. */
function nearest(spot: Spot): Spot {
  if (objectAt(spot) > 0) return spot;
  let [found, least] = [spot, Number.POSITIVE_INFINITY];
  for (let dy = -NEAR; dy <= NEAR; dy++) {
    for (let dx = -NEAR; dx <= NEAR; dx++) {
      const distance = dx * dx + dy * dy;
      const place = [spot[0] + dx, spot[1] + dy] as const;
      if (distance < least && objectAt(place) > 0) [found, least] = [place, distance];
    }
  }
  return found;
}

/** The places of the line that is being drawn. */
let line: Spot[] = [];

/** The last stroke of the brush, and its end, from which a click with Shift goes on. */
let last: { readonly edit: Edit; readonly end: Spot } | undefined;

/** The angle by which two fingers turned since the last step of the brush, in radians. */
let turned = 0;

/** Two fingers that turn so far make the brush a step larger, in radians. */
const TURN_STEP = 0.25;

/** The corners of a box. */
const boxOf = ([x0, y0]: Spot, [x1, y1]: Spot): Spot[] => [
  [x0, y0],
  [x1, y0],
  [x1, y1],
  [x0, y1],
];

/** Shows a line, or the brush at one place. */
function show(places: readonly Spot[]): void {
  const { value: kind } = hand;
  const isBox = kind === "region" && begun.value.length > 0 && places.length === 2;
  const shown = isBox ? boxOf(places[0], places[1]) : places;
  const isClosed = kind === "lasso" || kind === "region";
  stroke.value = { places: shown, radius: hasBrush(kind) ? radius.value : 0, kind, isClosed };
}

/** Forgets a line that is not finished. */
export function forget(): void {
  line = [];
  begun.value = [];
  stroke.value = undefined;
}

function say(text: string): void {
  failure.value = { text, isOfCall: true };
}

/** Works inside a closed line: a fence of one object that is drawn and filled where no pixel is above the threshold. */
function workInside(line: readonly Spot[]): void {
  const [first] = line;
  const inside = middleOf(line);
  if (!inside || recipe.value.objects.rule === "labels") {
    say(inside ? HAND.noRegion : HAND.tooSmall);
    return;
  }
  const edits: readonly Edit[] = [{ draw: [...line, first], radius: 0 }, { fill: inside }];
  const objects = { ...OBJECTS, rule: "bright", method: "fixed", threshold: ABOVE_ALL, edits } as const;
  change({ within: { tool: "objects", objects, spots: [first], within: recipe.value.within } }, "region");
}

/** Takes a whole line; `gesture` is one step of undo. */
function take(places: readonly Spot[], gesture: string): void {
  const [from, to] = [places[0], places[places.length - 1]];
  const name = hand.value;
  forget();
  if (name === "lasso") selectWhere((centre) => isInside(centre, places));
  else if (name === "region") workInside(linePlaces(places));
  else if (name === "measure") addLine([from, to]);
  else if (name === "join") {
    const ends = [nearest(from), nearest(to)] as const;
    if (fresh.value && ends.some((end) => objectAt(end) === 0)) say(HAND.noObject);
    else addEdits([editOf(name, ends, 0)], gesture);
  } else if (name !== "select") {
    const edit = editOf(name, places, radius.value);
    addEdits([edit], gesture);
    last = hasBrush(name) ? { edit, end: to } : undefined;
  }
}

/** A click: one place of an object, or an end of a line. */
function click(at: Spot, mode: Mode, gesture: string): void {
  const spot = hand.value === "join" ? nearest(at) : at;
  const label = objectAt(spot);
  const { value: name } = hand;
  if (name === "drop" || name === "fill") {
    const isWrong = label > 0 !== (name === "drop");
    if (isWrong && fresh.value) say(name === "drop" ? HAND.noObject : HAND.noHole);
    else addEdits([editOf(name, [spot], 0)], gesture);
    return;
  }
  if (hasBrush(name)) {
    // A stroke that was taken back is no place to go on from.
    const isLast = last && recipe.value.objects.edits.at(-1) === last.edit;
    take(last && isLast && mode === "add" ? [last.end, spot] : [spot], gesture);
    return;
  }
  const places = [...begun.value, spot];
  const [first] = places;
  // A corner that is clicked twice, or the first one again, closes the line.
  const before = begun.value.at(-1);
  const isClosed = places.length > 3 && (spot.join() === first.join() || spot.join() === before?.join());
  if (name === "join" && places.length === 1 && label === 0 && fresh.value) say(HAND.noObject);
  else if (name === "region" && places.length === 2) take(boxOf(first, spot), gesture);
  else if (name === "lasso" ? isClosed : places.length === 2) take(places, gesture);
  else {
    begun.value = places;
    show(places);
  }
}

function resize(by: number): void {
  const step = Math.max(1, Math.round(radius.value / 8));
  radius.value = Math.min(MOST_BRUSH, Math.max(0, radius.value + by * step));
  if (stroke.value?.places.length === 1) show(stroke.value.places);
}

/** Two fingers turned: to the right the brush grows. */
function turn(by: number): void {
  turned += by;
  const steps = Math.trunc(turned / TURN_STEP);
  turned -= steps * TURN_STEP;
  for (let i = Math.abs(steps); i > 0; i--) resize(Math.sign(steps));
}

const drawing: NonNullable<Gestures["stroke"]> = {
  begin(spot) {
    begun.value = [];
    line = [spot];
    show(line);
  },
  move(spot) {
    const isStraight = hand.value === "measure" || hand.value === "join";
    const end = line.at(-1);
    if (!end || (end[0] === spot[0] && end[1] === spot[1])) return;
    line = isStraight ? [line[0], spot] : [...line, spot];
    show(line);
  },
  end(gesture) {
    const drawn = line;
    line = [];
    if (picture.value && drawn.length > 0) take(drawn, gesture);
  },
  cancel: forget,
};

/** Chooses a tool for corrections. */
export function choose(name: HandName): void {
  forget();
  last = undefined;
  hand.value = name;
  // Corrections are made over the objects, all of which are then seen.
  if (name in EDITS && divider.value > 0) divider.value = 0;
  handed.value = gesturesOf(name);
  reading.value = name === "select" ? "" : HAND.tips[name];
}

const KEYS: Readonly<Record<string, HandName>> = {
  v: "select",
  l: "lasso",
  r: "region",
  d: "draw",
  e: "erase",
  k: "cut",
  j: "join",
  h: "fill",
  x: "drop",
  m: "measure",
};

function keysOf(name: HandName): Gestures["keys"] {
  const chosen = Object.entries(KEYS).map(([key, each]) => {
    const work = (): void => {
      choose(each);
      // Arrows and Enter go on from here.
      document.querySelector<HTMLElement>("canvas.picture")?.focus();
    };
    return [key, work] as const;
  });
  const keys = { ...selecting.keys, ...Object.fromEntries(chosen) };
  if (name === "select") return keys;
  const leave = (): void => {
    if (begun.value.length > 0) forget();
    else choose("select");
  };
  return { ...keys, Escape: leave, "[": () => resize(-1), "]": () => resize(1) };
}

/** The gestures of a tool for corrections. */
export function gesturesOf(name: HandName): Gestures {
  const keys = keysOf(name);
  if (name === "select") return { ...selecting, keys };
  return defined<Gestures>({
    point(spot) {
      if (line.length > 0) return "";
      const label = spot ? objectAt(spot) : 0;
      hovered.value = label;
      if (!spot) {
        stroke.value = undefined;
        return "";
      }
      if (begun.value.length > 0) show([...begun.value, spot]);
      else if (hasBrush(name)) show([spot]);
      return `${HAND.object(label)}: ${begun.value.length > 0 ? HAND.second : HAND.will[name](label)}`;
    },
    click,
    keys,
    size: hasBrush(name) ? resize : undefined,
    turn: hasBrush(name) ? turn : undefined,
    stroke: name === "drop" || name === "fill" ? undefined : drawing,
  });
}
