// Corrections by hand: the tools, the brush, the list of corrections, and the lines that were measured.

import { useEffect } from "preact/hooks";
import type { Edit } from "skerry";
import type { EditName } from "skerry/internal";
import { changeObjects, done, found, recipe, sought } from "../../../state/lab.js";
import { HAND, type HandName } from "../../../words/hand.js";
import { choose, forget, hasBrush } from "./gestures.js";
import { removeLine, tableOf, textOf } from "./measures.js";
import { hand, MOST_BRUSH, radius } from "./state.js";
import "./style.css";

/** Pixels around a correction that the view shows with it. */
const AROUND = 40;

/** The name and the first place of an edit. */
function factsOf(edit: Edit): readonly [EditName, readonly number[]] {
  const [name, places] = Object.entries(edit)[0] as [EditName, readonly number[] | readonly (readonly number[])[]];
  return [name, (typeof places[0] === "number" ? places : places[0]) as readonly number[]];
}

function Tools() {
  return (
    <fieldset class="chips hands">
      <legend>{HAND.title}</legend>
      {(Object.entries(HAND.names) as [HandName, string][]).map(([name, text]) => (
        <button
          type="button"
          class="chip"
          key={name}
          name={`hand-${name}`}
          aria-pressed={hand.value === name}
          title={HAND.tips[name]}
          onClick={() => choose(name)}
        >
          {text}
        </button>
      ))}
      {hasBrush(hand.value) && (
        <label title={HAND.sizeTip}>
          {HAND.size}
          <input
            type="range"
            name="brush"
            min={0}
            max={MOST_BRUSH}
            value={radius.value}
            onInput={(event) => {
              radius.value = event.currentTarget.valueAsNumber;
            }}
          />
          <span>{2 * radius.value + 1} px</span>
        </label>
      )}
      {hand.value !== "select" && <p class="hint">{HAND.tips[hand.value]}</p>}
    </fieldset>
  );
}

function Edits() {
  const { edits } = recipe.value.objects;
  if (edits.length === 0) return null;
  const idle = new Set(found.value?.idle);
  return (
    <details class="more edits" open={edits.length < 12}>
      <summary>
        {HAND.corrections(edits.length)}
        {idle.size > 0 && <span data-testid="idle">, {HAND.idle(idle.size, edits.length)}</span>}
      </summary>
      <ol>
        {edits.map((edit, i) => {
          const [name, [x, y]] = factsOf(edit);
          const text = HAND.entry(name, x, y);
          return (
            <li key={i} class={idle.has(i) ? "idle" : undefined}>
              <button
                type="button"
                class="plain"
                title={HAND.show(text)}
                onClick={() => {
                  sought.value = [x - AROUND, y - AROUND, x + AROUND, y + AROUND];
                }}
              >
                {text}
                {idle.has(i) && `, ${HAND.isIdle}`}
              </button>
              <button
                type="button"
                aria-label={HAND.takeBack(text)}
                title={HAND.takeBack(text)}
                onClick={() => changeObjects({ edits: edits.toSpliced(i, 1) })}
              >
                ×
              </button>
            </li>
          );
        })}
      </ol>
      <button type="button" onClick={() => changeObjects({ edits: [] })}>
        {HAND.takeBackAll}
      </button>
    </details>
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

export function Hand() {
  // Keys of the tools work from now on.
  useEffect(() => {
    choose(hand.peek());
    return forget;
  }, []);
  return (
    <>
      <Tools />
      <Edits />
      <Measures />
    </>
  );
}
