// A dialog under a button: it opens in front of the page, closes with Escape, and gives the focus back.

import type { ComponentChildren } from "preact";
import { useRef } from "preact/hooks";
import { TEXT } from "../text.js";

interface Props {
  readonly name: string;
  /** Text on the button, if not the name. */
  readonly sign?: string;
  readonly children: ComponentChildren;
  readonly onOpen?: () => void;
}

export function Dialog({ name, sign, children, onOpen }: Props) {
  const ref = useRef<HTMLDialogElement>(null);
  return (
    <>
      <button
        type="button"
        data-dialog={name}
        aria-label={sign ? name : undefined}
        onClick={() => {
          onOpen?.();
          ref.current?.showModal();
        }}
      >
        {sign ?? name}
      </button>
      <dialog ref={ref} aria-label={name}>
        <h2>
          {name}
          <button type="button" onClick={() => ref.current?.close()}>
            {TEXT.close}
          </button>
        </h2>
        {children}
      </dialog>
    </>
  );
}
