// The bar: tools, pictures to open, steps back and forth, and what can be taken away.

import { useRef } from "preact/hooks";
import { canRedo, canUndo } from "../state/history.js";
import { change, others, recipe, step } from "../state/lab.js";
import { openAddress, openFile, openSample } from "../state/open.js";
import { SAMPLES, TOOLS } from "../state/recipe.js";
import { TEXT } from "../text.js";
import { Code } from "./Code.js";
import { Export } from "./Export.js";
import { Help } from "./Help.js";
import { Share } from "./Share.js";

/** Opens whatever the reader gave. */
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
        accept="image/*,.npy,.pgm,.tif,.tiff,.json"
        onChange={(event) => {
          const file = event.currentTarget.files?.[0];
          event.currentTarget.value = "";
          if (file) openFile(file);
        }}
      />
    </>
  );
}

/** Light, dark, or as the system has it. */
function Theme() {
  const turn = (): void => {
    const { style } = document.documentElement;
    const dark = style.colorScheme ? style.colorScheme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    style.colorScheme = dark ? "light" : "dark";
  };
  return (
    <button type="button" class="theme" aria-label={TEXT.theme} title={TEXT.theme} onClick={turn}>
      ◐
    </button>
  );
}

export function Tools() {
  return (
    <nav aria-label={TEXT.tools}>
      {TOOLS.map((tool) => (
        <button
          type="button"
          key={tool}
          aria-pressed={recipe.value.tool === tool}
          onClick={() => recipe.value.tool !== tool && change({ tool }, "tool")}
        >
          {TEXT.tabs[tool]}
        </button>
      ))}
    </nav>
  );
}

export function Steps() {
  return (
    <div class="steps">
      <button type="button" disabled={!canUndo.value} onClick={() => step(true)}>
        {TEXT.undo}
      </button>
      <button type="button" disabled={!canRedo.value} onClick={() => step(false)}>
        {TEXT.redo}
      </button>
    </div>
  );
}

export function Samples() {
  const { source } = recipe.value;
  return (
    <nav class="samples" aria-label={TEXT.samples}>
      {SAMPLES.map((sample) => (
        <button
          type="button"
          key={sample.source}
          data-sample={sample.source}
          aria-label={TEXT.sample(sample.source)}
          title={sample.source}
          aria-pressed={source === sample.source}
          onClick={() => openSample(sample.source)}
        >
          <img src={`./samples/small/${sample.source}.webp`} alt="" width={56} height={42} />
        </button>
      ))}
      {others.value.map((name) => (
        <button type="button" key={name} aria-pressed={source === name} onClick={() => openAddress(name)}>
          {name.split("/").at(-1)}
        </button>
      ))}
    </nav>
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
      <p>{TEXT.invite}</p>
      <Steps />
      <Share />
      <Code />
      <Export />
      <Theme />
      <Help />
    </header>
  );
}
