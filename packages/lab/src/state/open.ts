// Pictures are opened: samples, files and addresses, with the settings that suit them or those of a link.

import { DeviceLost } from "skerry";
import { Resident } from "../engine/devices.js";
import { type Opened, Refused } from "../files/decode.js";
import { openImage } from "../files/open.js";
import { TEXT } from "../text.js";
import { countLevels } from "../tools/objects.js";
import { dropResults, failed, type Shower, showPicture, showWith, tellSettled } from "./follow.js";
import { forget } from "./history.js";
import { apply, change, choice, failure, hasGpu, level, levels, others, picture, recipe } from "./lab.js";
import { FILL, OBJECTS, type Recipe, recipeFor, SAMPLES } from "./recipe.js";
import { hasAdapter, openEngine, session } from "./session.js";
import type { Read } from "./settings.js";
import { type Linked, linkedOf } from "./url.js";

/** Starts the engine, and opens what the address names, or the galaxies. */
export async function start(shown: Shower): Promise<void> {
  showWith(shown);
  const search = new URLSearchParams(location.search);
  const wanted = search.get("device");
  if (wanted === "gpu" || wanted === "cpu") choice.value = wanted;
  hasGpu.value = await hasAdapter(wanted === "gpu");
  if (!(await openEngine())) return;
  const named = await linkedOf(location.hash);
  const files = search.getAll("open");
  others.value = files;
  if (files[0]) {
    await openAddress(files[0], named);
    return;
  }
  const sample = SAMPLES.find(({ source }) => source === (named?.settings.source ?? "galaxies"));
  if (sample) await openSample(sample.source, named);
  else {
    await openSample("galaxies");
    failure.value = { text: TEXT.failures.named(named?.settings.source ?? "") };
    waitingFor = named;
  }
}

/** The recipe of a link whose file the reader has yet to open. */
let waitingFor: Linked | undefined;

/** Runs `work`; until it is done the result counts as not settled. */
async function whileOpening(work: () => Promise<void>): Promise<void> {
  session.opening++;
  tellSettled();
  try {
    await work();
  } finally {
    session.opening--;
    tellSettled();
  }
}

/** Opens a sample with the settings that suit it, or with others. */
export const openSample = (source: string, linked?: Linked): Promise<void> =>
  whileOpening(() => fetchSample(source, linked));

async function fetchSample(source: string, linked: Linked | undefined): Promise<void> {
  const sample = SAMPLES.find((each) => each.source === source);
  if (!sample) return;
  let blob: Blob;
  try {
    const response = await fetch(`./samples/${sample.file}`);
    if (!response.ok) throw new Error(response.statusText);
    blob = await response.blob();
  } catch {
    failure.value = { text: TEXT.failures.sample(source) };
    return;
  }
  const chooses = sample.otsu ? "polarity" : undefined;
  await show(blob, source, linked?.settings ?? recipeFor(sample), linked ? linked.chooses : chooses);
}

/** Opens a file of the reader's. */
export async function openFile(file: File, shrink = 1): Promise<void> {
  if (/\.json$/i.test(file.name)) {
    await openRecipe(file);
    return;
  }
  const wanted = waitingFor?.settings.source === file.name ? waitingFor : undefined;
  waitingFor = undefined;
  const chooses = wanted ? wanted.chooses : "polarity";
  await whileOpening(() => show(file, file.name, wanted?.settings ?? ownRecipe(file.name, shrink), chooses));
}

/** Applies a recipe to the picture that is open. */
async function openRecipe(file: File): Promise<void> {
  const { settingsOf } = await import("./settings.js");
  try {
    const { settings, chooses } = settingsOf(JSON.parse(await file.text()));
    const next = { ...recipe.value, ...settings };
    failure.value = undefined;
    change(chooses && session.resident ? await chosen(session.resident, next, chooses) : next, "recipe");
  } catch (error) {
    const { name, message } = error as Error;
    failure.value = {
      text: name === "WithoutControl" ? TEXT.failures.noControl(message) : TEXT.failures.recipe(message),
    };
  }
}

