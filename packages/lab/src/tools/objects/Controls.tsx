// The settings of the objects tool: the histogram with its threshold, the steps before and after it, and which objects stay.

import { useMemo } from "preact/hooks";
import {
  CHANNELS,
  dragged,
  hasOneClass,
  hasOneSide,
  hasThreshold,
  isLocal,
  METHODS,
  type Rule,
  STEPS,
  type Step,
  sideOf,
  takes,
} from "../../settings/objects.js";
import { changeObjects, found, level, picture, recipe, unit as unitOfLengths } from "../../state/lab.js";
import { LENGTHS } from "../../state/scale.js";
import { Choice, NumberField, StepRow, Switch, Tick } from "../../widgets/fields.js";
import { Later } from "../../widgets/Later.js";
import { type Handle, Levels } from "../../widgets/Levels.js";
import { TEXT } from "../../words/text.js";
import { Gradient } from "./Gradient.js";
import { type Levels as LevelsOf, MOST_RADIUS, plateausOf } from "./run.js";
import { curve, curveKey, levels, line } from "./state.js";

/** The bin that a threshold lies in. */
function binOf({ edges, counts }: LevelsOf, threshold: number): number {
  const [low = 0, high = 1] = [edges[0], edges.at(-1)];
  return Math.min(
    counts.length - 1,
    // A picture of one value has one bin.
    Math.max(0, Math.floor(((threshold - low) / (high - low || 1)) * counts.length + 1e-9)),
  );
}

/** The threshold of a bin: whole values are bins of their own. */
const thresholdOf = ({ edges, isInteger }: LevelsOf, bin: number): number =>
  isInteger ? edges[bin] : Number(edges[bin].toPrecision(6));

/** Bins that the rule takes. */
function takenBins(histogram: LevelsOf, rule: Rule, lower: number, threshold: number): [number, number][] {
  const [low, high, all] = [binOf(histogram, lower), binOf(histogram, threshold), histogram.counts.length];
  if (rule === "both") {
    return [
      [0, Math.min(low, high)],
      [high + 1, all],
    ];
  }
  return sideOf({ ...recipe.value.objects, rule }, found.value) === "dark" ? [[0, high]] : [[high + 1, all]];
}

/** Sets the threshold line by hand. */
const setLine = (threshold: number, gesture?: string): void =>
  changeObjects({ threshold, ...dragged(recipe.value.objects, found.value) }, gesture ? { gesture } : {});

const digits = (value: number): string => String(Number(value.toPrecision(6)));

/** Handles of the values that are shown as black and white, for pictures of more than 8 bits. */
function shownHandles(histogram: LevelsOf): Handle[] {
  if (!level.value) return [];
  return (["levelLow", "levelHigh"] as const).map((name, end) => {
    const range = level.value as readonly [number, number];
    return {
      name: `${name}Handle`,
      label: TEXT[name],
      at: binOf(histogram, range[end]),
      text: "",
      isLevel: true,
      move: (bin) => {
        const value = thresholdOf(histogram, bin);
        level.value = end === 0 ? [Math.min(value, range[1]), range[1]] : [range[0], Math.max(value, range[0])];
      },
    };
  });
}

function Thresholds({ histogram }: { histogram: LevelsOf }) {
  const { rule, lower, method } = recipe.value.objects;
  const threshold = line.value;
  const lowerHandle: Handle = {
    name: "lower",
    label: TEXT.lower,
    at: binOf(histogram, lower),
    text: digits(lower),
    move: (bin, gesture) => changeObjects({ lower: thresholdOf(histogram, bin) }, gesture ? { gesture } : {}),
  };
  const handle: Handle = {
    name: "threshold",
    label: TEXT.threshold,
    at: binOf(histogram, threshold),
    text: digits(threshold),
    move: (bin, gesture) => setLine(thresholdOf(histogram, bin), gesture),
  };
  const isOfSurroundings = hasOneSide(rule) && isLocal(method);
  const lines = isOfSurroundings || !hasThreshold(rule) ? [] : rule === "both" ? [lowerHandle, handle] : [handle];
  return (
    <Levels
      values={histogram.counts}
      handles={[...lines, ...shownHandles(histogram)]}
      taken={isOfSurroundings || !hasThreshold(rule) ? [] : takenBins(histogram, rule, lower, threshold)}
      label={TEXT.histogram}
      coach={TEXT.coach}
      textAt={(bin) => digits(thresholdOf(histogram, bin))}
      tellBin={(bin) => TEXT.bin(digits(thresholdOf(histogram, bin)), histogram.counts[bin])}
    />
  );
}

