// The save dialog: files in groups, with the programs that open each.

import { useSignal } from "@preact/signals";
import { OUTLINE_WRITERS } from "@skerry/files/internal";
import { failure, picture, recipe } from "../state/lab.js";
import { toolOf } from "../tools/index.js";
import type { Save } from "../tools/tool.js";
import { SAVES } from "../words/dialogs.js";
import { TEXT } from "../words/text.js";

/** Files, grouped by purpose. */
const GROUPS: Readonly<Record<string, readonly Save[]>> = {
  numbers: ["regionsCsv", "regionsJson"],
  pictures: ["result", "numbered", "distancePicture", "poster", "posterSvg", "seen", "painted", "cutouts"],
  masks: ["mask", "labels", "coco"],
  values: ["distanceNpy", "distanceTiff", "circles", "classes", "palette"],
  outlines: Object.keys(OUTLINE_WRITERS).map((ending) => `outlines${ending}`),
  settings: ["recipe"],
};

const textOf = (what: Save): string => {
  const ending = what.replace(/^outlines/, "");
  const writer = OUTLINE_WRITERS[ending];
  return writer ? SAVES.outlines(writer.title, ending) : (SAVES.saves[what] ?? what);
};

export function Export() {
  const busy = useSignal("");
  const run = async (what: Save): Promise<void> => {
    busy.value = what;
    try {
      // Writers are loaded on the first save.
      const { save } = await import("../session/save.js");
      await save(what);
    } catch (error) {
      failure.value = { text: TEXT.failures.call((error as Error).message) };
    } finally {
      busy.value = "";
    }
  };
  const allowed = toolOf(recipe.value).saves(recipe.value);
  return (
    <div class="saves">
      {Object.entries(GROUPS).map(([group, all]) => {
        const shown = all.filter(
          (what) => (what.startsWith("outlines") && allowed.includes("labels")) || allowed.includes(what),
        );
        if (shown.length === 0) return null;
        return (
          <section key={group}>
            <h3>{SAVES.groups[group]}</h3>
            {shown.map((what) => (
              <button
                type="button"
                key={what}
                data-save={what}
                disabled={!picture.value || busy.value !== ""}
                onClick={() => run(what)}
              >
                {textOf(what)}
                <small>{SAVES.opens[what]}</small>
              </button>
            ))}
          </section>
        );
      })}
    </div>
  );
}