/** Settings with Otsu's threshold of the picture, and with its polarity where nobody said it. */
async function chosen(resident: Resident, settings: Recipe, chooses: NonNullable<Read["chooses"]>): Promise<Recipe> {
  const { objects } = settings;
  const counted = await countLevels({ resident }, objects);
  levels.value = counted;
  const plane = await resident.prepared(objects.channel, objects.smooth, objects.flatten);
  const { rule } = objects;
  let dark = rule === "dark";
  if (chooses === "polarity" && rule === "bright") {
    using found = await resident.engine.components(plane, { threshold: "otsu", polarity: "auto" });
    dark = found.polarity === "dark";
  }
  // Dark objects are at and below Otsu's threshold, and the page's are below the line.
  const threshold = counted.otsu + Number(dark && counted.whole);
  return { ...settings, objects: { ...objects, threshold, ...(dark ? { rule: "dark" as const } : {}) } };
}

function ownRecipe(source: string, shrink: number): Recipe {
  const { tool } = recipe.value;
  return { source, shrink, tool, objects: OBJECTS, fill: FILL };
}

/** Opens a picture at an address. A picture of another host is fetched only after a click that names the host. */
export async function openAddress(address: string, named?: Linked): Promise<void> {
  const url = addressOf(address);
  if (!url) {
    failure.value = { text: TEXT.failures.address(address) };
    return;
  }
  const get = async (): Promise<void> => {
    failure.value = undefined;
    try {
      const response = await fetch(url, { credentials: "omit" });
      if (!response.ok) throw new Error(response.statusText);
      const own = named?.settings.source === address ? named : undefined;
      const settings = own?.settings ?? ownRecipe(address, 1);
      await show(await response.blob(), address, settings, own ? own.chooses : "polarity");
    } catch {
      failure.value = { text: TEXT.failures.fetch(url.host) };
    }
  };
  const run = () => whileOpening(get);
  if (url.origin === location.origin) await run();
  else failure.value = { text: TEXT.remote(url.host), action: { label: TEXT.fetch, run } };
}

/** A web address; undefined for text that is none, and for schemes that fetch nothing from the web. */
function addressOf(text: string): URL | undefined {
  try {
    const url = new URL(text, location.href);
    return url.protocol === "http:" || url.protocol === "https:" ? url : undefined;
  } catch {
    return undefined;
  }
}

/** Counts pictures as they are opened: one that was decoded late must not replace a newer one. */
let newest = 0;

async function show(blob: Blob, name: string, settings: Recipe, chooses: Read["chooses"]): Promise<void> {
  failure.value = undefined;
  const own = ++newest;
  const shown = name.split("/").at(-1) ?? name;
  let opened: Opened;
  try {
    opened = await openImage(blob, shown, settings.shrink);
  } catch (error) {
    if (own !== newest) return;
    const refusal = error instanceof Refused ? error.refusal : { why: "decode" as const };
    const large = refusal.why === "large" && !/\.(npy|pgm)$/i.test(shown);
    const by = large
      ? 2 ** Math.ceil(Math.log2(Math.max(1, Math.sqrt((refusal.width * refusal.height) / 2 ** 25))))
      : 1;
    const smaller = () => void whileOpening(() => show(blob, name, { ...settings, shrink: by }, chooses));
    failure.value = {
      text: TEXT.refused(shown, refusal),
      ...(large ? { action: { label: TEXT.openSmaller(by), run: smaller } } : {}),
    };
    return;
  }
  const { engine } = session;
  if (own !== newest || !engine) return;
  dropResults();
  const resident = new Resident(engine, opened);
  session.resident = resident;
  try {
    const counted = await countLevels({ resident }, settings.objects);
    if (own !== newest) return;
    levels.value = counted;
  } catch (error) {
    // A picture of NaN alone has no levels.
    levels.value = undefined;
    if (error instanceof DeviceLost) return failed(error);
  }
  const { value } = levels;
  level.value = opened.data instanceof Uint8Array || !value ? undefined : [value.min, value.max];
  picture.value = opened;
  const [note] = opened.notes;
  if (note !== undefined) failure.value = { text: `${note}.` };
  else if (settings.shrink > 1) failure.value = { text: TEXT.notes.shrunk(settings.shrink) };
  showPicture(opened);
  forget();
  apply(chooses && value ? await chosen(resident, settings, chooses) : settings);
}