/** The number of objects at every threshold. A click on a flat part of the curve takes its middle. */
function Stability({ histogram }: { histogram: LevelsOf }) {
  const counts = curve.value?.key === curveKey(recipe.value, found.value) ? curve.value.counts : undefined;
  const threshold = line.value;
  const marks = counts
    ? plateausOf(counts).map(({ first, last, count }, k) => ({
        // Only the longest has room for words.
        first,
        last,
        text: k === 0 ? TEXT.plateauShort(count) : "",
        label: TEXT.plateau(count, thresholdOf(histogram, first), thresholdOf(histogram, last)),
        take: () => setLine(thresholdOf(histogram, Math.round((first + last) / 2))),
      }))
    : [];
  const handle: Handle = {
    name: "stability",
    label: TEXT.stability,
    at: binOf(histogram, threshold),
    text: "",
    move: (bin, gesture) => setLine(thresholdOf(histogram, bin), gesture),
  };
  const none = useMemo(() => new Int32Array(histogram.counts.length).fill(-1), [histogram]);
  const values = counts ?? none;
  return (
    <Levels
      values={values}
      handles={[handle]}
      line
      marks={marks}
      label={TEXT.stability}
      textAt={(bin) => digits(thresholdOf(histogram, bin))}
      tellBin={(bin) => (values[bin] < 0 ? "" : TEXT.objectsAt(values[bin], digits(thresholdOf(histogram, bin))))}
    />
  );
}

/** The pixels that are objects, for tools that begin with them. */
export function Foreground() {
  const { rule, channel } = recipe.value.objects;
  const { value: histogram } = levels;
  const hasColours = (picture.value?.channels ?? 1) > 1;
  return (
    <>
      {histogram && hasThreshold(rule) && <Thresholds histogram={histogram} />}
      <RuleFields />
      {hasColours && hasThreshold(rule) && (
        <div class="row">
          <Choice
            {...{ name: "channel", label: TEXT.channel, value: channel, title: TEXT.tips.channel }}
            options={CHANNELS.map((name) => [name, TEXT.channels[name]] as const)}
            change={(value) => changeObjects({ channel: value })}
          />
        </div>
      )}
    </>
  );
}

/** The number of objects at each radius of a local threshold. */
function Radii() {
  const { local } = recipe.value.objects;
  const counts = curve.value?.key === curveKey(recipe.value, found.value) ? curve.value.counts : undefined;
  const none = useMemo(() => new Int32Array(MOST_RADIUS).fill(-1), []);
  const values = counts ?? none;
  return (
    <Levels
      values={values}
      handles={[
        {
          name: "radius",
          label: TEXT.localRadius,
          at: Math.min(MOST_RADIUS, local) - 1,
          text: String(local),
          move: (bin, gesture) => changeObjects({ local: bin + 1 }, gesture ? { gesture } : {}),
        },
      ]}
      line
      label={TEXT.radii}
      textAt={(bin) => TEXT.radius(bin + 1)}
      tellBin={(bin) => (values[bin] < 0 ? "" : TEXT.objectsAt(values[bin], TEXT.radius(bin + 1)))}
    />
  );
}

