// What is on the screen as code, to be copied.

import { commandOf, typescriptOf } from "../state/code.js";
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
  const { text, without } = commandOf(recipe.value);
  return (
    <Dialog name={TEXT.code}>
      <Copied name="TypeScript" text={typescriptOf(recipe.value)} />
      <Copied name={TEXT.commandLine} text={text} />
      {without.length > 0 && <p>{TEXT.cannotAll(without.map((what) => TEXT.cannot[what]).join(", "))}</p>}
    </Dialog>
  );
}
