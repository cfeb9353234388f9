// The fields of the controls: a number, a choice, a tick, a switch, and a step with its slider.

import { useSignal } from "@preact/signals";
import { failure } from "../state/lab.js";
import { TEXT } from "../words/text.js";
import { measureFrom } from "./measure.js";

interface NumberProps {
  readonly name: string;
  readonly label: string;
  readonly value: number;
  readonly least?: number;
  readonly most?: number;
  readonly step?: number | "any";
  /** Text in the place of 0. */
  readonly none?: string;
  readonly unit?: string;
  /** Whether the label is read out only. */
  readonly quiet?: boolean;
  readonly change: (value: number) => void;
}

/** A number field. A wrong number shows a message beside it, and changes nothing. */
export function NumberField({ name, label, value, least = 0, most, step, none, unit, quiet, change }: NumberProps) {
  const wrong = useSignal("");
  const check = (text: string, number: number): string => {
    if (none && text === "") return "";
    if (text === "" || !Number.isFinite(number)) return TEXT.expected.number;
    if (number < least) return TEXT.expected.least(least);
    return most !== undefined && number > most ? TEXT.expected.most(most) : "";
  };
  return (
    <label>
      <span class={quiet ? "spoken" : undefined}>{label}</span>
      <input
        type="number"
        name={name}
        min={least}
        max={most}
        step={step ?? 1}
        value={none && value === 0 ? "" : value}
        placeholder={none}
        aria-invalid={wrong.value !== ""}
        onInput={(event) => {
          const { value: text, valueAsNumber: number } = event.currentTarget;
          wrong.value = check(text, number);
          measureFrom(performance.now());
          if (wrong.value === "") change(none && text === "" ? 0 : number);
        }}
        onBlur={(event) => {
          // Replaces a wrong number by the current value.
          if (wrong.value === "") return;
          wrong.value = "";
          event.currentTarget.value = none && value === 0 ? "" : String(value);
        }}
      />
      {unit && (
        <span class="unit" aria-hidden="true">
          {unit}
        </span>
      )}
      {wrong.value ? (
        <span class="wrong" role="alert">
          {wrong.value}
        </span>
      ) : (
        <Caused name={name} />
      )}
    </label>
  );
}

/** The engine's message about a setting, until the next result. */
function Caused({ name }: { name: string }) {
  const { field, text } = failure.value ?? {};
  // "threshold.local.radius" is shown at the field "local", "minArea" at its own.
  if (field === undefined || !field.split(".").includes(name)) return null;
  return (
    <span class="wrong" role="alert" data-caused={name}>
      {text}
    </span>
  );
}

interface ChoiceProps<T extends string | number> {
  readonly name: string;
  readonly label: string;
  readonly value: T;
  readonly options: readonly (readonly [value: T, text: string])[];
  readonly quiet?: boolean;
  readonly title?: string;
  readonly change: (value: T) => void;
}

export function Choice<T extends string | number>({
  name,
  label,
  value,
  options,
  quiet,
  title,
  change,
}: ChoiceProps<T>) {
  return (
    <label title={title}>
      <span class={quiet ? "spoken" : undefined}>{label}</span>
      <select
        name={name}
        value={value}
        onChange={(event) => {
          const chosen = options.find(([each]) => String(each) === event.currentTarget.value);
          if (chosen) change(chosen[0]);
        }}
      >
        {options.map(([each, text]) => (
          <option key={each} value={each}>
            {text}
          </option>
        ))}
      </select>
      <Caused name={name} />
    </label>
  );
}

interface TickProps {
  readonly name: string;
  readonly label: string;
  readonly title?: string;
  readonly value: boolean;
  readonly change: (value: boolean) => void;
}

export function Tick({ name, label, title, value, change }: TickProps) {
  return (
    <label class="tick" title={title}>
      <input type="checkbox" name={name} checked={value} onChange={(event) => change(event.currentTarget.checked)} />
      {label}
    </label>
  );
}

interface SliderProps {
  readonly name: string;
  readonly label: string;
  readonly title?: string | undefined;
  readonly value: number;
  /** The largest value of the slider; the number field goes up to `most`. */
  readonly end: number;
  readonly most: number;
  readonly step: number;
  readonly unit: string;
  readonly change: (value: number) => void;
}

/** A slider and its number. */
function Slider({ name, label, value, end, most, step, unit, change }: SliderProps) {
  return (
    <>
      <input
        type="range"
        name={`${name}Slider`}
        aria-label={TEXT.slider(label)}
        min={0}
        max={end}
        step={step}
        value={Math.min(end, value)}
        onInput={(event) => {
          measureFrom(performance.now());
          change(event.currentTarget.valueAsNumber);
        }}
      />
      <NumberField {...{ name, label, value, most, step, unit, none: TEXT.none, quiet: true, change }} />
    </>
  );
}

/** A switch, with a slider while it is on. */
export function Switch({ initial, ...slider }: SliderProps & { readonly initial: number }) {
  const { name, label, title, value, change } = slider;
  return (
    <div class={value > 0 ? "switch on" : "switch"}>
      <Tick
        name={`${name}On`}
        label={label}
        title={title}
        value={value > 0}
        change={(on) => change(on ? initial : 0)}
      />
      {value > 0 && <Slider {...slider} />}
    </div>
  );
}

/** A step that was added: its slider, and a button that removes the step. */
export function StepRow(slider: SliderProps) {
  const { label, title, change } = slider;
  return (
    <div class="switch">
      <span class="name" title={title}>
        {label}
      </span>
      <Slider {...slider} />
      <button
        type="button"
        class="reset"
        aria-label={TEXT.without(label)}
        title={TEXT.without(label)}
        onClick={() => change(0)}
      >
        ×
      </button>
    </div>
  );
}
