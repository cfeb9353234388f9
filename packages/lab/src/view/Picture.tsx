// The picture: a canvas that is zoomed by the wheel, moved by dragging, split by the divider, and worked by keys.

import { useEffect, useRef } from "preact/hooks";
import { camera, divider, draw, failure, fit, look, picture, point, start } from "../state/lab.js";
import { TEXT } from "../text.js";
import { fitted, moved, zoomed } from "./camera.js";
import { Renderer } from "./gl.js";

const STEP = 48;

export function Picture() {
  const ref = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    const canvas = ref.current as HTMLCanvasElement;
    const gl = canvas.getContext("webgl2", { alpha: true, premultipliedAlpha: false, preserveDrawingBuffer: true });
    if (!gl) {
      failure.value = TEXT.failures.webgl;
      return;
    }
    const resize = (): void => {
      const { width, height } = canvas.getBoundingClientRect();
      canvas.width = Math.max(1, Math.round(width * devicePixelRatio));
      canvas.height = Math.max(1, Math.round(height * devicePixelRatio));
      if (picture.value) fit();
    };
    resize();
    const renderer = new Renderer(gl);
    new ResizeObserver(resize).observe(canvas);
    start(canvas, renderer);
  }, []);

  /** Canvas pixels of an event. */
  const at = (event: MouseEvent): [number, number] => {
    const box = (ref.current as HTMLCanvasElement).getBoundingClientRect();
    return [(event.clientX - box.left) * devicePixelRatio, (event.clientY - box.top) * devicePixelRatio];
  };
  const least = (): number => {
    const canvas = ref.current as HTMLCanvasElement;
    return picture.value ? fitted(canvas, picture.value).scale : 1;
  };
  const zoomBy = (factor: number): void => {
    const { width, height } = ref.current as HTMLCanvasElement;
    look(zoomed(camera, factor, width / 2, height / 2, least()));
  };
  const keys: Record<string, () => void> = {
    "+": () => zoomBy(1.5),
    "=": () => zoomBy(1.5),
    "-": () => zoomBy(1 / 1.5),
    "0": fit,
    "1": () => zoomBy(1 / camera.scale),
    ArrowLeft: () => look(moved(camera, STEP, 0)),
    ArrowRight: () => look(moved(camera, -STEP, 0)),
    ArrowUp: () => look(moved(camera, 0, STEP)),
    ArrowDown: () => look(moved(camera, 0, -STEP)),
  };
  let last: [number, number] | undefined;
  let splitting = false;
  return (
    <canvas
      ref={ref}
      class="picture"
      role="application"
      aria-label={TEXT.compare}
      tabIndex={0}
      onWheel={(event) => {
        event.preventDefault();
        look(zoomed(camera, Math.exp(-event.deltaY / 400), ...at(event), least()));
      }}
      onPointerDown={(event) => {
        (event.currentTarget as HTMLCanvasElement).setPointerCapture(event.pointerId);
        last = at(event);
        const { width } = event.currentTarget as HTMLCanvasElement;
        splitting = Math.abs(last[0] - divider.value * width) < 12 * devicePixelRatio;
      }}
      onPointerMove={(event) => {
        const [x, y] = at(event);
        if (last && splitting) {
          divider.value = Math.min(1, Math.max(0, x / (event.currentTarget as HTMLCanvasElement).width));
          draw();
        } else if (last) {
          look(moved(camera, x - last[0], y - last[1]));
          last = [x, y];
        } else point(x, y);
      }}
      onPointerUp={() => {
        last = undefined;
      }}
      onKeyDown={(event) => {
        const work = keys[event.key];
        if (!work || event.ctrlKey || event.metaKey) return;
        event.preventDefault();
        work();
      }}
    />
  );
}
