// The film strip: files of the user's with their thumbnails, numbers and states, what is done with all of them, and the samples.

import { exceptions, keepAll, openSample, openWaiting, shareSettings } from "../session/open.js";
import { SAMPLES } from "../settings/recipe.js";
import { EMBEDDER } from "../state/browser.js";
import { found, opening, others, recipe, type Waiting } from "../state/lab.js";
import { inOrder, isCorrected, marks, showsFiles, takeOut } from "../state/strip.js";
import { toolOf } from "../tools/index.js";
import { Later } from "../widgets/Later.js";
import { TEXT } from "../words/text.js";

const files = async () => (await import("./Files.js")).Files;
const { strip: WORDS } = TEXT;

async function remove(name: string): Promise<void> {
  takeOut(name);
  await keepAll();
}

/** A file: a press shows it. */
function File({ waiting }: { readonly waiting: Waiting }) {
  const { name } = waiting;
  const title = name.split("/").at(-1) ?? name;
  const isShown = recipe.value.source === name;
  const kept = marks.value.get(name) ?? {};
  const count = isShown && toolOf(recipe.value).hasObjects && found.value ? found.value.headline.value : kept.count;
  const isChanged = isShown ? isCorrected(recipe.value) : kept.isCorrected;
  const states = [
    count !== undefined && TEXT.counted(count),
    isChanged && WORDS.corrected,
    exceptions.value.has(name) && TEXT.files.ownSettings,
    kept.failure,
  ].filter(Boolean);
  return (
    <div class="file">
      <button
        type="button"
        aria-pressed={isShown}
        aria-busy={opening.value?.name === title}
        class={kept.failure ? "broken" : undefined}
        title={[title, ...states].join(": ")}
        onClick={() => void openWaiting(waiting)}
      >
        {kept.thumbnail && <img src={kept.thumbnail} alt="" />}
        <span class="filename">{title}</span>
        <span class="state" aria-hidden="true">
          {kept.failure ? "!" : count?.toLocaleString("en")}
          {isChanged && " ✎"}
          {exceptions.value.has(name) && <span class="exception" />}
        </span>
      </button>
      {!isShown && (
        <button type="button" class="takeout" aria-label={WORDS.remove(title)} onClick={() => void remove(name)}>
          ×
        </button>
      )}
    </div>
  );
}

/** Samples are not for a page that shows this one within it, for pictures of its own. */
const OFFERED = EMBEDDER === null ? SAMPLES : [];

export function Strip() {
  const { source } = recipe.value;
  const count = others.value.filter(({ file }) => file).length;
  return (
    <>
      {showsFiles.value && count > 1 && (
        <section class="allfiles" aria-label={TEXT.files.name}>
          <h2>
            {TEXT.files.name}
            <button
              type="button"
              onClick={() => {
                showsFiles.value = false;
              }}
            >
              {TEXT.close}
            </button>
          </h2>
          <Later load={files} />
        </section>
      )}
      <nav class="samples" data-bar aria-label={TEXT.samples}>
        {count > 1 && (
          <div class="forall">
            <button
              type="button"
              aria-expanded={showsFiles.value}
              onClick={() => {
                showsFiles.value = !showsFiles.value;
              }}
            >
              {TEXT.files.name}
            </button>
            <button type="button" disabled={exceptions.value.size === 0} onClick={() => void shareSettings()}>
              {TEXT.files.share(count)}
            </button>
          </div>
        )}
        <div class="thumbs">
          {/* The user's own pictures come first. */}
          {inOrder(others.value).map((waiting) => (
            <File key={waiting.name} waiting={waiting} />
          ))}
          {OFFERED.map((sample) => (
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
        </div>
      </nav>
    </>
  );
}
