// The list of corrections by hand, of a picture or of a volume, the buttons of its tools, and the width of the brush.

import { nameOfEdit, placesOf } from "@skerry/recipe/internal";
import { useState } from "preact/hooks";
import type { Edit } from "skerry";
import { HAND, type HandName } from "../../../words/hand.js";
import { MOST_BRUSH, radius } from "./state.js";
import "./style.css";

/** The list is closed where it would be long, until the user opens it. */
const MOST_OPEN = 12;

interface EditListProps {
  readonly edits: readonly Edit[];
  /** Corrections without effect, by their places in the list. */
  readonly idle: readonly number[] | undefined;
  readonly show: (place: readonly number[]) => void;
  readonly change: (edits: readonly Edit[]) => void;
}

export function EditList({ edits, idle, show, change }: EditListProps) {
  const [wished, wish] = useState<boolean>();
  const isOpen = wished ?? edits.length < MOST_OPEN;
  if (edits.length === 0) return null;
  const without = new Set(idle);
  // A closed list has no entries: a correction of thousands would make them all anew.
  const entries = isOpen ? edits : [];
  return (
    <details
      class="more edits"
      open={isOpen}
      onToggle={({ currentTarget }) => {
        // The event also tells of a list that closed because it grew.
        if (currentTarget.open !== isOpen) wish(currentTarget.open);
      }}
    >
      <summary>
        {HAND.corrections(edits.length)}
        {without.size > 0 && (
          <span role="status" data-testid="idle">
            , {HAND.idle(without.size, edits.length)}
          </span>
        )}
      </summary>
      <ol>
        {entries.map((edit, i) => {
          const [place] = placesOf(edit);
          const text = HAND.entry(nameOfEdit(edit), place);
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
                onClick={({ currentTarget }) => {
                  // The entry after this one takes its place, and the focus; the last one leaves it to the one before.
                  const before = currentTarget.closest("li")?.previousElementSibling;
                  if (i === edits.length - 1) before?.querySelector<HTMLElement>("button:last-child")?.focus();
                  change(edits.toSpliced(i, 1));
                }}
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

interface HandToolProps {
  readonly name: HandName;
  /** The first word of the button's name: in the picture, or in the volume. */
  readonly of: "hand" | "volume";
  readonly isChosen: boolean;
  readonly choose: () => void;
}

/** The button of a tool for corrections. */
export function HandTool({ name, of, isChosen, choose }: HandToolProps) {
  return (
    <button
      type="button"
      class="chip"
      name={`${of}-${name}`}
      aria-pressed={isChosen}
      title={HAND.tips[name]}
      onClick={choose}
    >
      {HAND.names[name]}
    </button>
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
