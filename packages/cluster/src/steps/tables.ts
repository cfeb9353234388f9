// Step `tables`: writes the rows of a part of the table. For found objects a part is a layer of blocks, because labels increase
// along z. For label images it is a range of labels.

import { MemoryOutput, spacingOf, type TableOptions, writeRegions } from "@skerry/files";
import { ARRAYS, frameOf } from "@skerry/files/internal";
import type { Regions } from "skerry";
import { defined, isOfIntensity, type WholeObjects, wholeRegions } from "skerry/internal";
import type { Context } from "../context.js";
import type { Section } from "../format.js";
import { boxOf, placeOf } from "../grid.js";
import { isMeasure } from "../plan.js";
import { type Part, Totals } from "../records.js";
import { wantedOfPlan } from "./label.js";
import { addRange } from "./measure.js";
import { correctionsOf } from "./relabel.js";

/** Most objects whose totals are in memory at a time. */
const MOST_OBJECTS = 2 ** 20;

export async function tables(context: Context, part: number): Promise<void> {
  const { storage, plan } = context;
  const sections: Record<string, Section> = {};
  const csv = new MemoryOutput();
  let pieces = 0;
  for await (const piece of isMeasure(plan) ? addRange(context, part) : layerOf(context, part)) {
    const { format } = plan.table as NonNullable<typeof plan.table>;
    const table = await tableOf(context, piece);
    // Every part begins with the header line; the step `finish` keeps only that of the first part.
    if (format !== "parquet") {
      const output = new MemoryOutput();
      await writeRegions(output, table.regions, "csv", table.columns);
      for (const chunk of pieces === 0 ? output.chunks : output.chunks.slice(1)) csv.write(chunk);
    }
    if (format !== "csv") {
      const output = new MemoryOutput();
      await writeRegions(output, table.regions, "parquet", table.columns);
      sections[`parquet${pieces}`] = output.bytes();
    }
    pieces++;
  }
  await storage.write("table", part, { ...sections, csv: csv.bytes(), pieces: Uint32Array.of(pieces) });
}

/** The objects that begin in a layer of blocks, a piece at a time. */
async function* layerOf(context: Context, layer: number): AsyncGenerator<Part> {
  const { grid, storage } = context;
  const totals = await storage.read("totals", 0, ["slabs"]);
  const [begin, end] = [Number(totals.slabs[layer]), Number(totals.slabs[layer + 1])];
  const { blocks } = await storage.read<"blocks">("coming", layer);
  const blocksOfPiece = Array.from({ length: grid.count }, (_, block) => block).filter(
    (block) => placeOf(grid, block)[0] === layer,
  );
  // A part without objects has one piece without rows, for its header line.
  for (let from = begin; from === begin || from < end; from += MOST_OBJECTS) {
    const to = Math.min(end, from + MOST_OBJECTS);
    const piece = new Pieces(context, from, to);
    for (const block of blocksOfPiece) {
      const { labels } = await storage.read("final", block, ["labels"]);
      const { fragment } = await storage.read("order", block, ["fragment"]);
      const corrections = await correctionsOf(context, block);
      const of = (r: number): number => Number(labels[r]);
      piece.add(block, await storage.read("records", block), of);
      for (const [s, parts] of corrections) piece.correct(of(Number(fragment[s])), parts, 0);
    }
    for (const block of blocks) {
      const moved = await storage.read("moved", Number(block));
      if (!moved.label) continue;
      const of = (r: number): number => Number(moved.label[r]);
      piece.add(Number(block), moved, of);
      for (let r = 0; r < moved.label.length; r++) piece.correct(of(r), moved.parts as Float64Array, r);
    }
    yield piece.part;
  }
}

/** Adds up records and corrections of the labels of a range. */
class Pieces {
  readonly #context: Context;
  readonly #from: number;
  readonly #to: number;
  readonly #totals: Totals;
  #value: Float64Array | undefined;
  #polarity: Uint8Array | undefined;

  /** Labels above `from`, up to `to`. */
  constructor(context: Context, from: number, to: number) {
    this.#context = context;
    this.#from = from;
    this.#to = to;
    this.#totals = new Totals(to - from, wantedOfPlan(context));
  }

  add(block: number, records: Readonly<Record<string, Section>>, labelOf: (r: number) => number): void {
    const { from } = boxOf(this.#context.grid, block);
    const { value, polarity, area } = records;
    if (value) this.#value ??= new Float64Array(this.#totals.count);
    if (polarity) this.#polarity ??= new Uint8Array(this.#totals.count);
    const [values, polarities] = [this.#value, this.#polarity];
    for (let r = 0; r < area.length; r++) {
      const label = labelOf(r);
      if (label <= this.#from || label > this.#to) continue;
      const o = label - this.#from - 1;
      this.#totals.add(o, records, r, from);
      if (values) values[o] = Number(value[r]);
      if (polarities) polarities[o] = Number(polarity[r]);
    }
  }

  correct(label: number, parts: ArrayLike<number>, i: number): void {
    if (label > this.#from && label <= this.#to) this.#totals.correct(label - this.#from - 1, parts, i);
  }

  get part(): Part {
    return { totals: this.#totals, first: this.#from + 1, value: this.#value, polarity: this.#polarity };
  }
}

/** The measurements of a piece, and the options of their table. */
async function tableOf(
  { plan }: Context,
  { totals, first, value, isWide, polarity }: Part,
): Promise<{ readonly regions: Regions; readonly columns: TableOptions }> {
  const { recipe, properties, space, size, from, input, intensities } = plan;
  const physical = recipe.options?.physical === true;
  const [x = 1, y = 1, z = 1] = spacingOf(space) ?? [];
  const objects = totals.objects();
  const hasValue = value ?? (needsValue(plan) ? new Float64Array(totals.count) : undefined);
  const hasPolarity = polarity ?? (needsPolarity(plan) ? new Uint8Array(totals.count) : undefined);
  const given: WholeObjects = defined({
    ...objects,
    properties,
    depth: size[0],
    intensities: objects.intensities.slice(0, 1),
    spacing: physical ? ([x, y, z] as const) : undefined,
    value: hasValue
      ? isWide
        ? Uint32Array.from(hasValue, (_, o) => o + 1)
        : ARRAYS[input.type].from(hasValue as never)
      : undefined,
    polarity: hasPolarity,
  });
  const regions: Regions = await wholeRegions(given);
  const ofValues = properties.filter(isOfIntensity);
  const others = [];
  for (const [i, intensity] of objects.intensities.entries()) {
    if (i === 0) continue;
    const other = await wholeRegions({ ...given, properties: ofValues, intensities: [intensity] });
    others.push({ name: intensities[i].name ?? `${i}`, regions: other });
  }
  const name = intensities[0]?.name;
  const frame = frameOf(space, { physical, origin: [from[2], from[1], from[0]] });
  const ids = isWide && hasValue ? BigInt64Array.from(hasValue, BigInt) : undefined;
  return { regions, columns: defined({ properties, depth: size[0], first, others, frame, ids, name }) };
}

function needsValue({ recipe }: Context["plan"]): boolean {
  return recipe.operation !== "components" || recipe.options?.by !== undefined;
}

function needsPolarity({ recipe }: Context["plan"]): boolean {
  const threshold = recipe.options?.threshold;
  return typeof threshold === "object" && "outside" in threshold;
}
