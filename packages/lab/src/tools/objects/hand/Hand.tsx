// Corrections by hand: the tools, the brush, the list of corrections, and the lines that were measured.

import { useSignal, useSignalEffect } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { idsOf } from "../../../files/ids.js";
import { OBJECTS } from "../../../settings/objects.js";
import { changeObjects, done, found, picture, recipe, sought } from "../../../state/lab.js";
import { HAND, type HandName } from "../../../words/hand.js";
import { Brush, EditList, HandTool } from "./EditList.js";
import { choose, forget } from "./gestures.js";
import { hasBrush } from "./line.js";
import { removeLine, tableOf, textOf } from "./measures.js";
import { hand } from "./state.js";
import "./style.css";

/** Pixels around a correction that the view shows with it. */
const AROUND = 40;

function Tools() {
  return (
    <fieldset class="chips hands">
      <legend>{HAND.title}</legend>
      {(Object.keys(HAND.names) as HandName[]).map((name) => (
        <HandTool key={name} of="hand" name={name} isChosen={hand.value === name} choose={() => choose(name)} />
      ))}
      {hasBrush(hand.value) && <Brush />}
      {hand.value !== "select" && <p class="hint">{HAND.tips[hand.value]}</p>}
    </fieldset>
  );
}

function Edits() {
  const { edits } = recipe.value.objects;
  return (
    <EditList
      edits={edits}
      idle={found.value?.idle}
      show={([x, y]) => {
        sought.value = [x - AROUND, y - AROUND, x + AROUND, y + AROUND];
      }}
      change={(next) => changeObjects({ edits: next })}
    />
  );
}

function Measures() {
  const { measures = [] } = recipe.value;
  if (measures.length === 0) return null;
  return (
    <details class="more edits" open>
      <summary>{HAND.measures}</summary>
      <ol>
        {measures.map((line, i) => (
          <li key={i}>
            <span data-testid="length">{textOf(line)}</span>
            <button type="button" aria-label={HAND.removeLine(textOf(line))} onClick={() => removeLine(i)}>
              ×
            </button>
          </li>
        ))}
      </ol>
      <button
        type="button"
        onClick={async () => {
          await navigator.clipboard.writeText(tableOf(measures));
          done.value = HAND.copied(measures.length);
        }}
      >
        {HAND.copy}
      </button>
    </details>
  );
}

/** Offers to take the numbers of a picture as labels, if they come in areas. */
function Labels() {
  const found = useSignal<number | undefined>(undefined);
  useSignalEffect(() => {
    found.value = picture.value && idsOf(picture.value);
  });
  const { value: count } = found;
  if (count === undefined || recipe.value.objects.rule === "labels") return null;
  return (
    <p class="hint" data-testid="ids">
      {HAND.ids(count)}{" "}
      <button type="button" onClick={() => changeObjects({ ...OBJECTS, rule: "labels" })}>
        {HAND.takeIds}
      </button>
    </p>
  );
}

export function Hand() {
  // Keys of the tools work from now on.
  useEffect(() => {
    choose(hand.peek());
    return forget;
  }, []);
  return (
    <>
      <Labels />
      <Tools />
      <Edits />
      <Measures />
    </>
  );
}
