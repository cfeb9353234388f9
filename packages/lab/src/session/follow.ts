// Computes the result of the recipe: calls the tool, and updates the view and the panels. One call is in flight at a time.
// A result is kept until the next one replaces it.

import { DeviceLost, type Mask, OutOfMemory } from "skerry";
import type { Resident } from "../engine/devices.js";
import { type Asked, Latest } from "../engine/latest.js";
import type { Fence, Recipe } from "../settings/recipe.js";
import type { Spot } from "../settings/spots.js";
import type { Content } from "../state/found.js";
import {
  calls,
  comparison,
  failure,
  found,
  hovered,
  progress,
  reading,
  recipe,
  selection,
  stages,
  stale,
} from "../state/lab.js";
import type { Shower } from "../state/view.js";
import type { Given, Result, Tool } from "../tools/tool.js";
import { TEXT } from "../words/text.js";

/** The surroundings of the loop: the tools, the picture on an engine, the view, and callbacks. */
export interface FollowerOptions {
  readonly toolOf: (recipe: Recipe) => Tool;
  readonly tools: readonly Tool[];
  readonly maskOf: (given: Given, fence: Fence | undefined) => Promise<Mask | undefined>;
  readonly resident: () => Resident | undefined;
  readonly shower: Shower;
  /** Opens the engine and the picture anew, after a device was lost. */
  readonly restart: () => Promise<void>;
  /** Called with whether the result belongs to the settings, whenever that may have changed. */
  readonly settled: (settled: boolean) => void;
  /** Called after each result. */
  readonly followed: (result: Result) => void;
}

const REST_MILLISECONDS = 80;

export class Follower {
  readonly #options: FollowerOptions;
  readonly #latest: Latest;
  #result: Result | undefined;
  /** The tool whose result is shown. */
  #shown: Tool | undefined;
  /** A result that is kept beside those that follow, for comparison. */
  #aside: Result | undefined;
  #within: Mask | undefined;
  /** The recipe of the result, or of the call that failed or was cancelled. */
  #followed: Recipe | undefined;
  /** Whether the work after a result, such as its measurements, is done. */
  #isComplete = false;
  /** Whether the view moved while a result was on its way. */
  #movedMeanwhile = false;
  #wantedPreview: Spot | undefined;
  #preview: Mask | undefined;