/** The fields for the rule and the method of the threshold, with the automatic choices. */
function RuleFields() {
  const { rule, method, lower, local, offset } = recipe.value.objects;
  const isSided = hasOneSide(rule);
  const rules = (Object.entries(TEXT.rules) as [Rule, string][])
    .filter(([name]) => name !== "auto" || method !== "fixed")
    .map(([name, text]) => [name, name === "auto" ? TEXT.autoRule(found.value?.polarity) : text] as const);
  const methods = METHODS.map(
    (name) => [name, TEXT.method(name, name === method ? found.value?.threshold : undefined)] as const,
  );
  const free = { least: Number.NEGATIVE_INFINITY, step: "any", quiet: true } as const;
  return (
    <div class="row rule">
      <Choice
        {...{ name: "rule", label: TEXT.rule, value: rule, options: rules, quiet: true, title: TEXT.tips.rule }}
        change={(value) => changeObjects({ rule: value })}
      />
      {rule === "both" && (
        <NumberField
          {...{ ...free, name: "lowerNumber", label: TEXT.lower, value: lower }}
          change={(value) => changeObjects({ lower: value })}
        />
      )}
      {hasThreshold(rule) && !(isSided && isLocal(method)) && (
        <NumberField
          {...{ ...free, name: "thresholdNumber", label: TEXT.threshold, value: Number(digits(line.value)) }}
          change={(value) => setLine(value)}
        />
      )}
      {isSided && (
        <Choice
          {...{ name: "method", label: TEXT.methods, value: method, options: methods, quiet: true }}
          title={TEXT.tips.method}
          change={(value) => {
            if (value === "fixed") setLine(line.value);
            else changeObjects({ method: value, rule: method === "fixed" ? "auto" : rule });
          }}
        />
      )}
      {isSided && isLocal(method) && (
        <NumberField
          {...{ name: "local", label: TEXT.localRadius, value: local, least: 1, most: 1000, unit: "px" }}
          change={(value) => changeObjects({ local: Math.round(value) })}
        />
      )}
      {isSided && method === "mean" && (
        <NumberField
          {...{ ...free, name: "offset", label: TEXT.offset, value: offset, quiet: false }}
          change={(value) => changeObjects({ offset: value })}
        />
      )}
    </div>
  );
}

/** Sliders of steps: where they end, how fine they are, the unit, and what a step begins with. */
const SLIDERS: Readonly<Record<Step, { end: number; step: number; unit: string; initial: number }>> = {
  smooth: { end: 10, step: 0.5, unit: "px", initial: 1 },
  flatten: { end: 200, step: 1, unit: "px", initial: 50 },
  open: { end: 20, step: 1, unit: "px", initial: 1 },
  close: { end: 20, step: 1, unit: "px", initial: 1 },
  erode: { end: 20, step: 1, unit: "px", initial: 1 },
  dilate: { end: 20, step: 1, unit: "px", initial: 1 },
  split: { end: 20, step: 0.5, unit: "px", initial: 1 },
  absorb: { end: 500, step: 1, unit: "px²", initial: 10 },
  expand: { end: 50, step: 1, unit: "px", initial: 3 },
};

/** A slider of a step; lengths are in the unit of the scale. */
function sliderOf(step: Step) {
  const { end, step: fine, unit, initial } = SLIDERS[step];
  const size = LENGTHS.includes(step) ? (recipe.value.scale?.size ?? 1) : 1;
  const physical = (value: number): number => Number((value * size).toPrecision(4));
  return {
    name: step,
    label: TEXT.step[step],
    title: TEXT.tips.step[step],
    value: recipe.value.objects[step],
    end: physical(end),
    step: physical(fine),
    initial: physical(initial),
    most: STEPS[step] * size,
    unit: LENGTHS.includes(step) ? unitOfLengths() : unit,
    change: (value: number) => changeObjects({ [step]: value }),
  };
}

/** Switches for common steps: splitting touching objects, correcting uneven light. */
function Switches() {
  const { rule, split } = recipe.value.objects;
  return (
    <>
      {(["split", "flatten"] as const)
        .filter((step) => takes(step, rule, split))
        .map((step) => (
          <Switch key={step} {...sliderOf(step)} />
        ))}
    </>
  );
}

