// The fields of the controls: a number, a choice, a tick.

interface NumberProps {
  readonly name: string;
  readonly label: string;
  readonly value: number;
  readonly least?: number;
  readonly most?: number;
  readonly step?: number | "any";
  /** Text in the place of 0. */
  readonly none?: string;
  /** Whether the label is read out only. */
  readonly quiet?: boolean;
  readonly change: (value: number) => void;
}

export function NumberField({ name, label, value, least = 0, most, step, none, quiet, change }: NumberProps) {
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
        onInput={(event) => {
          const { value: text, valueAsNumber: number } = event.currentTarget;
          if (none && text === "") change(0);
          else if (Number.isFinite(number) && number >= least && number <= (most ?? Number.POSITIVE_INFINITY))
            change(number);
        }}
      />
    </label>
  );
}

interface ChoiceProps<T extends string | number> {
  readonly name: string;
  readonly label: string;
  readonly value: T;
  readonly options: readonly (readonly [value: T, text: string])[];
  readonly quiet?: boolean;
  readonly change: (value: T) => void;
}

export function Choice<T extends string | number>({ name, label, value, options, quiet, change }: ChoiceProps<T>) {
  return (
    <label>
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
    </label>
  );
}

export function Tick({
  name,
  label,
  value,
  change,
}: {
  name: string;
  label: string;
  value: boolean;
  change: (value: boolean) => void;
}) {
  return (
    <label class="tick">
      <input type="checkbox" name={name} checked={value} onChange={(event) => change(event.currentTarget.checked)} />
      {label}
    </label>
  );
}
