// The list of corrections by hand, of a picture or of a volume, and the width of the brush.

import type { Edit } from "skerry";
import type { EditName } from "skerry/internal";
import { HAND } from "../../../words/hand.js";
import { MOST_BRUSH, radius } from "./state.js";
import "./style.css";

/** The list is closed where it would be long. */
const MOST_OPEN = 12;

/** The name and the first place of an edit. */
function factsOf(edit: Edit): readonly [EditName, readonly number[]] {
  const [name, places] = Object.entries(edit)[0] as [EditName, readonly number[] | readonly (readonly number[])[]];
  return [name, (typeof places[0] === "number" ? places : places[0]) as readonly number[]];
}

interface EditListProps {
  readonly edits: readonly Edit[];
  /** Corrections without effect, by their places in the list. */
  readonly idle: readonly number[] | undefined;
  readonly show: (place: readonly number[]) => void;
  readonly change: (edits: readonly Edit[]) => void;
}

export function EditList({ edits, idle, show, change }: EditListProps) {
  if (edits.length === 0) return null;
  const without = new Set(idle);
  return (
    <details class="more edits" open={edits.length < MOST_OPEN}>
      <summary>
        {HAND.corrections(edits.length)}
        {without.size > 0 && <span data-testid="idle">, {HAND.idle(without.size, edits.length)}</span>}
      </summary>
      <ol>
        {edits.map((edit, i) => {
          const [name, place] = factsOf(edit);
          const text = HAND.entry(name, place);
          return (
            <li key={i} class={without.has(i) ? "idle" : undefined}>
              <button type="button" title={HAND.show(text)} onClick={() => show(place)}>
                {text}
                {without.has(i) && `, ${HAND.isIdle}`}
              </button>
              <button
                type="button"
                aria-label={HAND.takeBack(text)}
                title={HAND.takeBack(text)}
                onClick={() => change(edits.toSpliced(i, 1))}
              >
                ×
              </button>
            </li>
          );
        })}
      </ol>
      <button type="button" onClick={() => change([])}>
        {HAND.takeBackAll}
      </button>
    </details>
  );
}

/** The width of the brush. */
export function Brush() {
  return (
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
  );
}
