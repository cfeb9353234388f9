// Keys that work wherever the focus is, except in text and number fields.

import { peeks, recipe, step } from "../state/lab.js";
import { showsFiles } from "../state/strip.js";
import { fenceOfSelection, toolOf } from "../tools/index.js";
import { takeFence } from "../widgets/FenceButtons.js";
import { TEXT } from "../words/text.js";

const press = (selector: string): void => document.querySelector<HTMLElement>(selector)?.click();

const KEYS: Record<string, () => void> = {
  f: () => takeFence(fenceOfSelection),
  o: () => press("[data-open]"),
  s: () => press(`[data-dialog="${TEXT.save}"]`),
  "?": () => press(`[data-dialog="${TEXT.help}"]`),
};

/** Does what a key is for; keys of the tool come first. */
function down(event: KeyboardEvent): void {
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  const commands = event.ctrlKey || event.metaKey;
  const typing = event.target instanceof HTMLInputElement && ["number", "text"].includes(event.target.type);
  if (commands && (key === "z" || key === "y")) {
    event.preventDefault();
    step(key === "z" && !event.shiftKey);
    return;
  }
  if (event.altKey || typing || event.defaultPrevented || document.querySelector("dialog[open]")) return;
  if (key === "b" && !commands) {
    peeks.value = true;
    return;
  }
  // A panel that covers the picture goes first.
  if (key === "Escape" && showsFiles.value) {
    showsFiles.value = false;
    return;
  }
  const work =
    toolOf(recipe.value).gestures.keys[commands ? `Control+${key}` : key] ?? (commands ? undefined : KEYS[key]);
  if (!work) return;
  event.preventDefault();
  work();
}

export function listenToKeys(): void {
  addEventListener("keydown", down);
  addEventListener("keyup", (event) => {
    if (event.key.toLowerCase() === "b") peeks.value = false;
  });
  addEventListener("blur", () => {
    peeks.value = false;
  });
}
