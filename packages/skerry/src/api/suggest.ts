// Suggestions of other settings: the picture is searched in several ways (channel, threshold, smoothing, splitting, least area), and
// those stand out on which most ways agree and whose objects are sound. See core/suggestions.ts for the choice.

import { defined } from "../core/defined.js";
import { agreements, chooseWays, halfArea, quantileOf, rounded, type Way } from "../core/suggestions.js";
import type { CallOptions } from "../types/calls.js";
import type { ComponentsOptions } from "../types/components.js";
import { InvalidArgument, Unsupported } from "../types/errors.js";
import type { Histogram } from "../types/histogram.js";
import type { ChannelName, Image, Mask, Raster, Source } from "../types/raster.js";
import {
  SUGGESTED,
  type SuggestedChanges,
  type Suggestion,
  type Suggestions,
  type SuggestOptions,
} from "../types/suggest.js";
import type { Threshold } from "../types/threshold.js";
import type { Components } from "./components.js";

/** Ways with more objects are noise. */
const MOST_OBJECTS = 60_000;
/** Smaller objects are specks, as parts of the object that reaches half of the area: the mild choice and the strict one. */
const SPECKS = [40, 10] as const;
/** An object that touches so many sides of the picture is the ground, or a frame. */
const GROUND_SIDES = 3;
/** Holes are not filled if that leaves one object with this part of the picture. */
const FILLED = 0.6;
/** Images of fewer rows or columns are not split. */
const LEAST_SPLIT = 8;
/** Offers beside the given options. */
const OFFERS = 4;

const isLocal = (threshold: Threshold | undefined): boolean => typeof threshold === "object" && "local" in threshold;

/** The calls of an engine that the search makes. */
interface Searched {
  components(input: Raster | Image | Source, options: ComponentsOptions): Promise<Components>;
  channel(input: Raster | Image, channel: ChannelName, options: CallOptions): Promise<Image>;
  histogram(input: Raster | Image, options: CallOptions): Promise<Histogram>;
}

/** The picture, or its copy, and how much smaller that is. */
export interface Looked {
  /** The whole image, on which the given options are counted, and offers if it is not too large. */
  readonly pixels: Raster | Image | Source;
  readonly wholeWithin: Mask | undefined;
  readonly countsWhole: boolean;
  readonly input: Raster | Image;
  readonly size: { readonly width: number; readonly height: number; readonly channels: number; readonly type: string };
  readonly nodata: boolean;
  readonly scale: number;
  /** The size of a pixel of the whole image along x. */
  readonly spacing: number;
  readonly within: Mask | undefined;
}

/** Options that a way sets. */
type Rule = Pick<ComponentsOptions, keyof SuggestedChanges>;

/** A way with the options that make it, in pixels of the whole picture. */
interface Tried extends Way {
  readonly changes: Rule;
}

/** Suggests options for a picture in place of some of `asked`. `plain` are the objects with `asked`, which are disposed. */
export async function suggestFor(
  engine: Searched,
  looked: Looked,
  asked: SuggestOptions,
  plain: Components,
): Promise<Suggestions> {
  const { signal, onProgress, within: _, memory, keep = [], ...rest } = asked;
  const call: Pick<SuggestOptions, "signal" | "memory"> = defined({ signal, memory });
  const kept = new Set<string>(keep);
  const stays = (name: string): boolean => kept.has(name) || !(SUGGESTED as readonly string[]).includes(name);
  const given: ComponentsOptions = Object.fromEntries(
    Object.entries(rest).filter(([name, value]) => value !== undefined && stays(name)),
  );
  const search = new Search(engine, looked, { given, kept }, call, onProgress);
  const pixels = plain.width * plain.height;
  const { areas, sides } = await search.outlinesOf(plain).finally(() => plain.dispose());
  const inner = areas.filter((_, i) => sides[i] < GROUND_SIDES);
  const least = halfArea(inner) / SPECKS[0];
  const facts = {
    count: areas.length,
    specks: areas.length === 0 ? 0 : inner.filter((area) => area < least).length / areas.length,
    ground: areas.reduce((sum, area, i) => sum + (sides[i] < GROUND_SIDES ? 0 : area), 0) / pixels,
    scale: looked.countsWhole ? 1 : looked.scale,
  };
  if (rest.by !== undefined) return { ...facts, offers: [] };
  const ways = await search.tryAll();
  if (ways.length === 0) return { ...facts, offers: [] };
  const near = agreements(ways);
  const offers: Suggestion[] = [];
  for (const at of chooseWays(ways, OFFERS)) {
    const changes = differences(rest, { ...given, ...ways[at].changes });
    const options = { ...given, ...ways[at].changes };
    const suggestions = await unlessRefused(() =>
      looked.countsWhole ? search.inWhole(options) : search.found(options),
    );
    if (!suggestions) continue;
    const { count } = suggestions;
    suggestions.dispose();
    // Specks of the whole image may be gone in its copy, in which the given options seem right.
    const isPlain = count === facts.count || (looked.scale === 1 && ways[at].count === facts.count);
    const offer = { changes: isPlain ? {} : changes, count: isPlain ? facts.count : count, agreement: near[at] };
    if (offers.every((other) => other.count !== offer.count)) offers.push(offer);
  }
  return { ...facts, offers };
}

