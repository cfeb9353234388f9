// The save dialog: files in groups, with the programs that open each.

import { useSignal } from "@preact/signals";
import { OUTLINE_WRITERS, USUAL_PARTS } from "@skerry/files/internal";
import { titleOf } from "skerry/internal";
import { type FigurePart, type FigureSettings, figureNow } from "../settings/figure.js";
import { PROPERTIES } from "../settings/objects.js";
import { change, failure, picture, recipe } from "../state/lab.js";
import { toolOf } from "../tools/index.js";
import type { Save } from "../tools/tool.js";
import { Choice, Tick } from "../widgets/fields.js";
import { SAVES } from "../words/dialogs.js";
import { TEXT } from "../words/text.js";

/** Files, grouped by purpose. */
const GROUPS: Readonly<Record<string, readonly Save[]>> = {
  numbers: ["regionsCsv", "regionsJson"],
  pictures: ["result", "distancePicture", "poster", "posterSvg", "seen", "painted", "cutouts"],
  figures: ["figurePng", "figureSvg"],
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

const PARTS = Object.keys(SAVES.parts) as FigurePart[];

/** How figures are drawn: settings of the recipe. */
function FigureFields() {
  const { figure, scale, objects } = recipe.value;
  const { draw = USUAL_PARTS, colourBy, title } = figureNow(figure, objects);
  const set = (next: FigureSettings): void => change({ figure: { ...recipe.value.figure, ...next } }, "figure");
  return (
    <div class="figure">
      {PARTS.map((part) => (
        <Tick
          key={part}
          name={part}
          label={SAVES.parts[part]}
          value={draw.includes(part)}
          change={(is) => {
            const parts = PARTS.filter((each) => (each === part ? is : draw.includes(each)));
            // A recipe has no empty list.
            if (parts.length > 0) set({ draw: parts });
          }}
        />
      ))}
      {!scale && draw.includes("bar") && <p class="hint">{SAVES.withoutScale}</p>}
      <Choice
        {...{ name: "colourBy", label: SAVES.colourBy, value: colourBy ?? "" }}
        options={[
          ["", SAVES.eachOwn] as const,
          ...(objects.rule === "value" ? [["value", SAVES.ofClass] as const] : []),
          ...PROPERTIES.map((name) => [name, titleOf(name)] as const),
        ]}
        change={(name) => set({ colourBy: name === "" ? undefined : name })}
      />
      <label>
        <span>{SAVES.figureTitle}</span>
        <input
          type="text"
          name="title"
          value={title ?? ""}
          onInput={({ currentTarget: { value } }) => set({ title: value === "" ? undefined : value })}
        />
      </label>
    </div>
  );
}

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
            {group === "figures" && <FigureFields />}
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
