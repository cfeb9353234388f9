// Panel of measurements: the histogram of a property with bounds that filter, and a scatter plot of any two.

import { useSignal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import type { Regions } from "skerry";
import { titleOf } from "skerry/internal";
import type { Property } from "../../settings/objects.js";
import { PROPERTIES } from "../../settings/objects.js";
import { changeObjects, recipe } from "../../state/lab.js";
import { Choice } from "../../widgets/fields.js";
import { Levels } from "../../widgets/Levels.js";
import { CHARTS } from "../../words/dialogs.js";
import { RESULTS } from "../../words/results.js";
import { TEXT } from "../../words/text.js";
import { measureAnew } from "./edits.js";
import { Scatter } from "./Scatter.js";
import { type Scale, scaleOf, valuesOf } from "./scale.js";
import { brushed, measured, scattered } from "./state.js";

const BINS = 64;
const OPTIONS = PROPERTIES.map((name) => [name, titleOf(name)] as const);

/** The scale of the brushed property, kept while it has bounds, so that handles do not jump. */
let held: { name: Property; scale: Scale } | undefined;

function Brush({ regions }: { regions: Regions }) {
  const name = brushed.value;
  const values = useMemo(() => valuesOf(regions, name), [regions, name]);
  const wholeScale = useMemo(() => scaleOf(values), [values]);
  const bounds = recipe.value.objects.keep[name];
  if (!bounds) held = { name, scale: wholeScale };
  else if (held?.name !== name) held = { name, scale: scaleOf(values, bounds) };
  const { low, high } = held.scale;
  const binOf = (value: number): number =>
    Math.min(BINS - 1, Math.max(0, Math.floor(((value - low) / (high - low || 1)) * BINS)));
  const counts = useMemo(() => {
    const found = new Float64Array(BINS);
    for (let i = 0; i < values.length; i++) {
      const value = values[i];
      if (Number.isFinite(value)) found[binOf(value)] = found[binOf(value)] + 1;
    }
    return found;
  }, [values, low, high]);
  const edge = (bin: number): number => Number((low + ((high - low) * bin) / BINS).toPrecision(6));
  const shown = (value: number): string => String(Number(value.toPrecision(4)));
  // A handle at its end is no bound: it would hold for the largest object of this picture, and cut those of others.
  const set = (next: readonly [number, number], gesture: string): void => {
    const all = !next.some(Number.isFinite);
    const { [name]: _, ...rest } = recipe.value.objects.keep;
    changeObjects({ keep: all ? rest : { ...rest, [name]: next } }, gesture ? { gesture } : {});
  };
  const [least, most] = bounds ?? [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
  const text = titleOf(name);
  return (
    <Levels
      values={counts}
      label={CHARTS.histogramOf(text)}
      textAt={(bin) => shown(edge(bin))}
      tellBin={(bin) => TEXT.objectsAt(counts[bin], shown(edge(bin)))}
      taken={bounds ? [[binOf(least), binOf(most) + 1]] : []}
      handles={[
        {
          name: "least",
          label: RESULTS.least(text),
          at: binOf(least),
          text: shown(Math.max(low, least)),
          move: (bin, gesture) => set([bin === 0 ? Number.NEGATIVE_INFINITY : edge(bin), most], gesture),
        },
        {
          name: "most",
          label: RESULTS.most(text),
          at: binOf(most),
          text: shown(Math.min(high, most)),
          move: (bin, gesture) => set([least, bin === BINS - 1 ? Number.POSITIVE_INFINITY : edge(bin + 1)], gesture),
        },
      ]}
    />
  );
}

/** The regions of a scatter plot, a turn after those of the table: drawing many points takes most of a frame. */
function useLater(regions: Regions | undefined): Regions | undefined {
  const later = useSignal(regions);
  useEffect(() => {
    const timer = setTimeout(() => {
      later.value = regions;
    });
    return () => clearTimeout(timer);
  }, [regions]);
  return later.value;
}

export function Properties() {
  const opened = useSignal(false);
  const regions = measured.value?.regions;
  const plotted = useLater(regions);
  const name = brushed.value;
  const choose = (set: () => void): void => {
    set();
    measureAnew();
  };
  return (
    <details
      class="more properties"
      open={opened.value}
      onToggle={(event) => {
        opened.value = event.currentTarget.open;
      }}
    >
      <summary>{RESULTS.filter}</summary>
      <div class="row">
        <Choice
          {...{ name: "brushed", label: RESULTS.property, value: name, options: OPTIONS, quiet: true }}
          change={(value) => choose(() => (brushed.value = value))}
        />
        <button
          type="button"
          disabled={Object.keys(recipe.value.objects.keep).length === 0}
          onClick={() => changeObjects({ keep: {} })}
        >
          {RESULTS.all}
        </button>
      </div>
      {opened.value && regions?.[name] && <Brush regions={regions} />}
      <div class="row">
        <Choice
          {...{ name: "scatterY", label: CHARTS.vertical, value: scattered.value[1], options: OPTIONS, quiet: true }}
          change={(value) => choose(() => (scattered.value = [scattered.value[0], value]))}
        />
        {CHARTS.over}
        <Choice
          {...{ name: "scatterX", label: CHARTS.horizontal, value: scattered.value[0], options: OPTIONS, quiet: true }}
          change={(value) => choose(() => (scattered.value = [value, scattered.value[1]]))}
        />
      </div>
      {opened.value && plotted?.[scattered.value[0]] && plotted[scattered.value[1]] && <Scatter regions={plotted} />}
    </details>
  );
}
