// The recipe as a link.

import { recipe } from "../state/lab.js";
import { SAMPLES } from "../state/recipe.js";
import { hashOf } from "../state/url.js";
import { TEXT } from "../text.js";
import { Dialog } from "./Dialog.js";

export function Share() {
  const hash = hashOf(recipe.value);
  const { source, within } = recipe.value;
  const fetched =
    SAMPLES.some((sample) => sample.source === source) || new URLSearchParams(location.search).has("open");
  const link = hash === undefined ? undefined : `${location.origin}${location.pathname}${location.search}${hash}`;
  return (
    <Dialog name={TEXT.share}>
      {link ? (
        <label class="link">
          {TEXT.link}
          <input type="text" name="link" readOnly value={link} onFocus={(event) => event.currentTarget.select()} />
          <button type="button" onClick={() => navigator.clipboard.writeText(link)}>
            {TEXT.copy}
          </button>
        </label>
      ) : (
        <p>{TEXT.linkLong}</p>
      )}
      {!fetched && <p>{TEXT.linkNeeds(source)}</p>}
      {within && <p>{TEXT.linkFenceless}</p>}
    </Dialog>
  );
}
