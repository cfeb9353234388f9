// The settings of the objects tool.

import { change, levels, recipe } from "../state/lab.js";
import { TEXT } from "../text.js";

function Check({ name, label }: { name: "fillHoles" | "clearBorder"; label: string }) {
  return (
    <label class="check">
      <input
        type="checkbox"
        name={name}
        checked={recipe.value[name]}
        onChange={(event) => change({ [name]: event.currentTarget.checked })}
      />
      {label}
    </label>
  );
}

export function Controls() {
  const { polarity, threshold, connectivity, minArea } = recipe.value;
  return (
    <div class="controls">
      <div class="row">
        <select
          name="polarity"
          aria-label={TEXT.threshold}
          value={polarity}
          onChange={(event) => change({ polarity: event.currentTarget.value as "bright" | "dark" })}
        >
          <option value="bright">{TEXT.brighter}</option>
          <option value="dark">{TEXT.darker}</option>
        </select>
        <input
          type="number"
          name="threshold"
          aria-label={TEXT.threshold}
          min={0}
          max={255}
          value={threshold}
          onInput={(event) => {
            const value = event.currentTarget.valueAsNumber;
            if (Number.isFinite(value)) change({ threshold: value });
          }}
        />
        <button type="button" onClick={() => change({ threshold: levels.value?.otsu ?? threshold })}>
          {TEXT.otsu}
        </button>
      </div>
      <div class="row">
        <label>
          {TEXT.connectivity}
          <select
            name="connectivity"
            value={connectivity}
            onChange={(event) => change({ connectivity: Number(event.currentTarget.value) as 4 | 8 })}
          >
            <option value={4}>4</option>
            <option value={8}>8</option>
          </select>
        </label>
        <label>
          {TEXT.minArea}
          <input
            type="number"
            name="minArea"
            min={0}
            value={minArea}
            onInput={(event) => {
              const value = event.currentTarget.valueAsNumber;
              if (value >= 0) change({ minArea: value });
            }}
          />
        </label>
      </div>
      <div class="row">
        <Check name="fillHoles" label={TEXT.fillHoles} />
        <Check name="clearBorder" label={TEXT.clearBorder} />
      </div>
    </div>
  );
}
