// Opens pictures: samples, files and addresses, with their default settings, those of a link, or stored ones.

import { signal } from "@preact/signals";
import { DeviceLost } from "skerry";
import { defined } from "skerry/internal";
import { Resident } from "../engine/devices.js";
import { openImage, startDecoder } from "../files/open.js";
import { type Opened, Refused, takenOf } from "../files/opened.js";
import { addressFile, isStoreAddress } from "../files/stored.js";
import { ownRecipe, type Recipe, recipeFor, SAMPLES, sampleNamed, TAKEN_AXES, type Taken } from "../settings/recipe.js";
import { base, takenOver, takeOver } from "../state/base.js";
import {
  belongingNow,
  belongingOf,
  changedTo,
  forgetBelonging,
  giveBack,
  identityOf,
  isChanged,
  isOfEarlier,
  keepBelonging,
  takeFromTabs,
} from "../state/belongings.js";
import { EMBEDDER } from "../state/browser.js";
import { dropPicture, hasAdapter, openEngine, restart, session, tellDevice, tellSettled } from "../state/engine.js";
import {
  apply,
  change,
  choice,
  divider,
  done,
  failure,
  followWith,
  hasGpu,
  level,
  onRecipe,
  opening,
  others,
  picture,
  recipe,
  selection,
  tour,
  type Waiting,
} from "../state/lab.js";
import { carriedInto, isPending, losesBounds, overridden, sizedNow, takeScale, withScaleOf } from "../state/scale.js";
import { filesWorkedOn, forgetWork, keepFiles, keepWork, type Restored, restored, writeNow } from "../state/store.js";
import { isCorrected, mark } from "../state/strip.js";
import type { Place, View } from "../state/view.js";
import { carriedOf, maskOfFence, TOOLS, toolOf } from "../tools/index.js";
import { countLevels } from "../tools/objects/run.js";
import { levels } from "../tools/objects/state.js";
import { TEXT } from "../words/text.js";
import { isOurs, remember } from "./address.js";
import { Follower } from "./follow.js";
import { keepOffline } from "./isolate.js";
import { linkedOf } from "./url.js";

let view: View;
/** Rest of the settings after which the film strip tells which files differ. */
const TOLD_AFTER_MILLISECONDS = 300;
/** The address of the tour. */
const TOUR_HASH = "#tour";
/** The recipe of a link whose file the user has yet to open. */
let waitingFor: Recipe | undefined;
/** Whether the picture stands in for one that has yet to be opened: it is not the user's work. */
let standsIn = false;
/** Called after the next result. */
let afterResult: () => void = () => undefined;
/** The identity of the file that is shown; undefined for samples. */
let identity: string | undefined;

/** Starts the engine, and opens the stored picture, the one that the address names, or the galaxies. */
export async function start(shown: View): Promise<void> {
  view = shown;
  const follower = new Follower({
    toolOf,
    tools: Object.values(TOOLS),
    maskOf: maskOfFence,
    resident: () => session.resident,
    shower: shown,
    restart,
    settled: tellSettled,
    followed: ({
      content,
      found: {
        headline: { value: count },
      },
    }) => {
      tellDevice(content.kind === "labels" ? content.components.device : undefined);
      if (toolOf(recipe.value).hasObjects && identity !== undefined) {
        mark(recipe.value.source, { count, isCorrected: isCorrected(recipe.value), failure: undefined });
      }
      afterResult();
    },
  });
  takeFromTabs(
    () => (standsIn ? undefined : identity),
    () => {
      failure.value = { text: TEXT.notes.otherTab(recipe.value.source) };
    },
  );
  session.follower = follower;
  followWith(() => follower.ask());
  const search = new URLSearchParams(location.search);
  const wanted = search.get("device");
  if (wanted === "gpu" || wanted === "cpu") choice.value = wanted;
  const isTour = location.hash === TOUR_HASH;
  const hasHash = location.hash.length > 1;
  const [adapter, { linked, kept }] = await Promise.all([hasAdapter(wanted === "gpu"), beginning()]);
  hasGpu.value = adapter;
  startDecoder();
  if (!(await openEngine())) return;
  if (EMBEDDER !== null) {
    const { embedIn } = await import("./embed.js");
    return embedIn(EMBEDDER, { open: openFile, take: takeSaved });
  }
  others.value = search.getAll("open").map((name) => ({ name }));
  // The first step of the tour opens its own picture.
  if (isTour) tour.value = 0;
  else await openFirst(linked, kept);
  if (hasHash && !linked && !isTour) failure.value ??= { text: TEXT.failures.link };
  follow();
  void keepOffline().catch(() => undefined);
}

