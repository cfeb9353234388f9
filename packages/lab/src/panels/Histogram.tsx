// The levels of the picture, under a slider that is as wide: the threshold is dragged on them, and worked by keys.

import { change, levels, recipe } from "../state/lab.js";
import { TEXT } from "../text.js";

const [WIDTH, HEIGHT] = [256, 72];

/** Bars of the square roots of the counts, so that rare levels are seen beside the background. */
function bars(counts: Float64Array): string {
  const most = Math.sqrt(counts.reduce((a, b) => Math.max(a, b), 1));
  const tops = Array.from(counts, (n, i) => `L${i},${(HEIGHT * (1 - Math.sqrt(n) / most)).toFixed(1)}h1`);
  return `M0,${HEIGHT}${tops.join("")}L${WIDTH},${HEIGHT}Z`;
}

export function Histogram() {
  const { threshold, polarity } = recipe.value;
  const bright = polarity === "bright";
  return (
    <div class="histogram">
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
        <rect
          x={bright ? threshold + 1 : 0}
          y={0}
          width={bright ? Math.max(0, 255 - threshold) : threshold}
          height={HEIGHT}
        />
        {levels.value && <path d={bars(levels.value.counts)} />}
        <line x1={threshold + 0.5} x2={threshold + 0.5} y1={0} y2={HEIGHT} />
      </svg>
      <input
        type="range"
        name="level"
        aria-label={TEXT.threshold}
        min={0}
        max={255}
        value={threshold}
        onInput={(event) => change({ threshold: event.currentTarget.valueAsNumber })}
      />
    </div>
  );
}
