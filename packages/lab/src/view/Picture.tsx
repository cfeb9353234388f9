// The picture: a canvas that handles pointers and keys, with the buttons of the view over it.

import { useEffect, useRef } from "preact/hooks";
import { imagesOf } from "../files/opened.js";
import { CompareButtons, Counts } from "../panels/Compare.js";
import { ScaleBar } from "../panels/ScaleBar.js";
import { start } from "../session/open.js";
import { session } from "../state/engine.js";
import { band, divider, failure, look, opacity, opening, picture, progress, seesChannel, zoom } from "../state/lab.js";
import { Later } from "../widgets/Later.js";
import { TEXT } from "../words/text.js";
import { Overlay } from "./Overlay.js";
import { Pointer } from "./pointer.js";
import { Screen, showBench } from "./screen.js";

/** The box that is drawn to select the objects in it. */
function Band({ box: [left, top, width, height] }: { box: readonly number[] }) {
  return (
    <div class="band" style={{ left: `${left}px`, top: `${top}px`, width: `${width}px`, height: `${height}px` }} />
  );
}

const LOOKS = ["colours", "outlines", "original"] as const;

/** How the result is drawn over the picture. */
function Look() {
  return (
    <fieldset class="look" data-bar>
      <legend class="spoken">{TEXT.look}</legend>
      {LOOKS.map((name) => (
        <button
          type="button"
          key={name}
          aria-pressed={look.value === name}
          title={name === "original" ? TEXT.tips.original : undefined}
          onClick={() => {
            look.value = name;
          }}
        >
          {TEXT.looks[name]}
        </button>
      ))}
      {(picture.value?.channels ?? 1) > 1 && (
        <button
          type="button"
          name="channelSeen"
          aria-pressed={seesChannel.value}
          title={TEXT.tips.seesChannel}
          onClick={() => {
            seesChannel.value = !seesChannel.value;
          }}
        >
          {TEXT.seesChannel}
        </button>
      )}
      <CompareButtons />
      <input
        type="range"
        name="opacity"
        aria-label={TEXT.opacity}
        title={TEXT.opacity}
        min={0}
        max={100}
        value={Math.round(opacity.value * 100)}
        onInput={(event) => {
          opacity.value = event.currentTarget.valueAsNumber / 100;
        }}
      />
    </fieldset>
  );
}

const images = async () => (await import("../panels/Images.js")).Images;

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
      const [columns, rows] = [width, height].map((side) => Math.max(1, Math.round(side * devicePixelRatio)));
      if (columns !== canvas.width || rows !== canvas.height) screen.resize(columns, rows);
    };
    const screen = new Screen(canvas, gl);
    showBench(screen);
    resize();
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
        onPointerCancel={(event) => pointer.current?.cancel(event)}
        onPointerLeave={() => pointer.current?.leave()}
        onDblClick={(event) => pointer.current?.doubleClick(event)}
        onKeyDown={(event) => pointer.current?.key(event)}
        onKeyUp={(event) => pointer.current?.keyUp(event)}
      />
      <div class="line" style={{ left: `${100 * divider.value}%` }} />
      <Counts />
      <div class="crosshair" hidden />
      <Overlay />
      {band.value && <Band box={band.value} />}
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
      <div class="over">
        <Look />
        {picture.value && imagesOf(picture.value).length > 0 && <Later load={images} />}
      </div>
      <div class="zoom" data-bar>
        <ScaleBar />
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
      {opening.value && (
        <div class="progress" role="status" aria-busy="true">
          {TEXT.opening(opening.value.name)}
          <progress aria-label={TEXT.working} />
          <button type="button" onClick={opening.value.cancel}>
            {TEXT.cancel}
          </button>
        </div>
      )}
      {progress.value !== undefined && !opening.value && (
        <div class="progress">
          <progress value={progress.value} max={1} aria-label={TEXT.working} />
          <button type="button" onClick={() => session.follower?.cancel()}>
            {TEXT.cancel}
          </button>
        </div>
      )}
    </>
  );
}