/** Settings of a link and stored work, with which the page begins. If they name a sample, it is fetched while the engine opens. */
async function beginning(): Promise<{ readonly linked: Recipe | undefined; readonly kept: Restored | undefined }> {
  if (EMBEDDER !== null) return { linked: undefined, kept: undefined };
  const [linked, kept] = await Promise.all([linkedOf(location.hash), restored()]);
  sampleOf((isKeptFirst(linked, kept) ? kept?.recipe.source : linked?.source) ?? SAMPLES[0].source)?.catch(
    () => undefined,
  );
  return { linked, kept };
}

/** Writes every change from now on to the storage and to the address. */
function follow(): void {
  const isOwn = (): boolean => !standsIn && picture.value !== undefined;
  const keep = (): void => {
    if (!isOwn()) return;
    const shownIdentity = identity;
    keepWork(
      () => defined({ recipe: recipe.value, place: view.place, divider: divider.value, from: takenOver.value }),
      () =>
        shownIdentity !== undefined && shownIdentity === identity
          ? [shownIdentity, belongingNow(view.place)]
          : undefined,
    );
  };
  let telling: ReturnType<typeof setTimeout> | undefined;
  onRecipe((settings) => {
    if (isOwn()) remember(settings);
    keep();
    clearTimeout(telling);
    telling = setTimeout(() => void tellExceptions(), TOLD_AFTER_MILLISECONDS);
  });
  divider.subscribe(keep);
  selection.subscribe(keep);
  view.onPlace(keep);
  addEventListener("visibilitychange", () => document.visibilityState === "hidden" && writeNow());
  addEventListener("pagehide", writeNow);
  // The address that the event tells: a write of the page may have replaced the one in the tab since.
  addEventListener("hashchange", ({ newURL }) => void openHash(new URL(newURL).hash));
}

/** Whether stored work is opened first: only if the user has put no other address into the tab. */
const isKeptFirst = (linked: Recipe | undefined, kept: Restored | undefined): boolean =>
  kept !== undefined && (!linked || (isOurs() && kept.isOwn));

/** Whether a picture is one of those that the address offers. */
const isOffered = (source: string): boolean => others.value.some(({ name, file }) => name === source && !file);

/** The sample that is being fetched. */
let coming: { readonly source: string; readonly blob: Promise<Blob> } | undefined;

/** The answer that src/early.ts asked for, once, if it is of this address. */
function takeEarly(address: string): Promise<Response | undefined> | undefined {
  const { skerryEarly: early } = globalThis as {
    skerryEarly?: { readonly address: string; readonly answer: Promise<Response | undefined> } | undefined;
  };
  if (early?.address !== address) return undefined;
  Object.assign(globalThis, { skerryEarly: undefined });
  return early.answer;
}

/** Fetches a sample; undefined if there is none of this name. */
function sampleOf(source: string): Promise<Blob> | undefined {
  const sample = sampleNamed(source);
  if (!sample) return undefined;
  if (coming?.source === source) return coming.blob;
  const address = `./samples/${sample.file}`;
  const blob = (takeEarly(address) ?? fetch(address)).then(async (early) => {
    const response = early ?? (await fetch(address));
    if (!response.ok) throw new Error(response.statusText);
    return response.blob();
  });
  coming = { source, blob };
  return blob;
}

/** Opens the first picture: the stored one, unless the user has put another address into the tab. */
async function openFirst(linked: Recipe | undefined, kept: Restored | undefined): Promise<void> {
  const address = others.value[0]?.name;
  const isWanted = kept && (!address || isOffered(kept.recipe.source) || (kept.isOwn && fileOf(kept) !== undefined));
  if (kept && isWanted && isKeptFirst(linked, kept)) {
    if (await openKept(kept)) return;
    await openLinked(kept.recipe);
    return;
  }
  if (address) {
    await openAddress(address, linked);
    return;
  }
  await openLinked(linked, kept && fileOf(kept));
}

/** The stored file that the settings are of. */
const fileOf = ({ files, recipe: { source } }: Restored): File | undefined => files.find(({ name }) => name === source);

