// Pictures are opened: samples, files and addresses, with the settings that suit them or those of a link.

import { DeviceLost } from "skerry";
import { Resident } from "../engine/devices.js";
import { type Opened, Refused } from "../files/decode.js";
import { openImage } from "../files/open.js";
import { TEXT } from "../text.js";
import { countLevels } from "../tools/objects.js";
import { dropResults, failed, type Shower, showPicture, showWith, tellSettled } from "./follow.js";
import { forget } from "./history.js";
import { apply, choice, failure, hasGpu, level, levels, others, picture, recipe } from "./lab.js";
import { FILL, OBJECTS, type Recipe, recipeFor, SAMPLES } from "./recipe.js";
import { hasAdapter, openEngine, session } from "./session.js";
import { recipeOf } from "./url.js";

/** Starts the engine, and opens what the address names, or the galaxies. */
export async function start(shown: Shower): Promise<void> {
  showWith(shown);
  const search = new URLSearchParams(location.search);
  const wanted = search.get("device");
  if (wanted === "gpu" || wanted === "cpu") choice.value = wanted;
  hasGpu.value = await hasAdapter(wanted === "gpu");
  if (!(await openEngine())) return;
  const named = recipeOf(location.hash);
  const files = search.getAll("open");
  others.value = files;
  if (files[0]) {
    await openAddress(files[0], named);
    return;
  }
  const sample = SAMPLES.find(({ source }) => source === (named?.source ?? "galaxies"));
  if (sample) await openSample(sample.source, named);
  else {
    await openSample("galaxies");
    failure.value = { text: TEXT.failures.named(named?.source ?? "") };
    waitingFor = named;
  }
}

/** The recipe of a link whose file the reader has yet to open. */
let waitingFor: Recipe | undefined;

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
export const openSample = (source: string, settings?: Recipe): Promise<void> =>
  whileOpening(() => fetchSample(source, settings));

async function fetchSample(source: string, settings: Recipe | undefined): Promise<void> {
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
  const automatic = !settings && sample.otsu === true;
  await show(blob, source, settings ?? recipeFor(sample), automatic);
}

/** Opens a file of the reader's. */
export async function openFile(file: File, shrink = 1): Promise<void> {
  const wanted = waitingFor?.source === file.name ? waitingFor : undefined;
  waitingFor = undefined;
  await whileOpening(() => show(file, file.name, wanted ?? ownRecipe(file.name, shrink), !wanted));
}

function ownRecipe(source: string, shrink: number): Recipe {
  const { tool } = recipe.value;
  return { source, shrink, tool, objects: OBJECTS, fill: FILL };
}

/** Opens a picture at an address. A picture of another host is fetched only after a click that names the host. */
export async function openAddress(address: string, named?: Recipe): Promise<void> {
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
      const own = named?.source === address ? named : undefined;
      await show(await response.blob(), address, own ?? ownRecipe(address, 1), !own);
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

async function show(blob: Blob, name: string, settings: Recipe, automatic: boolean): Promise<void> {
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
    const smaller = () => void whileOpening(() => show(blob, name, { ...settings, shrink: by }, automatic));
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
  if (note === "pages") failure.value = { text: TEXT.notes.pages };
  else if (settings.shrink > 1) failure.value = { text: TEXT.notes.shrunk(settings.shrink) };
  showPicture(opened);
  forget();
  const threshold = value?.otsu ?? settings.objects.threshold;
  apply(automatic ? { ...settings, objects: { ...settings.objects, threshold } } : settings);
}
