// The settings of the objects tool: the histogram with its thresholds, the curve of counts, and which objects stay.

import { useMemo } from "preact/hooks";
import { changeObjects, curve, level, levels, picture, recipe } from "../state/lab.js";
import { type Channel, type Rule, STEPS, type Step } from "../state/recipe.js";
import { TEXT } from "../text.js";
import { hasOneClass, hasThreshold, type Levels as LevelsOf, plateausOf } from "../tools/objects.js";
import { Choice, NumberField, Tick } from "./fields.js";
import { type Handle, Levels } from "./Levels.js";

/** The bin that a threshold lies in. */
function binOf({ edges, counts }: LevelsOf, threshold: number): number {
  const [low = 0, high = 1] = [edges[0], edges.at(-1)];
  return Math.min(
    counts.length - 1,
    Math.max(0, Math.floor(((threshold - low) / (high - low)) * counts.length + 1e-9)),
  );
}

/** The threshold of a bin: whole values are bins of their own. */
const thresholdOf = ({ edges, whole }: LevelsOf, bin: number): number =>
  whole ? edges[bin] : Number(edges[bin].toPrecision(6));

/** Bins that the rule takes. */
function takenBins(own: LevelsOf, rule: Rule, lower: number, threshold: number): [number, number][] {
  const [low, high, all] = [binOf(own, lower), binOf(own, threshold), own.counts.length];
  if (rule === "bright") return [[high + 1, all]];
  if (rule === "dark") return [[0, high]];
  return rule === "both"
    ? [
        [0, Math.min(low, high)],
        [high + 1, all],
      ]
    : [];
}

function Thresholds({ own }: { own: LevelsOf }) {
  const { rule, threshold, lower } = recipe.value.objects;
  const handle = (name: "threshold" | "lower", label: string, value: number): Handle => ({
    ...{ name, label, at: binOf(own, value), text: String(value) },
    move: (bin, gesture) => changeObjects({ [name]: thresholdOf(own, bin) }, gesture ? { gesture } : {}),
  });
  const handles =
    rule === "both"
      ? [handle("lower", TEXT.lower, lower), handle("threshold", TEXT.threshold, threshold)]
      : rule === "bright" || rule === "dark"
        ? [handle("threshold", TEXT.threshold, threshold)]
        : [];
  return (
    <Levels
      values={own.counts}
      handles={handles}
      taken={takenBins(own, rule, lower, threshold)}
      label={TEXT.threshold}
    />
  );
}

/** How many objects there would be at every threshold; where the curve is flat a click takes the middle. */
function Stability({ own }: { own: LevelsOf }) {
  const { value: counts } = curve;
  const { threshold } = recipe.value.objects;
  const marks = counts
    ? plateausOf(counts).map(({ first, last, count }) => ({
        ...{ first, last },
        label: TEXT.plateau(count, thresholdOf(own, first), thresholdOf(own, last)),
        take: () => changeObjects({ threshold: thresholdOf(own, Math.round((first + last) / 2)) }),
      }))
    : [];
  const handle: Handle = {
    ...{ name: "stability", label: TEXT.stability, at: binOf(own, threshold) },
    text: `${threshold}: ${counts?.[binOf(own, threshold)] ?? ""}`,
    move: (bin, gesture) => changeObjects({ threshold: thresholdOf(own, bin) }, gesture ? { gesture } : {}),
  };
  const none = useMemo(() => new Int32Array(own.counts.length).fill(-1), [own]);
  const values = counts ?? none;
  return <Levels values={values} handles={[handle]} line marks={marks} label={TEXT.stability} />;
}

const RULES = Object.entries(TEXT.rules) as [Rule, string][];
const CHANNELS = Object.entries(TEXT.channels) as [Channel, string][];

/** Which pixels are foreground, and its thresholds in numbers. */
function RuleFields() {
  const { rule, threshold, lower } = recipe.value.objects;
  const { value: own } = levels;
  return (
    <div class="row">
      <Choice
        {...{ name: "rule", label: TEXT.rule, value: rule, options: RULES, quiet: true }}
        change={(value) => changeObjects({ rule: value })}
      />
      {rule === "both" && (
        <NumberField
          {...{
            name: "lowerNumber",
            label: TEXT.lower,
            value: lower,
            least: Number.NEGATIVE_INFINITY,
            step: "any",
            quiet: true,
          }}
          change={(value) => changeObjects({ lower: value })}
        />
      )}
      {hasThreshold(rule) && (
        <NumberField
          {...{
            name: "thresholdNumber",
            label: TEXT.threshold,
            value: threshold,
            least: Number.NEGATIVE_INFINITY,
            step: "any",
            quiet: true,
          }}
          change={(value) => changeObjects({ threshold: value })}
        />
      )}
      {hasThreshold(rule) && own && (
        <button type="button" onClick={() => changeObjects({ threshold: own.otsu })}>
          {TEXT.otsu}
        </button>
      )}
    </div>
  );
}

