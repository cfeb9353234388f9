// The side of the page with the controls. On a phone it is a sheet over the picture: its grip is dragged, and it rests at three heights.

import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useRef } from "preact/hooks";
import { stale } from "../state/lab.js";
import { TEXT } from "../words/text.js";

/**
 * Heights at which the sheet rests, as fractions of the window's height and at least LEAST_POINTS CSS pixels: only the
 * numbers, the first settings, almost everything.
 */
const LEAST_POINTS = 116;
const HEIGHTS = [0, 0.38, 0.76] as const;
/** A press of the grip that moves by fewer CSS pixels is no drag, but sets the next height. */
const STILL_POINTS = 8;

const pointsOf = (height: (typeof HEIGHTS)[number]): number => Math.max(LEAST_POINTS, height * innerHeight);

export function Sheet({ children }: { readonly children: ComponentChildren }) {
  const rest = useSignal(1);
  const ref = useRef<HTMLElement>(null);
  const drag = useRef<{ readonly y: number; readonly height: number; moved: boolean } | undefined>(undefined);
  const end = (): void => {
    const aside = ref.current as HTMLElement;
    const { moved } = drag.current ?? {};
    drag.current = undefined;
    const height = aside.clientHeight;
    aside.classList.remove("dragged");
    aside.style.height = "";
    if (!moved) return;
    const ways = HEIGHTS.map((each) => Math.abs(pointsOf(each) - height));
    rest.value = ways.indexOf(Math.min(...ways));
  };
  return (
    <aside ref={ref} data-sheet={rest.value} class={stale.value ? "stale" : undefined}>
      <button
        type="button"
        class="grip"
        aria-label={TEXT.sheet}
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId);
          drag.current = { y: event.clientY, height: ref.current?.clientHeight ?? 0, moved: false };
        }}
        onPointerMove={(event) => {
          const { current } = drag;
          const by = (current?.y ?? 0) - event.clientY;
          if (!current || (!current.moved && Math.abs(by) < STILL_POINTS)) return;
          current.moved = true;
          const aside = ref.current as HTMLElement;
          aside.classList.add("dragged");
          const height = Math.min(innerHeight * 0.85, Math.max(LEAST_POINTS, current.height + by));
          aside.style.height = `${height}px`;
        }}
        onPointerUp={(event) => {
          // A click event follows every drag, but only keys and taps set the next height.
          if (drag.current?.moved) event.currentTarget.addEventListener("click", stop, { once: true, capture: true });
          end();
        }}
        onPointerCancel={end}
        onClick={() => {
          rest.value = (rest.value + 1) % HEIGHTS.length;
        }}
      />
      {children}
    </aside>
  );
}

const stop = (event: Event): void => event.stopImmediatePropagation();
