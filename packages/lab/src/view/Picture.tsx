// The picture: a canvas that pointers and keys work on, with the buttons of the view over it.

import { useEffect, useRef } from "preact/hooks";
import { cancel } from "../state/follow.js";
import { divider, failure, picture, progress, zoom } from "../state/lab.js";
import { start } from "../state/open.js";
import { TEXT } from "../text.js";
import { Pointer } from "./pointer.js";
import { Screen, setScreen, theScreen } from "./screen.js";

export function Picture() {
  const ref = useRef<HTMLCanvasElement>(null);
  const pointer = useRef<Pointer | undefined>(undefined);
  useEffect(() => {
    const canvas = ref.current as HTMLCanvasElement;
    const gl = canvas.getContext("webgl2", {
      alpha: false,
      antialias: false,
      depth: false,
      preserveDrawingBuffer: true,
    });
    if (!gl) {
      failure.value = { text: TEXT.failures.webgl };
      return;
    }
    const resize = (): void => {
      const { width, height } = canvas.getBoundingClientRect();
      canvas.width = Math.max(1, Math.round(width * devicePixelRatio));
      canvas.height = Math.max(1, Math.round(height * devicePixelRatio));
      if (picture.value) theScreen()?.fit();
    };
    resize();
    const screen = new Screen(canvas, gl);
    setScreen(screen);
    pointer.current = new Pointer(screen);
    canvas.addEventListener("wheel", (event) => pointer.current?.wheel(event), { passive: false });
    new ResizeObserver(resize).observe(canvas);
    start(screen);
  }, []);

  const zoomBy = (key: string) => () => pointer.current?.key(new KeyboardEvent("keydown", { key }));
  return (
    <>
      <canvas
        ref={ref}
        class="picture"
        role="application"
        aria-label={TEXT.picture}
        tabIndex={0}
        onPointerDown={(event) => pointer.current?.down(event)}
        onPointerMove={(event) => pointer.current?.move(event)}
        onPointerUp={(event) => pointer.current?.up(event)}
        onPointerCancel={(event) => pointer.current?.up(event)}
        onPointerLeave={() => pointer.current?.leave()}
        onDblClick={(event) => pointer.current?.doubleClick(event)}
        onKeyDown={(event) => pointer.current?.key(event)}
        onKeyUp={(event) => pointer.current?.keyUp(event)}
      />
      <div class="line" style={{ left: `${100 * divider.value}%` }} />
      <div class="crosshair" hidden />
      <input
        class="divider"
        type="range"
        name="divider"
        aria-label={TEXT.compare}
        min={0}
        max={100}
        value={Math.round(divider.value * 100)}
        onInput={(event) => {
          divider.value = event.currentTarget.valueAsNumber / 100;
        }}
      />
      <div class="zoom">
        <button type="button" aria-label={TEXT.zoomOut} onClick={zoomBy("-")}>
          −
        </button>
        <span>{zoom.value} %</span>
        <button type="button" aria-label={TEXT.zoomIn} onClick={zoomBy("+")}>
          +
        </button>
        <button type="button" onClick={zoomBy("0")}>
          {TEXT.fit}
        </button>
      </div>
      {progress.value !== undefined && (
        <div class="progress">
          <progress value={progress.value} max={1} aria-label={TEXT.threshold} />
          <button type="button" onClick={cancel}>
            {TEXT.cancel}
          </button>
        </div>
      )}
    </>
  );
}