async function openKept(kept: Restored): Promise<boolean> {
  const { recipe: settings, files, place, divider: at } = kept;
  const { source } = settings;
  const file = fileOf(kept);
  divider.value = at;
  const known = files.filter(({ name }) => !others.value.some((entry) => entry.name === name));
  others.value = [...known.map((entry) => ({ name: entry.name, file: entry })), ...others.value];
  const sample = sampleNamed(source);
  if (sample) {
    await openSample(source, settings, place);
    return picture.value !== undefined;
  }
  if (file) {
    await whileOpening(() => show(file, source, { settings, place, isRestored: true }));
    takeOver(recipe.value, kept.from);
    failure.value ??= { text: TEXT.restored(source), action: { label: TEXT.afresh, run: startAfresh } };
    return picture.value !== undefined;
  }
  if (!isOffered(source) && !/^https?:/.test(source)) return false;
  await openAddress(source, settings, place);
  return true;
}

/** Deletes the stored work, and opens the first sample. */
async function startAfresh(): Promise<void> {
  await forgetWork();
  if (identity !== undefined) forgetBelonging(identity);
  identity = undefined;
  const [sample] = SAMPLES;
  others.value = [];
  await openSample(sample.source, recipeFor(sample));
}

async function openLinked(linked: Recipe | undefined, file?: File): Promise<void> {
  const sample = sampleNamed(linked?.source ?? SAMPLES[0].source);
  if (sample) return openSample(sample.source, linked);
  const source = linked?.source ?? "";
  if (linked && file?.name === source) return whileOpening(() => show(file, source, { settings: linked }));
  waitingFor = linked;
  if (!picture.value) await whileOpening(() => fetchSample(SAMPLES[0].source, undefined, undefined, true));
  failure.value = { text: TEXT.failures.named(source) };
}

/** Takes settings from outside for the picture that is shown, and says if its file tells another size of a pixel. */
export function takeSettings(settings: Recipe, what: string): void {
  try {
    const sized = sizedNow(settings);
    change(sized, what);
    const note = picture.value && overridden(picture.value, sized);
    if (note) failure.value = { text: `${note}.` };
  } catch (error) {
    failure.value = { text: `${(error as Error).message}.` };
  }
}

/** Opens a link that was put into the tab. */
async function openHash(hash: string): Promise<void> {
  if (hash === TOUR_HASH) {
    document.querySelector<HTMLDialogElement>("dialog[open]")?.close();
    tour.value = 0;
    return;
  }
  const linked = await linkedOf(hash);
  if (!linked) {
    failure.value = { text: TEXT.failures.link };
    return;
  }
  if (isOfImage(linked)) takeSettings(linked, "link");
  else if (others.value.some(({ name }) => name === linked.source && /^https?:/.test(name))) {
    await openAddress(linked.source, linked);
  } else await openLinked(linked, others.value.find(({ name }) => name === linked.source)?.file);
}

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

/** Opens a sample with its default settings, or with given ones. */
export const openSample = (source: string, settings?: Recipe, place?: Place): Promise<void> =>
  whileOpening(() => fetchSample(source, settings, place));

async function fetchSample(
  source: string,
  settings: Recipe | undefined,
  place: Place | undefined,
  isStandIn = false,
): Promise<void> {
  const sample = sampleNamed(source);
  if (!sample) return;
  let blob: Blob;
  try {
    blob = (await sampleOf(source)) as Blob;
  } catch {
    failure.value = { text: TEXT.failures.sample(source) };
    return;
  } finally {
    coming = undefined;
  }
  if (!settings) divider.value = TOOLS[sample.tool].divider;
  await show(blob, source, { settings: settings ?? recipeFor(sample), place, isStandIn });
}

/** Opens files, and those of dropped folders: the first one is shown, and the others wait in the film strip. */
export function openFiles(files: readonly File[], entries: readonly FileSystemEntry[] = []): void {
  const hasFolder = entries.some(({ isDirectory }) => isDirectory);
  if (files.length === 1 && !hasFolder) openAll(files);
  else if (files.length > 0) void whileOpening(() => gather(files, hasFolder ? entries : []));
}

