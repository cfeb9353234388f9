// Lines, circles, points and numbers of a tool over the picture, in its pixel coordinates. They move with the camera and
// ignore pointers.

import { marks, placed, ruler, stroke } from "../state/drawn.js";

export function Overlay() {
  const { value: drawn } = ruler;
  const { path, points = [], labels = [], ...others } = marks.value;
  const line = typeof drawn === "object" ? ([drawn.from, drawn.to] as const) : others.line;
  const { x, y, scale } = placed.value;
  const { value: held } = stroke;
  if (!line && !path && !held && points.length === 0 && labels.length === 0) return null;
  // Coordinates refer to the centres of pixels.
  const at = (px: number, py: number): [number, number] => [(px + 0.5 - x) * scale, (py + 0.5 - y) * scale];
  const [from, to] = line ? [at(...line[0]), at(...line[1])] : [undefined, undefined];
  return (
    <svg class="overlay" aria-hidden="true">
      {path && (
        <path
          d={path}
          transform={`scale(${scale}) translate(${0.5 - x} ${0.5 - y})`}
          vector-effect="non-scaling-stroke"
        />
      )}
      {held && (
        <path
          class={`stroke ${held.kind}`}
          d={`M${held.places.map((place) => at(...place).join(" ")).join("L")}${held.isClosed ? "Z" : "l0 0"}`}
          style={{ strokeWidth: `${Math.max(2, (2 * held.radius + 1) * scale)}px` }}
        />
      )}
      {points.map((point) => {
        const [px, py] = at(...point);
        return <circle key={point.join()} cx={px} cy={py} r={5} />;
      })}
      {from && to && (
        <>
          <line x1={from[0]} y1={from[1]} x2={to[0]} y2={to[1]} />
          <circle cx={to[0]} cy={to[1]} r={4} />
        </>
      )}
      {labels.map(({ place, text }) => {
        const [px, py] = at(...place);
        return (
          <text key={`${text} ${place}`} x={px} y={py}>
            {text}
          </text>
        );
      })}
    </svg>
  );
}
