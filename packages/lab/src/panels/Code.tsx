// Code for the current screen, to be copied.

import { useSignal } from "@preact/signals";
import { recipe } from "../state/lab.js";
import { TEXT } from "../text.js";
import { Dialog } from "./Dialog.js";

function Copied({ name, text }: { name: string; text: string }) {
  return (
    <section>
      <h3>
        {name}
        <button type="button" aria-label={`${TEXT.copy} ${name}`} onClick={() => navigator.clipboard.writeText(text)}>
          {TEXT.copy}
        </button>
      </h3>
      <pre data-testid={name} tabIndex={0}>
        {text}
      </pre>
    </section>
  );
}

export function Code() {
  // Loaded by those who look at it.
  const printer = useSignal<typeof import("../state/code.js") | undefined>(undefined);
  const load = async (): Promise<void> => {
    printer.value = await import("../state/code.js");
  };
  return (
    <Dialog name={TEXT.code} onOpen={load}>
      {printer.value && <Printed {...printer.value} />}
    </Dialog>
  );
}

function Printed({ commandOf, typescriptOf }: typeof import("../state/code.js")) {
  const { text, without } = commandOf(recipe.value);
  return (
    <>
      <Copied name="TypeScript" text={typescriptOf(recipe.value)} />
      <Copied name={TEXT.commandLine} text={text} />
      {without.length > 0 && <p>{TEXT.cannotAll(without.map((what) => TEXT.cannot[what]).join(", "))}</p>}
    </>
  );
}
