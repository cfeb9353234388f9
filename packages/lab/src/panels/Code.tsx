// Code to copy that gives what is shown: for Node, for a page, and as a command.

import { useSignal } from "@preact/signals";
import { commandOf, isCommon, typescriptOf } from "../session/code.js";
import { picture, recipe } from "../state/lab.js";
import { CODE } from "../words/dialogs.js";
import { TEXT } from "../words/text.js";

function Copied({ name, text }: { name: string; text: string }) {
  const isCopied = useSignal("");
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(text);
    isCopied.value = text;
  };
  return (
    <section>
      <h3>
        {name}
        <button type="button" aria-label={`${TEXT.copy} ${name}`} onClick={() => void copy()}>
          {isCopied.value === text ? TEXT.copiedShort : TEXT.copy}
        </button>
      </h3>
      <pre data-testid={name} tabIndex={0}>
        {text}
      </pre>
    </section>
  );
}

const HOSTS = ["node", "browser"] as const;

export function Code() {
  const host = useSignal<(typeof HOSTS)[number]>("node");
  const { text, without } = commandOf(recipe.value);
  return (
    <>
      <nav class="tabs" aria-label={CODE.hosts}>
        {HOSTS.map((name) => (
          <button
            type="button"
            key={name}
            aria-pressed={host.value === name}
            onClick={() => {
              host.value = name;
            }}
          >
            {CODE.host[name]}
          </button>
        ))}
      </nav>
      <Copied name="TypeScript" text={typescriptOf(recipe.value, host.value)} />
      <Copied name={TEXT.commandLine} text={text} />
      {host.value === "browser" && picture.value && !isCommon(recipe.value, picture.value) && <p>{CODE.notBytes}</p>}
      {without.length > 0 && <p>{CODE.cannotAll(without.map((what) => CODE.cannot[what]).join(", "))}</p>}
    </>
  );
}
