// The recipe as a link.

import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { hashOf } from "../session/url.js";
import { sampleNamed } from "../settings/recipe.js";
import { done, recipe } from "../state/lab.js";
import { SHARE } from "../words/dialogs.js";
import { TEXT } from "../words/text.js";
import { Presets } from "./Presets.js";

export function Share() {
  const hash = useSignal<string | undefined>(undefined);
  const isMade = useSignal(false);
  const shown = recipe.value;
  useEffect(() => {
    hashOf(shown).then((link) => {
      hash.value = link;
      isMade.value = true;
    });
  }, [shown]);
  if (!isMade.value) return null;
  const { source } = shown;
  const fetched = sampleNamed(source) !== undefined || new URLSearchParams(location.search).has("open");
  const link =
    hash.value === undefined ? undefined : `${location.origin}${location.pathname}${location.search}${hash.value}`;
  return (
    <>
      {link ? (
        <label class="link">
          {SHARE.link}
          <input type="text" name="link" readOnly value={link} onFocus={(event) => event.currentTarget.select()} />
          <button
            type="button"
            onClick={async () => {
              await navigator.clipboard.writeText(link);
              done.value = SHARE.copiedLink;
            }}
          >
            {TEXT.copy}
          </button>
        </label>
      ) : (
        <p>{SHARE.linkLong}</p>
      )}
      {!fetched && <p>{SHARE.needs(source)}</p>}
      <Presets />
    </>
  );
}