/** Opens folders, and the slices of a series as one file. */
async function gather(files: readonly File[], entries: readonly FileSystemEntry[]): Promise<void> {
  const turn = ++newest;
  const cancel = (): void => {
    newest++;
    opening.value = undefined;
  };
  opening.value = { name: files[0].name, cancel };
  let all: readonly File[] = [];
  try {
    const { gathered } = await import("./gather.js");
    all = await gathered(files, entries);
  } catch {
    failure.value = { text: TEXT.failures.decode(files[0].name) };
  }
  if (turn !== newest) return;
  opening.value = undefined;
  openAll(all);
}

function openAll(files: readonly File[]): void {
  const [first, ...rest] = files;
  if (!first) return;
  const named = rest.filter(({ name }) => !isRecipe(name)).map((file) => ({ name: file.name, file }));
  others.value = [...others.value.filter((entry) => !named.some(({ name }) => name === entry.name)), ...named];
  void openFile(first);
}

const isRecipe = (name: string): boolean => /\.json$/i.test(name);

/** Work on files that was changed for them and differs from what is shown, by name: exceptions of a batch. */
export const exceptions = signal<ReadonlySet<string>>(new Set());

/** Finds the files of the film strip whose own settings differ from those that are shown. */
async function tellExceptions(): Promise<void> {
  const now = recipe.value;
  const from = base.value;
  if (!others.value.some(({ file, name }) => file && name !== now.source)) {
    exceptions.value = new Set();
    return;
  }
  const worked = new Set((await filesWorkedOn()).map(([, name]) => name));
  const found = new Set<string>();
  for (const { name, file } of others.value) {
    if (!file || name === now.source || !worked.has(name)) continue;
    const edits = await changedFor(file);
    // Each file has its own scale.
    const shown = edits && carriedInto(carriedTo(name, from), edits.scale);
    if (edits && JSON.stringify(edits) !== JSON.stringify(shown)) found.add(name);
  }
  if (now === recipe.value) exceptions.value = found;
}

/** The settings that were changed for a file. */
async function changedFor(file: File, taken?: Taken): Promise<Recipe | undefined> {
  const belonging = await belongingOf(await identityOf(file, file.name, taken), file.name);
  return isChanged(belonging) ? belonging.recipe : undefined;
}

/** The settings of a file: its own if they were changed for it, else `from`; those of the picture that is shown are `now`. */
export async function settingsFor(file: File, opened: Opened, now: Recipe, from: Recipe): Promise<Recipe> {
  if (now.source === file.name) return now;
  const own = await changedFor(file, takenOf(opened));
  return withScaleOf(opened, own ?? (await withRuleOf(opened, carriedTo(file.name, from))));
}

/** Opens a picture of the film strip. */
export const openWaiting = ({ name, file }: Waiting): Promise<void> => (file ? openFile(file) : openAddress(name));

/** Resolves after the next result. */
export const nextResult = (): Promise<void> =>
  new Promise((resolve) => {
    afterResult = resolve;
  });

/** Makes the settings that are shown those of all files; each can be undone. */
export async function shareSettings(): Promise<void> {
  const now = recipe.value;
  for (const { name, file } of others.value) {
    if (!file || name === now.source) continue;
    const identity = await identityOf(file, name);
    const before = await belongingOf(identity, name);
    if (!isChanged(before)) continue;
    // The file's scale stays its own; one that is not known yet is taken when the file is opened.
    const carried = carriedTo(name, base.value);
    const { scale } = before.recipe;
    keepBelonging(identity, changedTo(scale?.isOfFile ? carried : carriedInto(carried, scale), before));
  }
  await tellExceptions();
}

async function openFile(file: File): Promise<void> {
  const { name } = file;
  if (isRecipe(name)) return openRecipe(file);
  // Masks of CVAT.
  const isOfMasks = name.endsWith(".xml");
  return openPicture(file, isOfMasks ? (await import("./open-recipe.js")).labelsRecipe(name) : undefined);
}

async function openPicture(file: File, usual?: Recipe): Promise<void> {
  const { name } = file;
  const wanted = waitingFor?.source === name ? waitingFor : undefined;
  if (wanted) waitingFor = undefined;
  if (!others.value.some((entry) => entry.name === name && entry.file === file)) {
    others.value = [...others.value.filter((entry) => entry.name !== name), { name, file }];
  }
  await whileOpening(() => show(file, name, { settings: wanted, usual }));
}

