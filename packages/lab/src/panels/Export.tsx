// Export dialog.

import { useSignal } from "@preact/signals";
import { OUTLINE_WRITERS } from "@skerry/files";
import type { Save } from "../files/save.js";
import { failure, picture, recipe } from "../state/lab.js";
import { TEXT } from "../text.js";
import { Dialog } from "./Dialog.js";

export function Export() {
  const busy = useSignal("");
  const run = async (what: Save): Promise<void> => {
    busy.value = what;
    try {
      // Writers are loaded by those who save.
      const { save } = await import("../files/save.js");
      await save(what);
    } catch (error) {
      failure.value = { text: TEXT.failures.call((error as Error).message) };
    } finally {
      busy.value = "";
    }
  };
  const { tool, fill } = recipe.value;
  const isFilled = fill.strokes.length + fill.coats.length > 0;
  const outlines = Object.entries(OUTLINE_WRITERS).map(
    ([ending, { title }]) => [`outlines${ending}`, TEXT.outlines(title, ending)] as const,
  );
  const all = [...Object.entries(TEXT.saves), ...outlines] as [Save, string][];
  return (
    <Dialog name={TEXT.save}>
      <div class="saves">
        {all
          .filter(([what]) => what !== "painted" || tool === "fill")
          .filter(([what]) => what !== "recipe" || tool === "objects" || isFilled)
          .map(([what, text]) => (
            <button
              type="button"
              key={what}
              data-save={what}
              disabled={!picture.value || busy.value !== ""}
              onClick={() => run(what)}
            >
              {text}
            </button>
          ))}
      </div>
    </Dialog>
  );
}
