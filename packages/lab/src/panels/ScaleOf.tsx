// The dialog of the scale: how large a pixel is, by a number, by the file, or by a line of a known length.

import { useSignal } from "@preact/signals";
import { defined } from "skerry/internal";
import { ruler } from "../state/drawn.js";
import { picture, recipe } from "../state/lab.js";
import { scaleOf, setScale } from "../state/scale.js";
import { NumberField, Tick } from "../widgets/fields.js";
import { SCALE as WORDS } from "../words/dialogs.js";

const close = (): void => document.querySelector<HTMLDialogElement>("dialog[open]")?.close();

export function ScaleOf() {
  const { scale } = recipe.value;
  const { value: line } = ruler;
  const drawn = typeof line === "object" ? Math.hypot(line.to[0] - line.from[0], line.to[1] - line.from[1]) : 0;
  const hint = picture.value && scaleOf(picture.value);
  const unit = useSignal(scale?.unit ?? (hint?.isPrinted ? "um" : hint?.unit) ?? "um");
  const length = useSignal(0);
  const size = useSignal(scale?.size ?? 0);
  const isForAll = useSignal(scale?.isForAll ?? false);
  // The number in the field: the length of the line, or the size of a pixel.
  const given = drawn > 0 ? length : size;
  const take = (given: number): void => {
    ruler.value = undefined;
    if (given > 0 && Number.isFinite(given))
      setScale(defined({ size: given, unit: unit.value, isForAll: isForAll.value || undefined }));
    close();
  };
  return (
    <div class="scaleof">
      <label>
        {WORDS.unit}
        <input
          type="text"
          name="unit"
          maxLength={12}
          value={unit.value}
          onInput={(event) => {
            unit.value = event.currentTarget.value.trim() || "px";
          }}
        />
      </label>
      <form
        class="row"
        onSubmit={(event) => {
          event.preventDefault();
          take(drawn > 0 ? length.value / drawn : size.value);
        }}
      >
        <NumberField
          {...{ name: drawn > 0 ? "lineLength" : "pixelSize", label: drawn > 0 ? WORDS.line(drawn) : WORDS.pixel }}
          {...{ value: given.value, step: "any", unit: unit.value }}
          change={(value) => {
            given.value = value;
          }}
        />
        <button type="submit" disabled={!(given.value > 0)}>
          {WORDS.set}
        </button>
      </form>
      <Tick
        {...{ name: "isForAll", label: WORDS.forAll, value: isForAll.value }}
        change={(value) => {
          isForAll.value = value;
        }}
      />
      <div class="row">
        <button
          type="button"
          onClick={() => {
            ruler.value = "armed";
            close();
          }}
        >
          {WORDS.draw}
        </button>
        {hint && (
          <button
            type="button"
            onClick={() => {
              setScale({ size: hint.size, down: hint.down, unit: hint.unit });
              close();
            }}
          >
            {WORDS.file(hint.size, hint.down ?? hint.size, hint.unit)}
          </button>
        )}
        {scale && (
          <button
            type="button"
            onClick={() => {
              setScale(undefined);
              close();
            }}
          >
            {WORDS.none}
          </button>
        )}
      </div>
      <p class="hint">{WORDS.hint}</p>
    </div>
  );
}