/** Settings for another picture: those of the user's last picture, without positions in it. */
function nextRecipe(source: string): Recipe {
  const before = base.value;
  const isOwn = sampleNamed(before.source) === undefined;
  if (!isOwn) return ownRecipe(source, before.tool);
  return carriedTo(source, before);
}

/** Settings for another picture, without positions in the previous one. */
function carriedTo(source: string, before: Recipe): Recipe {
  const { tool, scale } = before;
  // Images of one file share the settings of its volume.
  const volume = source === recipe.value.source ? recipe.value.volume : undefined;
  const carried = { ...ownRecipe(source, tool), ...carriedOf(before), volume };
  return scale ? { ...carried, scale: { ...scale, isCarried: true } } : carried;
}

/** Applies a recipe to the picture that is open. Files of masks are pictures. */
async function openRecipe(file: File): Promise<void> {
  const { masksRecipe } = await import("./open-recipe.js");
  try {
    const json = JSON.parse(await file.text());
    const ofMasks = masksRecipe(json, file.name);
    if (ofMasks) return openPicture(file, ofMasks);
    await takeSaved(json);
  } catch (error) {
    const { name, message } = error as Error;
    failure.value = {
      text: name === "WithoutControl" ? TEXT.failures.noControl(message) : TEXT.failures.recipe(message),
    };
  }
}

/**
 * Applies a saved recipe to the picture that is open.
 * @throws RecipeError if it is no recipe, WithoutControl if the page has no control for one of its fields
 */
async function takeSaved(json: unknown): Promise<void> {
  const { takeRecipe } = await import("./open-recipe.js");
  const now = await takeRecipe(json);
  failure.value = undefined;
  if (isOfImage(now)) takeSettings(now, "recipe");
  else await takeImage(now.taken ?? {}, now);
  await tellExceptions();
}

/** Opens a picture at an address. A picture of another host is fetched only after a click that names the host. */
export async function openAddress(address: string, settings?: Recipe, place?: Place): Promise<void> {
  const url = addressOf(address);
  if (!url) {
    failure.value = { text: TEXT.failures.address(address) };
    return;
  }
  const get = async (): Promise<void> => {
    failure.value = undefined;
    try {
      await show(await blobAt(url), address, {
        settings: settings?.source === address ? settings : undefined,
        place,
      });
    } catch {
      failure.value = { text: TEXT.failures.fetch(url.host) };
    }
  };
  const run = () => whileOpening(get);
  if (url.origin === location.origin) await run();
  else failure.value = { text: TEXT.remote(url.host), action: { label: TEXT.fetch, run } };
}

/** The file at an address. OME-Zarr is read where it lies. */
async function blobAt(url: URL): Promise<Blob> {
  if (isStoreAddress(url)) return addressFile(url.href);
  const response = await fetch(url, { credentials: "omit" });
  if (!response.ok) throw new Error(response.statusText);
  return response.blob();
}

/** A URL of http or https; undefined for other text. */
function addressOf(text: string): URL | undefined {
  try {
    const url = new URL(text, location.href);
    return url.protocol === "http:" || url.protocol === "https:" ? url : undefined;
  } catch {
    return undefined;
  }
}

/** Settings that were made for another picture: what holds for label images goes on to those alone. */
const withRuleOf = async (opened: Opened, settings: Recipe): Promise<Recipe> =>
  settings.objects.rule === "labels" ? (await import("./open-recipe.js")).ofAreas(opened, settings) : settings;

/** Settings whose channel the picture has: those of a colour picture go on with the brightness of a grey one. */
function withChannelOf({ channels }: Opened, settings: Recipe): Recipe {
  const { channel } = settings.objects;
  const isThere = channels > 1 ? channel !== "alpha" || channels === 4 : channel === "contrast";
  if (channel === "luma" || isThere) return settings;
  return { ...settings, objects: { ...settings.objects, channel: "luma" } };
}

/** Takes the settings with which a file is opened first. */
function takeDefaults(): void {
  const { source, tool, shrink } = recipe.value;
  const { value: opened } = picture;
  const fresh = ownRecipe(source, tool, shrink, recipe.value.taken);
  failure.value = undefined;
  change(opened ? withChannelOf(opened, withScaleOf(opened, fresh)) : fresh, "defaults");
}