/** The result of a call; undefined if its options do not go together, or the pixels have no threshold. */
async function unlessRefused<T>(call: () => Promise<T>): Promise<T | undefined> {
  try {
    return await call();
  } catch (error) {
    if (error instanceof InvalidArgument || error instanceof Unsupported) return undefined;
    throw error;
  }
}

/** The options that differ from `before`; those that are missing are undefined. */
function differences(before: ComponentsOptions, after: Rule): SuggestedChanges {
  const isSame = (name: (typeof SUGGESTED)[number]): boolean =>
    JSON.stringify(before[name]) === JSON.stringify(after[name]);
  return Object.fromEntries(SUGGESTED.filter((name) => !isSame(name)).map((name) => [name, after[name]]));
}

class Search {
  readonly #engine: Searched;
  readonly #looked: Looked;
  readonly #given: ComponentsOptions;
  readonly #kept: ReadonlySet<string>;
  readonly #signal: CallOptions;
  readonly #memory: Pick<ComponentsOptions, "memory">;
  readonly #onProgress: CallOptions["onProgress"];
  #done = 0;
  #total = 1;

  constructor(
    engine: Searched,
    looked: Looked,
    { given, kept }: { readonly given: ComponentsOptions; readonly kept: ReadonlySet<string> },
    { memory, ...signal }: CallOptions & Pick<ComponentsOptions, "memory">,
    onProgress: CallOptions["onProgress"],
  ) {
    this.#engine = engine;
    this.#looked = looked;
    this.#given = given;
    this.#kept = kept;
    this.#signal = signal;
    this.#memory = memory === undefined ? {} : { memory };
    this.#onProgress = onProgress;
  }