/** Fields that are seldom needed: the channel, further filters, and the shown levels of pictures of more than 8 bits. */
function MoreFields() {
  const { rule, channel, maxArea, largest } = recipe.value.objects;
  const colours = (picture.value?.channels ?? 1) > 1;
  return (
    <details class="more">
      <summary>{TEXT.more}</summary>
      <div class="row">
        {colours && hasThreshold(rule) && (
          <Choice
            {...{ name: "channel", label: TEXT.channel, value: channel, options: CHANNELS }}
            change={(value) => changeObjects({ channel: value })}
          />
        )}
        <NumberField
          {...{ name: "maxArea", label: TEXT.maxArea, value: maxArea, none: TEXT.any }}
          change={(value) => changeObjects({ maxArea: Math.round(value) })}
        />
        <NumberField
          {...{ name: "largest", label: TEXT.largest, value: largest, none: TEXT.all }}
          change={(value) => changeObjects({ largest: Math.round(value) })}
        />
      </div>
      {level.value && (
        <div class="row">
          <NumberField
            {...{
              name: "levelLow",
              label: TEXT.level,
              value: level.value[0],
              least: Number.NEGATIVE_INFINITY,
              step: "any",
            }}
            change={(value) => {
              level.value = [value, level.value?.[1] ?? value + 1];
            }}
          />
          <NumberField
            {...{
              name: "levelHigh",
              label: TEXT.levelTo,
              value: level.value[1],
              least: Number.NEGATIVE_INFINITY,
              step: "any",
            }}
            change={(value) => {
              level.value = [level.value?.[0] ?? 0, value];
            }}
          />
        </div>
      )}
    </details>
  );
}

/** Steps that a rule has a use for; local thresholds for one side alone, absorbing for areas that touch. */
const STEPS_SHOWN: readonly (readonly [Step, (rule: Rule, split: number) => boolean])[] = [
  ["smooth", hasThreshold],
  ["flatten", hasThreshold],
  ["local", (rule) => rule === "bright" || rule === "dark"],
  ...(["open", "close", "erode", "dilate", "split"] as const).map((step) => [step, hasOneClass] as const),
  ["absorb", (rule, split) => rule === "value" || (hasOneClass(rule) && split > 0)],
  ["expand", hasOneClass],
];

/** Light, morphology and splits, in the order in which they are applied. */
function StepFields() {
  const { objects } = recipe.value;
  const shown = STEPS_SHOWN.filter(([, isShown]) => isShown(objects.rule, objects.split));
  return (
    <details class="more">
      <summary>{TEXT.steps}</summary>
      <div class="sequence">
        {shown.map(([step]) => (
          <NumberField
            key={step}
            {...{ name: step, label: TEXT.step[step], value: objects[step], most: STEPS[step], none: TEXT.none }}
            step={step === "smooth" || step === "split" ? 0.5 : 1}
            change={(value) => changeObjects({ [step]: value })}
          />
        ))}
      </div>
    </details>
  );
}

export function ObjectsControls() {
  const { objects } = recipe.value;
  const { rule, local, connectivity, minArea, fillHoles, clearBorder, dropped } = objects;
  const { value: own } = levels;
  return (
    <div class="controls">
      {own && hasThreshold(rule) && local === 0 && <Thresholds own={own} />}
      {own && (rule === "bright" || rule === "dark") && local === 0 && <Stability own={own} />}
      <RuleFields />
      <div class="row">
        <Choice
          {...{ name: "connectivity", label: TEXT.connectivity, value: connectivity }}
          options={[
            [4, "4"],
            [8, "8"],
          ]}
          change={(value) => changeObjects({ connectivity: value })}
        />
        <NumberField
          {...{ name: "minArea", label: TEXT.minArea, value: minArea }}
          change={(value) => changeObjects({ minArea: Math.round(value) })}
        />
      </div>
      <div class="row">
        <Tick
          {...{ name: "fillHoles", label: TEXT.fillHoles, value: fillHoles }}
          change={(value) => changeObjects({ fillHoles: value })}
        />
        <Tick
          {...{ name: "clearBorder", label: TEXT.clearBorder, value: clearBorder }}
          change={(value) => changeObjects({ clearBorder: value })}
        />
      </div>
      <StepFields />
      <MoreFields />
      {dropped.length > 0 && (
        <button type="button" onClick={() => changeObjects({ dropped: [] })}>
          {TEXT.restore(dropped.length)}
        </button>
      )}
    </div>
  );
}