/** Stores the files of the strip, the one that is shown first. Resolves to the names of those that do not fit. */
export function keepAll(): Promise<readonly string[]> {
  const { source } = recipe.value;
  const files = others.value.flatMap(({ file }) => file ?? []);
  return keepFiles(files.toSorted((a, b) => Number(b.name === source) - Number(a.name === source)));
}

/** Keeps the work on the picture that is shown, before another one takes its place. */
function leave(): void {
  if (identity !== undefined && !standsIn && picture.value) keepBelonging(identity, belongingNow(view.place));
}

/** Counts pictures as they are opened: one that was decoded late must not replace a newer one. */
let newest = 0;

/** The file of the picture that is shown. */
let shownFile: Blob | undefined;

/** Shows another image of the file that is shown. Each has its own work, and the settings of the one before until then. */
export async function takeImage(taken: Taken, settings?: Recipe): Promise<void> {
  const blob = shownFile;
  if (blob) await whileOpening(() => show(blob, recipe.value.source, { taken, settings, place: view.place }));
}

/** The file that is shown; undefined before the first. */
export const fileShown = (): Blob | undefined => shownFile;

/** Whether settings are of the image that is shown, rather than of another one of its file. */
const isOfImage = ({ source, shrink, taken }: Recipe): boolean =>
  source === recipe.value.source &&
  shrink === recipe.value.shrink &&
  TAKEN_AXES.every((axis) => (taken?.[axis] ?? recipe.value.taken?.[axis]) === recipe.value.taken?.[axis]);

interface Showing {
  /** The image of a file that holds several. */
  readonly taken?: Taken;
  /** Settings of a link, of stored work or of a sample; those that belong to the file by default, or those of the picture before. */
  readonly settings?: Recipe | undefined;
  /** Settings of a file that has none of its own. */
  readonly usual?: Recipe | undefined;
  readonly place?: Place | undefined;
  readonly isStandIn?: boolean;
  /** Whether the settings are those with which the picture was shown before a reload. */
  readonly isRestored?: boolean;
}

async function show(blob: Blob, name: string, showing: Showing): Promise<void> {
  failure.value = undefined;
  const turn = ++newest;
  const controller = new AbortController();
  const title = name.split("/").at(-1) ?? name;
  const cancel = (): void => {
    newest++;
    controller.abort();
    opening.value = undefined;
  };
  opening.value = { name: title, cancel };
  try {
    await showNow(blob, name, showing, turn, controller.signal);
  } finally {
    if (turn === newest) opening.value = undefined;
  }
}