/** Other steps, in the order in which they run: a row for each that is on, a button for each that is off. */
function Steps() {
  const { objects } = recipe.value;
  const { rule, split, maxArea, largest } = objects;
  const all = (Object.keys(STEPS) as Step[]).filter(
    (step) => step !== "split" && step !== "flatten" && takes(step, rule, split),
  );
  const limits = [
    { name: "maxArea", value: maxArea, end: 10_000, unit: "px²", initial: 10_000 },
    { name: "largest", value: largest, end: 50, unit: "", initial: 1 },
  ] as const;
  return (
    <>
      {objects.smooth > 0 && hasThreshold(rule) && <StepRow {...sliderOf("smooth")} />}
      {objects.gradient !== 0 && hasThreshold(rule) && <Gradient />}
      {all
        .filter((step) => step !== "smooth" && objects[step] > 0)
        .map((step) => (
          <StepRow key={step} {...sliderOf(step)} />
        ))}
      {limits
        .filter(({ value }) => value > 0)
        .map((limit) => (
          <StepRow
            key={limit.name}
            {...{ ...limit, label: TEXT.limit[limit.name], most: 2 ** 31, step: 1 }}
            change={(value) => changeObjects({ [limit.name]: Math.round(value) })}
          />
        ))}
      <details class="more additions">
        <summary>{TEXT.steps}</summary>
        <div class="chips">
          {all
            .filter((step) => objects[step] === 0)
            .map((step) => (
              <button
                type="button"
                class="chip"
                key={step}
                title={TEXT.tips.step[step]}
                onClick={() => changeObjects({ [step]: sliderOf(step).initial })}
              >
                + {TEXT.step[step]}
              </button>
            ))}
          {objects.gradient === 0 && hasThreshold(rule) && (
            <button
              type="button"
              class="chip"
              title={TEXT.gradient.tip}
              onClick={() => changeObjects({ gradient: "sobel", method: "otsu", rule: "auto" })}
            >
              + {TEXT.gradient.label}
            </button>
          )}
          {limits
            .filter(({ value }) => value === 0)
            .map(({ name, initial }) => (
              <button type="button" class="chip" key={name} onClick={() => changeObjects({ [name]: initial })}>
                + {TEXT.limit[name]}
              </button>
            ))}
        </div>
      </details>
    </>
  );
}

/** The shown range of pictures of more than 8 bits. */
function Shown() {
  if (!level.value) return null;
  const [low, high] = level.value;
  const free = { least: Number.NEGATIVE_INFINITY, step: "any" } as const;
  return (
    <div class="row">
      <NumberField
        {...{ ...free, name: "levelLow", label: TEXT.level, value: low }}
        change={(value) => {
          level.value = [value, high];
        }}
      />
      <NumberField
        {...{ ...free, name: "levelHigh", label: TEXT.levelTo, value: high }}
        change={(value) => {
          level.value = [low, value];
        }}
      />
    </div>
  );
}

const suggested = async () => (await import("./Suggested.js")).Suggested;
const hand = async () => (await import("./hand/Hand.js")).Hand;

export function ObjectsControls() {
  const { objects } = recipe.value;
  const { rule, method, channel, connectivity, minArea, fillHoles, clearBorder } = objects;
  const { value: histogram } = levels;
  const hasColours = (picture.value?.channels ?? 1) > 1;
  const isOfSurroundings = hasOneSide(rule) && isLocal(method);
  return (
    <div class="controls">
      <Later load={suggested} />
      {histogram && hasThreshold(rule) && <Thresholds histogram={histogram} />}
      {histogram && hasOneSide(rule) && !isOfSurroundings && <Stability histogram={histogram} />}
      {histogram && isOfSurroundings && <Radii />}
      <RuleFields />
      <div class="fields">
        {hasColours && hasThreshold(rule) && (
          <Choice
            {...{ name: "channel", label: TEXT.channel, value: channel, title: TEXT.tips.channel }}
            options={CHANNELS.map((name) => [name, TEXT.channels[name]] as const)}
            change={(value) => changeObjects({ channel: value })}
          />
        )}
        <NumberField
          {...{ name: "minArea", label: `${TEXT.minArea} (px²)`, value: minArea }}
          change={(value) => changeObjects({ minArea: Math.round(value) })}
        />
        <Choice
          {...{ name: "connectivity", label: TEXT.connectivity, value: connectivity, title: TEXT.tips.connectivity }}
          options={[
            [4, "4"],
            [8, "8"],
          ]}
          change={(value) => changeObjects({ connectivity: value })}
        />
      </div>
      <div class="onoff">
        <Switches />
        {hasOneClass(rule) && (
          <Tick
            {...{ name: "fillHoles", label: TEXT.fillHoles, value: fillHoles }}
            change={(value) => changeObjects({ fillHoles: value })}
          />
        )}
        <Tick
          {...{ name: "clearBorder", label: TEXT.clearBorder, value: clearBorder, title: TEXT.tips.clearBorder }}
          change={(value) => changeObjects({ clearBorder: value })}
        />
      </div>
      <Steps />
      <Shown />
      <Later load={hand} />
    </div>
  );
}