  constructor(options: FollowerOptions) {
    this.#options = options;
    this.#latest = new Latest({
      failed: (error) => void this.failed(error),
      progressed: (fraction) => {
        progress.value = fraction;
      },
    });
  }

  get isSettled(): boolean {
    return this.#followed === recipe.value && this.#isComplete;
  }

  /** Tints the picture for a changed recipe, and requests its result. */
  ask(): void {
    this.#options.shower.tint(this.#options.toolOf(recipe.value).tint?.(recipe.value));
    this.tell();
    this.#latest.ask((asked) => this.#follow(asked));
  }

  tell(): void {
    this.#options.settled(this.isSettled);
  }

  cancel(): void {
    this.#latest.cancel();
    this.#followed = recipe.value;
    this.#isComplete = true;
    progress.value = undefined;
    failure.value = { text: TEXT.cancelled, isOfCall: true };
    stale.value = true;
    this.tell();
  }

  /** Ends what is in flight and drops the result, for another picture or another engine. */
  drop(): void {
    this.#latest.cancel();
    this.setAside(false);
    for (const tool of this.#options.tools) tool.forget();
    this.#result?.dispose();
    this.#result = undefined;
    this.#preview = undefined;
    this.#wantedPreview = undefined;
    this.#isComplete = false;
    found.value = undefined;
    comparison.value = undefined;
    selection.value = new Set();
    hovered.value = 0;
    reading.value = "";
  }

  async failed(error: unknown): Promise<void> {
    this.#followed = recipe.value;
    this.#isComplete = true;
    if (error instanceof DeviceLost) {
      await this.#options.restart();
      failure.value = { text: TEXT.failures.lost };
    } else if (error instanceof OutOfMemory || /allocation failed|out of memory/i.test((error as Error).message)) {
      failure.value = { text: TEXT.failures.memory, isOfCall: true };
    } else {
      const { message, argument } = error as Error & { argument?: string };
      failure.value = { text: TEXT.failures.call(message), isOfCall: true, field: argument };
    }
    stale.value = true;
    // The number of one tool's result would read as another's.
    if (this.#shown !== this.#options.toolOf(recipe.value)) found.value = undefined;
    this.tell();
  }

  async #given(asked: Partial<Asked>, wanted: Recipe): Promise<Given | undefined> {
    const resident = this.#options.resident();
    if (!resident) return undefined;
    resident.scaleTo(wanted.scale);
    return { resident, within: await this.#options.maskOf({ resident, ...asked }, wanted.within), ...asked };
  }

  async #follow(asked: Asked): Promise<void> {
    const wanted = recipe.value;
    const tool = this.#options.toolOf(wanted);
    const given = await this.#given(asked, wanted);
    if (!given) return;
    const begin = performance.now();
    const next = await tool.run(given, wanted);
    const milliseconds = performance.now() - begin;
    if (asked.signal.aborted) {
      next.dispose();
      return;
    }
    if (this.#result !== this.#aside) this.#result?.dispose();
    this.#result = next;
    this.#within = given.within;
    this.#preview = undefined;
    this.#isComplete = tool.after === undefined;
    hovered.value = 0;
    const { content: aside } = this.#aside ?? {};
    await this.#options.shower.show({ ...next, within: given.within, aside }, true, asked.signal);
    found.value = next.found;
    this.#shown = tool;
    stale.value = false;
    if (failure.value?.isOfCall) failure.value = undefined;
    stages.value = next.stages;
    const key = `${wanted.source} ${wanted.tool}`;
    const { first, count } = calls.value.key === key ? calls.value : { first: milliseconds, count: 0 };
    calls.value = { key, first, last: milliseconds, count: count + 1 };
    this.#followed = wanted;
    this.#options.followed(next);
    // While a slider is dragged the next settings come first; the table follows when it rests.
    if (tool.after && !next.isOfAct) await rested(asked.signal);
    await this.#complete(tool, given);
    this.#later(tool, wanted);
    if (this.#movedMeanwhile) this.moved();
    if (this.#wantedPreview) this.preview(this.#wantedPreview);
  }

  /** Does the work after a result, such as its measurements. */
  async #complete(tool: Tool, given: Given): Promise<void> {
    if (this.#result) await tool.after?.(given, this.#result);
    this.#isComplete = true;
    this.tell();
  }

  #later(tool: Tool, wanted: Recipe): void {
    const idle = this.#result && tool.idle?.(wanted, this.#result);
    // Without any, work of older settings that still waits is dropped.
    const work = async (asked: Asked): Promise<void> => {
      const given = await this.#given({ signal: asked.signal }, wanted);
      if (given) await idle?.(given);
    };
    this.#latest.whenIdle(idle && work);
  }

  /** Computes the result once more, so that the time of a warm call is known. */
  repeat(): void {
    this.#latest.ask((asked) => this.#follow(asked));
  }

  /** Repeats the work after a result, to measure properties that were not wanted before. */
  again(): void {
    this.#latest.ask(async (asked) => {
      const wanted = recipe.value;
      if (this.#followed !== wanted) return this.#follow(asked);
      const given = await this.#given(asked, wanted);
      if (given) await this.#complete(this.#options.toolOf(wanted), given);
    });
  }

  /** Reads the window of the result again after the camera moved. */
  moved(): void {
    this.#movedMeanwhile = this.#followed !== recipe.value;
    if (this.#movedMeanwhile || !this.#result) return;
    this.#latest.ask(async (asked) => {
      await this.#showAgain(asked.signal);
      // This call may have aborted the measuring.
      if (this.#isComplete) return;
      const given = await this.#given(asked, recipe.value);
      if (given) await this.#complete(this.#options.toolOf(recipe.value), given);
    });
    // Requests idle work again, which may have been aborted.
    this.#later(this.#options.toolOf(recipe.value), recipe.value);
  }

  async #showAgain(signal?: AbortSignal): Promise<void> {
    if (!this.#result) return;
    const { content, left, right } = this.#result;
    const shown: Content = content.kind === "marks" ? { ...content, preview: this.#preview } : content;
    const { content: aside } = this.#aside ?? {};
    await this.#options.shower.show({ content: shown, left, right, within: this.#within, aside }, false, signal);
  }

  /** Keeps the result that is shown beside later ones, or stops keeping one. */
  setAside(isKept: boolean): void {
    const before = this.#aside;
    this.#aside = isKept ? this.#result : undefined;
    if (before && before !== this.#result && before !== this.#aside) before.dispose();
    if (this.#result && before !== this.#aside) void this.#showAgain();
  }

  /** Previews a click at a pixel; undefined when the pointer leaves. */
  preview(spot: Spot | undefined): void {
    this.#wantedPreview = spot;
    if (!spot) {
      if (this.#preview) {
        this.#preview = undefined;
        void this.#showAgain();
      }
      return;
    }
    // The result comes first; #follow() then requests this preview.
    if (this.#followed !== recipe.value) return;
    this.#latest.ask(async (asked) => {
      const wanted = recipe.value;
      const given = await this.#given(asked, wanted);
      const mask = given && (await this.#options.toolOf(wanted).preview?.(given, wanted, spot));
      if (!mask || asked.signal.aborted) return;
      this.#preview = mask;
      await this.#showAgain(asked.signal);
    });
    this.#later(this.#options.toolOf(recipe.value), recipe.value);
  }
}

function rested(signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, REST_MILLISECONDS);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });
}
