// The page within another page, as ./?embed=ORIGIN: a picture or a recipe comes in by messages of the window around it, and results and
// recipes go out. Messages of other windows, or of another origin than the address names, are not read; answers go to that origin alone.
//
//     to the page                                              its answers
//     { skerry: 1, id, file: Blob | bytes, name }              { skerry: 1, id, picture: { name, width, height, channels, notes } }
//     { skerry: 1, id, recipe }                                { skerry: 1, id, recipe, notes }
//     { skerry: 1, id, results: ["labels", "regions", ...] }   { skerry: 1, id, arrays, facts, recipe }
//
// What fails is answered by { skerry: 1, id, error: { name, message } }. Without a request come { skerry: 1, ready: true }, once, and
// { skerry: 1, source, recipe, count } after each result.

import { BY_VALUE, OF_OBJECTS, productsOfObjects, type Served } from "@skerry/recipe/internal";
import type { PixelArray } from "skerry";
import { session, settled } from "../state/engine.js";
import { failure, found, picture, recipe } from "../state/lab.js";
import { savedOf, tableOptions, toolOf } from "../tools/index.js";
import { TEXT } from "../words/text.js";
import { givenNow } from "./results.js";

/** How the page opens files, and takes recipes. */
interface Opener {
  readonly open: (file: File) => Promise<void>;
  readonly take: (recipe: unknown) => Promise<void>;
}

interface Asked {
  readonly id?: unknown;
  readonly file?: unknown;
  readonly name?: unknown;
  readonly recipe?: unknown;
  readonly results?: unknown;
}

/** Listens to the window around this one, if it is of the origin. */
export function embedIn(origin: string, opener: Opener): void {
  const around = window.parent;
  const isAlone = around === window;
  const expected = originOf(origin);
  if (isAlone || expected === undefined) {
    failure.value = { text: TEXT.failures.embed(origin) };
    return;
  }
  const send = (message: object): void => around.postMessage({ skerry: 1, ...message }, expected);
  // One after another: a request that follows a picture is about it.
  let turn: Promise<void> = Promise.resolve();
  addEventListener("message", ({ source, origin: from, data }) => {
    if (source !== around || from !== expected || Object(data).skerry !== 1) return;
    const asked = data as Asked;
    turn = turn.then(async () => {
      try {
        send({ id: asked.id, ...(await answer(asked, opener)) });
      } catch (error) {
        const { name = "Error", message = String(error) } = Object(error) as Error;
        send({ id: asked.id, error: { name, message } });
      }
    });
  });
  let told = "";
  settled.subscribe((isSettled) => {
    if (!isSettled || picture.value === undefined) return;
    const saved = savedOf(recipe.value);
    const state = JSON.stringify([recipe.value.source, saved, found.value?.headline.value]);
    if (state === told) return;
    told = state;
    send({ source: recipe.value.source, recipe: saved, count: found.value?.headline.value });
  });
  send({ ready: true });
}

/** The origin that an address names; undefined for other text. */
function originOf(text: string): string | undefined {
  try {
    const { origin } = new URL(text);
    // Origins of files and of schemes that browsers do not know are "null", which every such page has.
    return origin === "null" ? undefined : origin;
  } catch {
    return undefined;
  }
}

async function answer(asked: Asked, { open, take }: Opener): Promise<object> {
  const { file, name, recipe: saved, results } = asked;
  if (file !== undefined) return { picture: await opened(file, name, open) };
  if (saved !== undefined) {
    await take(saved);
    const notes = notesNow();
    await whenSettled();
    return { recipe: savedOf(recipe.value), notes };
  }
  if (results !== undefined) return resultsNow(results);
  throw new Error("Expected a message with file, recipe or results, got none of these.");
}

/** Opens a picture that came as a file. */
async function opened(file: unknown, name: unknown, open: Opener["open"]): Promise<object> {
  if (!(file instanceof Blob || file instanceof ArrayBuffer || ArrayBuffer.isView(file))) {
    throw new Error("Expected file to be a Blob, an ArrayBuffer or its view.");
  }
  if (typeof name !== "string" || name === "")
    throw new Error("Expected name to be the name of a file, such as a.npy.");
  const before = picture.value;
  failure.value = undefined;
  await open(new File([file as BlobPart], name));
  const { value } = picture;
  const notes = notesNow();
  if (value === undefined || value === before) throw new Error(notes[0] ?? `${name} was not opened.`);
  await whenSettled();
  const { width, height, channels } = value;
  return { name, width, height, channels, notes };
}

/** The page's words on the last picture or recipe. */
const notesNow = (): string[] => (failure.value ? [failure.value.text] : []);

/** The results of what is shown. */
async function resultsNow(given: unknown): Promise<object> {
  const wrong = Array.isArray(given) ? given.find((name) => !OF_OBJECTS.includes(name)) : given;
  if (wrong !== undefined) throw new Error(`Expected results out of ${OF_OBJECTS.join(", ")}, got ${String(wrong)}.`);
  await whenSettled();
  const shown = recipe.value;
  const { engine } = session;
  const context = await givenNow();
  const saved = context && (await toolOf(shown).components?.(context, shown));
  if (!engine || !saved) throw new Error("Expected a picture and a tool that finds objects, for results, got none.");
  const { components, plane } = saved;
  const taken: PixelArray[] = [];
  try {
    const table = tableOptions(shown, plane);
    const { arrays, facts } = await productsOfObjects(engine, components, given as Served[], { table, taken });
    return { arrays: await BY_VALUE.write(arrays, {}), facts, recipe: savedOf(shown) };
  } finally {
    components.dispose();
    for (const array of taken) engine.free(array);
  }
}

/** Resolves once the result belongs to the settings; at once without a picture, which has none. */
function whenSettled(): Promise<void> {
  if (settled.value || picture.value === undefined) return Promise.resolve();
  return new Promise((resolve) => {
    const end = settled.subscribe((isSettled) => {
      if (!isSettled) return;
      end();
      resolve();
    });
  });
}