async function showNow(blob: Blob, name: string, showing: Showing, turn: number, signal: AbortSignal): Promise<void> {
  const { place, isStandIn = false } = showing;
  leave();
  let taken = showing.taken ?? showing.settings?.taken;
  const isSample = sampleNamed(name) !== undefined;
  let named = isSample ? undefined : await identityOf(blob, name, taken);
  let before = named === undefined ? undefined : await belongingOf(named, name);
  if (turn !== newest) return;
  const chosen = (): Recipe => ({
    ...(showing.settings ?? (isChanged(before) ? before.recipe : (showing.usual ?? nextRecipe(name)))),
    taken,
  });
  let settings = chosen();
  const title = name.split("/").at(-1) ?? name;
  let opened: Opened;
  try {
    opened = await openImage(blob, title, settings, signal);
  } catch (error) {
    if (turn !== newest) return;
    const refusal = error instanceof Refused ? error.refusal : { why: "decode" as const };
    const large = refusal.why === "large" && !/\.(npy|pgm|ppm|bmp)$/i.test(title);
    const by = large
      ? 2 ** Math.ceil(Math.log2(Math.max(1, Math.sqrt((refusal.width * refusal.height) / 2 ** 25))))
      : 1;
    const smaller = () => void whileOpening(() => show(blob, name, { settings: { ...settings, shrink: by } }));
    if (named !== undefined) mark(name, { failure: TEXT.refused(title, refusal) });
    failure.value = defined({
      text: TEXT.refused(title, refusal),
      action: large ? { label: TEXT.openSmaller(by), run: smaller } : undefined,
    });
    return;
  }
  const { engine } = session;
  if (turn !== newest || !engine) return;
  leave();
  // The reader has chosen an image of the file if none was named. It may have been worked on while it was decoded once more.
  taken = takenOf(opened);
  if (!isSample) named = await identityOf(blob, name, taken);
  if (named !== undefined) before = await belongingOf(named, name);
  const isEarlier = named !== undefined && isChanged(before) && isOfEarlier(named);
  const isOwn = showing.settings ?? showing.usual ?? isChanged(before);
  const next = { ...chosen(), shrink: settings.shrink };
  settings = isOwn ? next : await withRuleOf(opened, next);
  if (turn !== newest) return;
  // From here on it cannot be ended: what was shown is gone.
  opening.value = undefined;
  identity = undefined;
  dropPicture();
  // Work that was kept has the scale that it had, none included.
  const isKept = showing.isRestored === true || (!showing.settings && isChanged(before));
  const shown = withChannelOf(opened, isKept && !isPending(settings.scale) ? settings : withScaleOf(opened, settings));
  const resident = new Resident(engine, opened);
  session.resident = resident;
  try {
    const counted = await countLevels({ resident }, settings.objects);
    // Another picture has taken its place since.
    if (session.resident !== resident) return;
    levels.value = counted;
  } catch (error) {
    if (session.resident !== resident) return;
    // A picture that is all NaN has no levels.
    levels.value = undefined;
    if (error instanceof DeviceLost) return session.follower?.failed(error);
  }
  const { value } = levels;
  level.value = opened.data instanceof Uint8Array || !value ? undefined : [value.min, value.max];
  picture.value = opened;
  standsIn = isStandIn;
  const isThresholded = toolOf(shown).leavesAlphaOut?.(shown);
  const flat =
    value && value.min === value.max && toolOf(shown).choosesThreshold?.(shown) ? [TEXT.notes.flat(value.min)] : [];
  const clear = isThresholded && opened.transparency !== undefined ? [opened.transparency] : [];
  const { scale } = shown;
  const isOblong = scale?.down !== undefined && Math.abs(scale.down / scale.size - 1) > 0.01;
  const oblong = isOblong ? [TEXT.notes.oblong([scale.size, scale.down], scale.unit)] : [];
  const isUnsized = settings.scale?.isOfFile && settings.scale.unit && !scale;
  const unsized = isUnsized ? [TEXT.notes.unsized(title, settings.scale?.unit ?? "")] : [];
  const other = showing.isRestored ? undefined : overridden(opened, shown);
  const unbounded = losesBounds(settings, shown) ? [TEXT.notes.unbounded] : [];
  const notes = [...unbounded, ...opened.notes, ...flat, ...clear, ...oblong, ...unsized, ...(other ? [other] : [])];
  if (notes.length > 0) failure.value = { text: notes.map((note) => `${note}.`).join(" ") };
  else if (settings.shrink > 1) failure.value = { text: TEXT.notes.shrunk(settings.shrink) };
  identity = named;
  shownFile = blob;
  // Settings that came from the picture before are said to.
  const isCarried = named !== undefined && !showing.settings && !isChanged(before);
  const usual = withChannelOf(opened, withScaleOf(opened, ownRecipe(name, shown.tool, shown.shrink, taken)));
  const from = base.value;
  const isTaken = isCarried && from.source !== name && sampleNamed(from.source) === undefined;
  const isTold = isTaken && JSON.stringify(shown) !== JSON.stringify(usual);
  const isDrawn = view.picture(opened, place ?? before?.place);
  // Steps are of these settings, and labels of their result.
  const isBefore = JSON.stringify(before?.recipe) === JSON.stringify(shown);
  takeScale(shown);
  apply(shown);
  takeOver(shown, isTaken ? from : undefined);
  giveBack(isBefore ? before : isChanged(before) ? changedTo(shown, before) : undefined);
  if (isBefore && isEarlier && !showing.settings) {
    failure.value ??= { text: TEXT.asLeft(title), action: { label: TEXT.defaults, run: takeDefaults } };
  }
  done.value = isTold ? TEXT.carried(title, from.source) : "";
  await isDrawn;
  if (isStandIn) return;
  if (named !== undefined) {
    const { thumbnailOf } = await import("../files/thumbnail.js");
    mark(name, { thumbnail: thumbnailOf(opened, level.value ?? [0, 255]) });
  }
  await tellExceptions();
  if (EMBEDDER !== null) return;
  const left = await keepAll();
  if (left.length > 0 && turn === newest) failure.value ??= { text: TEXT.notes.large(left) };
}
