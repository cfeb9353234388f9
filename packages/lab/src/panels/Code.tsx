// What is on the screen as code, to be copied.

import { useRef } from "preact/hooks";
import { commandOf, typescriptOf } from "../state/code.js";
import { recipe } from "../state/lab.js";
import { TEXT } from "../text.js";

function Copied({ name, text }: { name: string; text: string }) {
  return (
    <section>
      <h2>
        {name}
        <button type="button" onClick={() => navigator.clipboard.writeText(text)}>
          {TEXT.copy}
        </button>
      </h2>
      <pre data-testid={name}>{text}</pre>
    </section>
  );
}

export function Code() {
  const ref = useRef<HTMLDialogElement>(null);
  return (
    <>
      <button type="button" onClick={() => ref.current?.showModal()}>
        {TEXT.code}
      </button>
      <dialog ref={ref} aria-label={TEXT.code}>
        <Copied name="TypeScript" text={typescriptOf(recipe.value)} />
        <Copied name={TEXT.commandLine} text={commandOf(recipe.value)} />
        <button type="button" onClick={() => ref.current?.close()}>
          {TEXT.close}
        </button>
      </dialog>
    </>
  );
}
