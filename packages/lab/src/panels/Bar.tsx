// The bar: tools, the button that opens files, undo and redo, and the dialogs to share, copy and save.

import { useRef } from "preact/hooks";
import { openFiles } from "../session/open.js";
import { TOOL_NAMES } from "../settings/recipe.js";
import { EMBEDDER, readText, writeText } from "../state/browser.js";
import { canRedo, canUndo } from "../state/history.js";
import { changeTool, recipe, step } from "../state/lab.js";
import { TOOLS } from "../tools/index.js";
import { Dialog } from "../widgets/Dialog.js";
import { TEXT } from "../words/text.js";

const code = async () => (await import("./Code.js")).Code;
const share = async () => (await import("./Share.js")).Share;
const save = async () => (await import("./Export.js")).Export;
const help = async () => (await import("./Help.js")).Help;

/** The button that opens files of the user's. */
export function Open() {
  const ref = useRef<HTMLInputElement>(null);
  return (
    <>
      <button type="button" data-open onClick={() => ref.current?.click()}>
        {TEXT.open}
      </button>
      <input
        ref={ref}
        type="file"
        hidden
        multiple
        accept="image/*,.npy,.npz,.pgm,.ppm,.tif,.tiff,.nii,.gz,.nrrd,.nhdr,.raw,.mha,.mhd,.zraw,.hdr,.img,.mgh,.mgz,.dcm,.zip,.ozx,.json,.xml"
        onChange={(event) => {
          openFiles([...(event.currentTarget.files ?? [])]);
          event.currentTarget.value = "";
        }}
      />
    </>
  );
}

const THEME = "skerry:theme";

/** Applies the theme that was chosen on an earlier visit. */
export function restoreTheme(): void {
  const kept = readText("localStorage", THEME);
  if (kept === "light" || kept === "dark") document.documentElement.style.colorScheme = kept;
}

/** The button that switches between light and dark; at first the system decides. */
function Theme() {
  const turn = (): void => {
    const { style } = document.documentElement;
    const dark = style.colorScheme ? style.colorScheme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    style.colorScheme = dark ? "light" : "dark";
    writeText("localStorage", THEME, style.colorScheme);
  };
  return (
    <button type="button" class="theme" aria-label={TEXT.theme} title={TEXT.theme} onClick={turn}>
      ◐
    </button>
  );
}

export function Tools() {
  const { tool: current } = recipe.value;
  return (
    <nav aria-label={TEXT.tools}>
      {TOOL_NAMES.map((name) => (
        <button
          type="button"
          key={name}
          title={TEXT.tips.tools[name]}
          aria-pressed={current === name}
          onClick={() => changeTool(name, TOOLS[name].divider)}
        >
          {TEXT.tabs[name]}
        </button>
      ))}
    </nav>
  );
}

export function Steps() {
  return (
    <div class="steps">
      <button type="button" aria-label={TEXT.undo} disabled={!canUndo.value} onClick={() => step(true)}>
        <span class="word">{TEXT.undo}</span>
        <span class="sign">↶</span>
      </button>
      <button type="button" aria-label={TEXT.redo} disabled={!canRedo.value} onClick={() => step(false)}>
        <span class="word">{TEXT.redo}</span>
        <span class="sign">↷</span>
      </button>
    </div>
  );
}

export function Bar() {
  const { source } = recipe.value;
  return (
    <header>
      <h1>{TEXT.title}</h1>
      <span class="source">{source.split("/").at(-1)}</span>
      <Open />
      <Tools />
      <p>{TEXT.invite(EMBEDDER)}</p>
      <Steps />
      <Dialog name={TEXT.share} load={share} />
      <Dialog name={TEXT.code} load={code} />
      <Dialog name={TEXT.save} load={save} />
      <Theme />
      <Dialog name={TEXT.help} sign="?" load={help} />
    </header>
  );
}
