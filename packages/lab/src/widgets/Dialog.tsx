// A dialog under a button: it opens in front of the page, closes with Escape, and returns the focus. Its content is loaded
// when it opens.

import { useSignal } from "@preact/signals";
import type { ComponentType } from "preact";
import { useRef } from "preact/hooks";
import { TEXT } from "../words/text.js";
import { Later } from "./Later.js";

interface Props {
  readonly name: string;
  /** Text on the button, if not the name. */
  readonly sign?: string;
  readonly load: () => Promise<ComponentType>;
}

export function Dialog({ name, sign, load }: Props) {
  const ref = useRef<HTMLDialogElement>(null);
  const isOpen = useSignal(false);
  return (
    <>
      <button
        type="button"
        data-dialog={name}
        aria-label={sign ? name : undefined}
        onClick={() => {
          isOpen.value = true;
          ref.current?.showModal();
        }}
      >
        {sign ?? name}
      </button>
      <dialog
        ref={ref}
        aria-label={name}
        onClose={() => {
          isOpen.value = false;
        }}
      >
        <h2>
          {name}
          <button type="button" onClick={() => ref.current?.close()}>
            {TEXT.close}
          </button>
        </h2>
        {isOpen.value && <Later load={load} />}
      </dialog>
    </>
  );
}