  /** Whether a way may set an option. */
  #isFree(name: (typeof SUGGESTED)[number]): boolean {
    return this.#given[name] === undefined && !this.#kept.has(name);
  }

  /** The size of a pixel in the unit of lengths. */
  get #unit(): number {
    return this.#given.physical ? this.#looked.spacing : 1;
  }

  /** The objects in the whole image. */
  inWhole(options: ComponentsOptions): Promise<Components> {
    const { pixels, wholeWithin: within } = this.#looked;
    return this.#engine.components(
      pixels,
      defined({ ...options, within: within ?? options.within, ...this.#signal, ...this.#memory }),
    );
  }

  /** The objects by options for the whole picture, on the copy. */
  found(options: ComponentsOptions): Promise<Components> {
    const { input, within } = this.#looked;
    return this.#engine.components(
      input,
      defined({ ...this.#scaled(options), within, ...this.#signal, ...this.#memory }),
    );
  }

  /** Options in pixels of the copy. */
  #scaled(options: ComponentsOptions): ComponentsOptions {
    const { scale } = this.#looked;
    if (scale === 1) return options;
    const scaled: Record<string, unknown> = { ...options };
    for (const name of ["smooth", "open", "close", "erode", "dilate", "expand", "split"] as const) {
      // Physical lengths stay: the pixels of the copy are larger.
      if (typeof options[name] === "number" && !options.physical) scaled[name] = options[name] / scale;
    }
    for (const name of ["minArea", "maxArea", "maxHoleArea", "absorb"] as const) {
      if (options[name] !== undefined) scaled[name] = options[name] / scale ** 2;
    }
    if (options.flatten !== undefined) scaled.flatten = Math.max(1, Math.round(options.flatten / scale));
    const { threshold } = options;
    if (typeof threshold === "object" && "local" in threshold) {
      const radius = Math.max(1, Math.round(threshold.local.radius / scale));
      scaled.threshold = { local: { ...threshold.local, radius } };
    }
    return scaled as ComponentsOptions;
  }

  /** Areas of objects, and the number of sides of the picture that each touches. */
  async outlinesOf(
    objects: Components,
  ): Promise<{ readonly areas: readonly number[]; readonly sides: readonly number[] }> {
    const { area = [], bounds = [] } = await objects.regions({ properties: ["area", "bounds"], ...this.#signal });
    return { areas: Array.from(area), sides: sidesOf(bounds, objects) };
  }

  /** Every way, of every channel. */
  async tryAll(): Promise<readonly Tried[]> {
    const { input, size, nodata } = this.#looked;
    const { channel, threshold } = this.#given;
    const isFixed = this.#kept.has("threshold") && typeof threshold !== "string" && !isLocal(threshold);
    // A side that is kept is one of brightness.
    const { polarity } = this.#given;
    const hasSide =
      polarity === "bright" || polarity === "dark" || (polarity === undefined && this.#kept.has("polarity"));
    const hasContrast =
      this.#isFree("channel") &&
      !hasSide &&
      size.channels > 1 &&
      (size.type === "u8" || size.type === "u16") &&
      !nodata;
    const channels: readonly ChannelName[] =
      channel !== undefined ? [channel] : hasContrast && !isFixed ? ["luma", "contrast"] : ["luma"];
    const ways: Tried[] = [];
    for (const name of channels) {
      const plane = await this.#engine.channel(
        input,
        size.channels === 1 && name !== "contrast" ? 0 : name,
        this.#signal,
      );
      try {
        ways.push(...((await unlessRefused(() => this.#tryChannel(plane, name, channels.length))) ?? []));
      } finally {
        plane.dispose();
      }
    }
    return ways;
  }

  async #tryChannel(plane: Image, channel: ChannelName, channels: number): Promise<readonly Tried[]> {
    const { nodata, scale } = this.#looked;
    const isSmoothed = plane.type !== "u32" && plane.type !== "i32" && !nodata;
    const ways: Tried[] = [];
    const bases = Object.entries(await this.#bases(plane, channel));
    const sigmas = this.#isFree("smooth") && isSmoothed ? [undefined, 1.5] : [undefined];
    this.#total = Math.max(this.#total, channels * bases.length * sigmas.length);
    for (const [family, base] of bases) {
      for (const sigma of sigmas) {
        const changes: Rule = defined({
          channel: channel === "contrast" && this.#given.channel === undefined ? channel : undefined,
          smooth: sigma === undefined ? undefined : sigma * scale * this.#unit,
          ...base,
        });
        ways.push(...((await unlessRefused(() => this.#tryOne(plane, `${channel} ${family}`, changes))) ?? []));
        const done = Math.min(this.#total, ++this.#done);
        this.#onProgress?.({ stage: "suggest", done, total: this.#total, fraction: done / this.#total });
      }
    }
    return ways;
  }

  /** The thresholds to try, with the light evened out or not. */
  async #bases(plane: Image, channel: ChannelName): Promise<Record<string, Rule>> {
    const { scale, nodata } = this.#looked;
    const { threshold, polarity } = this.#given;
    const side = polarity ?? (channel === "contrast" ? ("bright" as const) : ("auto" as const));
    const hasRule = this.#kept.has("threshold") || threshold !== undefined;
    if (
      hasRule &&
      (threshold === undefined || threshold === "nonzero" || (typeof threshold === "object" && !isLocal(threshold)))
    ) {
      return { given: {} };
    }
    const shorter = Math.min(plane.width, plane.height) * scale;
    const part = (n: number): number => Math.max(2, rounded(shorter / n));
    const isWhole = plane.type === "u8" || plane.type === "u16" || plane.type === "i16";
    const evens = !nodata && this.#isFree("flatten") && (isWhole || plane.type === "f32");
    const rules: [string, Rule][] =
      threshold !== undefined
        ? [["given", {}]]
        : [
            ["otsu", { threshold: "otsu" }],
            ["triangle", { threshold: "triangle" }],
          ];
    if (evens && (threshold === undefined || typeof threshold === "string")) {
      const rule: { threshold?: Threshold } = threshold === undefined ? { threshold: "otsu" } : {};
      rules.push(["even", { flatten: part(8), ...rule }], ["evener", { flatten: part(20), ...rule }]);
    }
    if (isWhole && !nodata && threshold === undefined) {
      const offset = await this.#offset(plane);
      for (const n of [24, 60])
        rules.push([`local ${n}`, { threshold: { local: { radius: part(n), method: "mean", offset } } }]);
    }
    return Object.fromEntries(
      rules.map(([name, rule]) => [name, this.#isFree("polarity") ? { ...rule, polarity: side } : rule]),
    );
  }

  /** The contrast that counts: 6 % of the range without the 1 % of outermost values. */
  async #offset(plane: Image): Promise<number> {
    const { counts, edges } = await this.#engine.histogram(plane, this.#signal);
    const total = counts.reduce((sum, n) => sum + n, 0);
    let [below, low, high] = [0, edges[0], edges[edges.length - 1]];
    counts.forEach((n, i) => {
      if (below <= total * 0.005) low = edges[i];
      if (below < total * 0.995) high = edges[i + 1];
      below += n;
    });
    return Math.max(1, Math.round(0.06 * (high - low)));
  }

  async #tryOne(plane: Image, family: string, changes: Rule): Promise<readonly Tried[]> {
    const { within } = this.#looked;
    // Holes, parts and areas are taken one after another below; a growth would make objects touch, which cannot be split.
    const { fillHoles, maxHoleArea, split, absorb, expand, minArea, maxArea, channel: _, ...given } = this.#given;
    const { channel: __, ...rule } = changes;
    const scaled = this.#scaled({ ...given, ...rule });
    const options: ComponentsOptions = defined({ ...scaled, within, ...this.#signal, ...this.#memory });
    const base = await this.#engine.components(plane, options);
    try {
      if (base.count === 0 || base.count > MOST_OBJECTS) return [];
      const side = base.polarity === "bright" || base.polarity === "dark" ? { polarity: base.polarity } : {};
      const sided = "polarity" in changes ? { ...changes, ...side } : changes;
      const fills = this.#isFree("fillHoles") || (fillHoles !== undefined && fillHoles !== false);
      const holes = fills ? await unlessRefused(() => this.#filled(base, maxHoleArea)) : undefined;
      const filtered = holes ?? base;
      const filling = holes && fillHoles === undefined ? { fillHoles: true as const } : {};
      try {
        const first = await this.#measured(filtered, plane, { family, parts: 0 }, { ...sided, ...filling });
        // A line of pixels has no parts.
        if (!this.#isFree("split") || Math.min(base.width, base.height) < LEAST_SPLIT) return first.ways;
        // Cores closer than an eighth of a typical radius are one.
        const h = Math.max(1, Math.round(0.12 * Math.sqrt(first.half / Math.PI)));
        const parts = await unlessRefused(() => filtered.split({ h, ...this.#signal }));
        if (!parts) return first.ways;
        try {
          const many = Math.min(3, parts.count / filtered.count);
          if (parts.count === filtered.count || parts.count > MOST_OBJECTS) return first.ways;
          const parted = { ...sided, ...filling, split: h * this.#looked.scale * this.#unit };
          return [...first.ways, ...(await this.#measured(parts, plane, { family, parts: many }, parted)).ways];
        } finally {
          parts.dispose();
        }
      } finally {
        holes?.dispose();
      }
    } finally {
      base.dispose();
    }
  }

  /** The objects with their holes filled; undefined if that changes nothing or makes one object of the picture. */
  async #filled(base: Components, maxHoleArea: number | undefined): Promise<Components | undefined> {
    const { scale } = this.#looked;
    const most = maxHoleArea === undefined ? {} : { maxHoleArea: maxHoleArea / scale ** 2 };
    const filled = await base.filter({ fillHoles: true, ...most, ...this.#signal });
    const { area = [] } = await filled.regions({ properties: ["area"], ...this.#signal });
    const largest = Array.from(area).reduce((most, size) => Math.max(most, size), 0);
    if (filled.foreground > base.foreground && largest <= FILLED * base.width * base.height) return filled;
    filled.dispose();
    return undefined;
  }

  /** The ways of some objects: without the ground, and without specks by the mild and by the strict choice. */
  async #measured(
    objects: Components,
    plane: Image,
    { family, parts }: Pick<Way, "family" | "parts">,
    changes: Rule,
  ): Promise<{ readonly half: number; readonly ways: readonly Tried[] }> {
    const { scale } = this.#looked;
    const {
      area = [],
      bounds = [],
      solidity = [],
      contrast = [],
    } = await objects.regions({
      properties: ["area", "bounds", "solidity", "contrast"] as const,
      intensity: plane,
      ...this.#signal,
    });
    const sides = sidesOf(bounds, objects);
    const inner = sides.flatMap((n, i) => (n < GROUND_SIDES ? [i] : []));
    const half = halfArea(inner.map((i) => area[i]));
    const outer = sides.flatMap((n, i) => (n < GROUND_SIDES ? [] : [area[i]]));
    const ways = SPECKS.flatMap((part): readonly Tried[] => {
      const least = this.#given.minArea ?? half / part;
      const kept = inner.filter((i) => area[i] >= least);
      if (kept.length === 0) return [];
      const contrasts = kept.map((i) => Math.abs(contrast[i]));
      const middle = quantileOf(contrasts, 0.5);
      const largest = kept.reduce((most, i) => Math.max(most, area[i]), 0);
      const smallest = rounded(least * scale ** 2);
      // Specks of the whole image vanish in the means of a copy.
      const isSpeckled = (kept.length < inner.length || scale > 1) && this.#isFree("minArea") && smallest > 1;
      const rule: Rule = defined({ ...changes, minArea: isSpeckled ? smallest : changes.minArea });
      const atBorder = kept.filter((i) => sides[i] > 0).length / kept.length;
      return [
        {
          family,
          parts,
          count: kept.length,
          atBorder,
          solidity: quantileOf(
            kept.map((i) => solidity[i]),
            0.2,
          ),
          evenness: middle > 0 ? quantileOf(contrasts, 0.2) / middle : 1,
          leftOut: 1 - kept.length / area.length,
          steps: Object.keys(rule).length,
          changes: { ...rule, ...this.#withoutGround(outer, largest, atBorder) },
        },
      ];
    });
    return { half, ways };
  }

  /** The option that leaves out the ground, if one does. */
  #withoutGround(outer: readonly number[], largest: number, atBorder: number): Rule {
    if (outer.length === 0) return {};
    if (atBorder === 0 && this.#isFree("clearBorder")) return { clearBorder: true };
    if (!this.#isFree("maxArea")) return {};
    const least = Math.min(...outer);
    const middle = rounded(Math.sqrt(least * largest) * this.#looked.scale ** 2);
    return least > 1.5 * largest ? { maxArea: middle } : {};
  }
}

/** The number of sides of the picture that each object touches, from its bounds: first and one past the last column and row. */
function sidesOf(
  bounds: ArrayLike<number>,
  { width, height }: { readonly width: number; readonly height: number },
): number[] {
  return Array.from(
    { length: bounds.length / 4 },
    (_, i) =>
      Number(bounds[4 * i] <= 0) +
      Number(bounds[4 * i + 1] <= 0) +
      Number(bounds[4 * i + 2] >= width) +
      Number(bounds[4 * i + 3] >= height),
  );
}
