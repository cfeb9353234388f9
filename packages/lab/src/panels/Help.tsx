// Help under `?`: what people come to do, then the keys.

import { HELP, TOUR } from "../words/dialogs.js";

/** Small pictures of tasks: paths of light, blue, orange and dim ink on 56 by 42 points. */
const SKETCHES: Readonly<Record<(typeof HELP.tasks)[number][2], readonly (readonly [ink: string, path: string])[]>> = {
  count: [
    ["#6cb6ff", "M6 12a5 5 0 1 0 10 0a5 5 0 1 0-10 0M10 30a6 6 0 1 0 12 0a6 6 0 1 0-12 0"],
    ["#e9eaec", "M30 9h20v3H30zM30 19h20v3H30zM30 29h14v3H30z"],
  ],
  line: [
    ["#a0a7b0", "M4 38V30h4v-8h4v-6h4v4h4v10h4v4h6v-6h4v-12h4v-6h4v8h4v10h4v8z"],
    ["#6cb6ff", "M27 4h2v34h-2zM23 20h10v6H23z"],
  ],
  split: [
    ["#6cb6ff", "M8 21a10 10 0 1 1 18 6a10 10 0 0 1-18-6z"],
    ["#ffb067", "M29 27a10 10 0 1 0 0-12z"],
  ],
  one: [
    ["#6cb6ff", "M12 20a9 9 0 1 0 18 0a9 9 0 1 0-18 0"],
    ["#e9eaec", "M26 22l14 7-6 2 4 7-3 2-4-8-5 4z"],
  ],
  hand: [
    ["#6cb6ff", "M6 26a9 9 0 1 1 16 6a9 9 0 0 1-16-6z"],
    ["#ffb067", "M26 30a9 9 0 0 0 14-12l-8 4z"],
    ["#e9eaec", "M20 40L44 4l4 2L24 42z"],
  ],
  stain: [
    ["#b48ad6", "M4 4h48v34H4z"],
    ["#3d3a8c", "M12 14a5 4 0 1 0 10 0a5 4 0 1 0-10 0M30 26a6 5 0 1 0 12 0a6 5 0 1 0-12 0"],
  ],
  inside: [
    ["#5c636c", "M4 4h48v34H4z"],
    ["#e9eaec", "M16 10h24v22H16z"],
    ["#6cb6ff", "M20 16a4 4 0 1 0 8 0a4 4 0 1 0-8 0M28 26a4 4 0 1 0 8 0a4 4 0 1 0-8 0"],
  ],
  maps: [
    ["#1f4e79", "M4 4h48v34H4z"],
    ["#2a9d8f", "M14 21a14 13 0 1 0 28 0a14 13 0 1 0-28 0"],
    ["#f2d750", "M22 21a6 6 0 1 0 12 0a6 6 0 1 0-12 0"],
  ],
  scale: [
    ["#5c636c", "M4 4h48v34H4z"],
    ["#e9eaec", "M12 28h32v4H12zM12 24h2v8h-2zM42 24h2v8h-2z"],
  ],
  files: [
    ["#5c636c", "M6 6h24v18H6z"],
    ["#a0a7b0", "M12 12h24v18H12z"],
    ["#e9eaec", "M18 18h24v18H18z"],
  ],
};

function Sketch({ of }: { readonly of: keyof typeof SKETCHES }) {
  return (
    <svg viewBox="0 0 56 42" aria-hidden="true">
      {SKETCHES[of].map(([ink, path]) => (
        <path key={path} fill={ink} d={path} />
      ))}
    </svg>
  );
}

export function Help() {
  return (
    <>
      <dl class="tasks">
        {HELP.tasks.map(([task, how, sketch]) => (
          <div key={task}>
            <Sketch of={sketch} />
            <dt>{task}</dt>
            <dd>{how}</dd>
          </div>
        ))}
      </dl>
      <p>
        <a href={new URL("#tour", location.href).href}>{TOUR.link}</a>
      </p>
      <h3>{HELP.keysTitle}</h3>
      <dl class="keys">
        {HELP.keys.map(([key, what]) => (
          <div key={key}>
            <dt>{key}</dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
    </>
  );
}
