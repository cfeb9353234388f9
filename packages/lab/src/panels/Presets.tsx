// Settings under a name: kept in the browser, as a link, and as the file that `skerry run` executes.

import { signal, useSignal } from "@preact/signals";
import type { Recipe as SavedRecipe } from "@skerry/recipe";
import { takeSettings } from "../session/open.js";
import { hashOf } from "../session/url.js";
import { readText, writeText } from "../state/browser.js";
import { hand } from "../state/download.js";
import { done, failure, recipe } from "../state/lab.js";
import { carriedOf, savedOf } from "../tools/index.js";
import { SHARE } from "../words/dialogs.js";
import { TEXT } from "../words/text.js";

const { presets: WORDS } = SHARE;
const KEY = "skerry:presets";

interface Preset {
  readonly name: string;
  readonly recipe: SavedRecipe;
}

function read(): readonly Preset[] {
  try {
    const kept: unknown = JSON.parse(readText("localStorage", KEY) ?? "[]");
    return Array.isArray(kept) ? kept : [];
  } catch {
    return [];
  }
}

const presets = signal<readonly Preset[]>(read());

function write(next: readonly Preset[]): void {
  presets.value = next;
  writeText("localStorage", KEY, JSON.stringify(next));
}

/** The settings without positions in the picture. */
function presetNow(): SavedRecipe | undefined {
  const { within: _, ...settings } = recipe.value;
  return savedOf({ ...settings, ...carriedOf(settings) });
}

async function settingsOf(saved: SavedRecipe) {
  const { settingsOf: read } = await import("../settings/from-saved.js");
  return { ...recipe.value, ...read(saved) };
}

async function use({ recipe: saved }: Preset): Promise<void> {
  try {
    takeSettings(await settingsOf(saved), "preset");
  } catch (error) {
    failure.value = { text: TEXT.failures.recipe((error as Error).message) };
  }
}

async function copyLink({ recipe: saved }: Preset): Promise<void> {
  const hash = await hashOf(await settingsOf(saved));
  if (hash === undefined) failure.value = { text: SHARE.linkLong };
  else {
    await navigator.clipboard.writeText(`${location.origin}${location.pathname}${hash}`);
    done.value = SHARE.copiedLink;
  }
}

function saveFile({ name, recipe: saved }: Preset): void {
  const file = `${name.replace(/[^\w.-]+/g, "-")}.json`;
  hand(new Blob([`${JSON.stringify(saved, undefined, 2)}\n`]), file);
  done.value = TEXT.saved(file);
}

export function Presets() {
  const name = useSignal("");
  const now = presetNow();
  return (
    <section class="presets">
      <h3>{WORDS.title}</h3>
      <form
        class="row"
        onSubmit={(event) => {
          event.preventDefault();
          const title = name.value.trim();
          if (!title || !now) return;
          write([{ name: title, recipe: now }, ...presets.value.filter((each) => each.name !== title)]);
          name.value = "";
        }}
      >
        <input
          type="text"
          name="preset"
          maxLength={60}
          aria-label={WORDS.name}
          placeholder={WORDS.name}
          value={name.value}
          onInput={(event) => {
            name.value = event.currentTarget.value;
          }}
        />
        <button type="submit" disabled={!now || name.value.trim() === ""}>
          {WORDS.save}
        </button>
      </form>
      {!now && <p class="hint">{WORDS.none}</p>}
      <ul>
        {presets.value.map((preset) => (
          <li key={preset.name} class="row">
            <span class="grow">{preset.name}</span>
            <button type="button" onClick={() => void use(preset)}>
              {WORDS.use}
            </button>
            <button type="button" onClick={() => void copyLink(preset)}>
              {SHARE.link}
            </button>
            <button type="button" onClick={() => saveFile(preset)}>
              .json
            </button>
            <button
              type="button"
              class="reset"
              aria-label={WORDS.forget(preset.name)}
              onClick={() => write(presets.value.filter((each) => each !== preset))}
            >
              ×
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
