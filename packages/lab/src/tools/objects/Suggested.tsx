// Other settings as small pictures with their counts: a press takes them, undo takes them back.

import { useEffect, useRef } from "preact/hooks";
import { isLocal, OBJECTS, type ObjectsRecipe, STEPS, type Step } from "../../settings/objects.js";
import { changeObjects, recipe } from "../../state/lab.js";
import { RESULTS } from "../../words/results.js";
import { TEXT } from "../../words/text.js";
import { suggested } from "./state.js";
import type { SuggestedObjects } from "./suggest.js";

/** A colour of a label, as red, green and blue. */
function colourOf(label: number): readonly [number, number, number] {
  const turn = (label * 0.618034) % 1;
  const wave = (shift: number): number => Math.round(150 + 105 * Math.cos(2 * Math.PI * (turn + shift)));
  return [wave(0), wave(1 / 3), wave(2 / 3)];
}

function Small({ small: { width, height, labels, grey } }: Pick<SuggestedObjects, "small">) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    const context = canvas.current?.getContext("2d");
    if (!context) return;
    const image = context.createImageData(width, height);
    for (let i = 0; i < labels.length; i++) {
      const [r, g, b] = labels[i] ? colourOf(labels[i]) : [grey[i] * 0.6, grey[i] * 0.6, grey[i] * 0.6];
      image.data.set([r, g, b, 255], i * 4);
    }
    context.putImageData(image, 0, 0);
  }, [labels]);
  return <canvas ref={canvas} width={width} height={height} />;
}

/** The settings in a few words. */
function wordsOf(settings: ObjectsRecipe): string {
  const { rule, method, channel, minArea, maxArea, fillHoles, clearBorder } = settings;
  const words = [
    ...(channel === OBJECTS.channel ? [] : [TEXT.channels[channel]]),
    ...(method === OBJECTS.method ? [] : [TEXT.method(method, undefined)]),
    ...(isLocal(method) ? [`${TEXT.localRadius.toLowerCase()} ${settings.local}`] : []),
    ...(Object.keys(STEPS) as Step[]).filter((step) => settings[step] > 0).map((step) => TEXT.step[step].toLowerCase()),
    ...(rule === "dark" || rule === "bright" ? [TEXT.rules[rule]] : []),
    ...(minArea > OBJECTS.minArea ? [`${TEXT.minArea.toLowerCase()} ${minArea}`] : []),
    ...(maxArea > 0 ? [`${TEXT.limit.maxArea.toLowerCase()} ${maxArea}`] : []),
    ...(fillHoles ? [TEXT.fillHoles.toLowerCase()] : []),
    ...(clearBorder ? [TEXT.clearBorder.toLowerCase()] : []),
  ];
  return words.length > 0 ? words.join(", ") : RESULTS.suggestedAsIs;
}

const isShown = (settings: ObjectsRecipe): boolean =>
  JSON.stringify({ ...recipe.value.objects, edits: [] }) === JSON.stringify(settings);

export function Suggested() {
  const offers = suggested.value?.offers ?? [];
  // The row has its height from the start, so that nothing moves when the offers arrive.
  return (
    <section class="suggested" aria-label={RESULTS.suggested}>
      <p>{RESULTS.suggested}</p>
      <button
        type="button"
        title={RESULTS.automaticTip}
        disabled={offers.length === 0}
        onClick={() => changeObjects(offers[0].settings)}
      >
        {RESULTS.automatic}
      </button>
      {offers.map(({ settings, count, small }) => (
        <button
          type="button"
          key={JSON.stringify(settings)}
          class="offer"
          aria-pressed={isShown(settings)}
          aria-label={RESULTS.suggestion(count, wordsOf(settings))}
          title={RESULTS.suggestion(count, wordsOf(settings))}
          onClick={() => changeObjects(settings)}
        >
          <Small small={small} />
          <span>{count.toLocaleString("en")}</span>
        </button>
      ))}
    </section>
  );
}
