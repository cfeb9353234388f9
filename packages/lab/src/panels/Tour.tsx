// The tour: five tasks on five samples, each drawn live, with the figure of the article that set it and the time on this machine.

import { useEffect } from "preact/hooks";
import { openSample } from "../session/open.js";
import { type Recipe, recipeFor, sampleNamed } from "../settings/recipe.js";
import { lines } from "../state/drawn.js";
import { session } from "../state/engine.js";
import { calls, device, found, picture, recipe, tour } from "../state/lab.js";
import { TOUR } from "../words/dialogs.js";
import { shortTime, TEXT } from "../words/text.js";

/** Settings of each step: the sample's own, with what the step changes. */
const STEPS: readonly {
  readonly source: string;
  readonly settings: (recipe: Recipe) => Recipe;
  readonly apart?: number;
}[] = [
  { source: "galaxies", settings: (recipe) => recipe },
  { source: "board", settings: (recipe) => recipe },
  { source: "maze", settings: (recipe) => recipe },
  { source: "head", settings: (recipe) => recipe, apart: 10 },
  {
    source: "coffee",
    settings: (recipe) => ({ ...recipe, tool: "colours", colours: { ...recipe.colours, k: 16, metric: "l1" } }),
  },
];

/** When the first call is repeated. */
const WARM_AFTER_MILLISECONDS = 500;

export function Tour() {
  const { value: at } = tour;
  useEffect(() => {
    const step = at === undefined ? undefined : STEPS[at];
    const sample = step && sampleNamed(step.source);
    if (!sample) return;
    lines.value = step.apart ?? 0;
    void openSample(sample.source, step.settings(recipeFor(sample)));
  }, [at]);
  const { count: calledTimes } = calls.value;
  useEffect(() => {
    // The first call compiles and starts what it needs; the time of a warm one is what a page waits for at each change.
    if (at === undefined || calledTimes !== 1) return;
    const waits = setTimeout(() => session.follower?.repeat(), WARM_AFTER_MILLISECONDS);
    return () => clearTimeout(waits);
  }, [at, calledTimes]);
  if (at === undefined) return null;
  const { title, task, article } = TOUR.steps[at];
  const isHere = recipe.value.source === STEPS[at].source && found.value !== undefined;
  const { first, last, count, key } = calls.value;
  const isTimed = key === `${recipe.value.source} ${recipe.value.tool}`;
  const { width = 0, height = 0 } = picture.value ?? {};
  const go = (to: number | undefined) => () => {
    tour.value = to;
  };
  return (
    <section class="tour" aria-label={TOUR.name}>
      <h2 class="touring">{title}</h2>
      <p>{task}</p>
      <dl>
        <dt>{TOUR.article}</dt>
        <dd>{article}</dd>
        <dt>{TOUR.here}</dt>
        <dd data-testid="tour time">
          {isHere && isTimed
            ? TOUR.time(shortTime(first), count > 1 ? shortTime(last) : "…", width, height, device.value)
            : "…"}
        </dd>
      </dl>
      <div class="row">
        <button type="button" disabled={at === 0} onClick={go(at - 1)}>
          {TOUR.back}
        </button>
        <span>{`${at + 1} / ${STEPS.length}`}</span>
        {at + 1 < STEPS.length && (
          <button type="button" onClick={go(at + 1)}>
            {TOUR.next}
          </button>
        )}
        <button type="button" onClick={go(undefined)}>
          {TEXT.close}
        </button>
      </div>
    </section>
  );
}
