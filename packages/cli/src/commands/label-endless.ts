// skerry label --endless: lines from stdin, a pipe or a file, and one line of JSON per object, as soon as it is finished.

import { once } from "node:events";
import { createReadStream } from "node:fs";
import { lstat } from "node:fs/promises";
import { ARRAYS } from "@skerry/files/internal";
import { reasonOf } from "@skerry/files/node/internal";
import type { Recipe } from "@skerry/recipe";
import {
  DTYPES,
  flagName,
  objectCondition,
  shownProperties,
  streamOptions,
  totalCondition,
} from "@skerry/recipe/internal";
import { type Lines, type PixelArray, type PixelType, REGION_PROPERTIES } from "skerry";
import { defined } from "skerry/internal";
import { RunError, UsageError } from "../errors.js";
import { FAILED, grouped, tellVerdict } from "../progress.js";
import { openEngine } from "./arguments.js";
import { type Options, outputsOf } from "./label-options.js";

/** Finds objects in lines without an end. Resolves once they end, or a condition of failure holds. */
export async function labelEndless(inputs: readonly string[], recipe: Recipe, options: Options): Promise<void> {
  const [input] = inputs;
  if (inputs.length !== 1) throw new UsageError(`Expected one input with --endless, got ${inputs.length}.`);
  const [output] = outputsOf(options, recipe);
  if (output) throw new UsageError(`Expected no ${output[0]} with --endless, which prints a line of JSON per object.`);
  const other = (["auto", "suggest", "timing"] as const).find((name) => options[name]);
  if (other) throw new UsageError(`Expected no --${other} with --endless, which would need all lines.`);
  const { shape: [width] = [], dtype = "uint8", nodata } = recipe.input ?? {};
  const type = DTYPES[dtype];
  if (!isComputed(type)) {
    const names = Object.entries(DTYPES).flatMap(([name, each]) => (isComputed(each) ? [name] : []));
    throw new UsageError(`Expected --dtype ${names.join(", ")} with --endless, got ${dtype}.`);
  }
  const { select, failIf } = { ...recipe.options, ...recipe.products };
  const given = streamOptions(recipe, flagName);
  const keeps = select === undefined ? undefined : objectCondition("--select", select);
  const failing = failIf === undefined ? undefined : totalCondition("--fail-if", failIf);
  const named = shownProperties(recipe);
  const engine = await openEngine(options, "cpu");
  try {
    const lines = defined<Lines>({ width, type, nodata, data: await linesOf(input, type) });
    const stream = engine.stream(lines, given);
    const totals = { count: 0, foreground: 0, coverage: Number.NaN };
    const tellFailure = (first: readonly number[] | undefined): void => {
      process.exitCode = FAILED;
      tellVerdict(input, { condition: failIf as string, objects: first && 1, first, totals });
    };
    const holdsForNone = failing !== undefined && !failing.ofObjects && failing.holds({}, totals);
    for await (const object of stream) {
      if (keeps && !keeps.holds(object)) continue;
      totals.count++;
      totals.foreground += object.area;
      const shown = Object.fromEntries(
        // Facts such as the id are no properties, of which those are shown that were asked for.
        Object.entries(object).filter(([name]) => named.includes(name) || !isProperty(name)),
      );
      await print(JSON.stringify(shown));
      if (!failing || holdsForNone || !failing.holds(object, totals)) continue;
      tellFailure(failing.ofObjects ? object.bounds : undefined);
      return;
    }
    // A condition that holds for no objects, such as count < 500, is looked at in the end.
    if (failing && !failing.ofObjects && failing.holds({}, totals)) tellFailure(undefined);
    if (!options.quiet) {
      const objects = `${grouped(totals.count)} ${totals.count === 1 ? "object" : "objects"}`;
      console.error(
        `${objects} in ${grouped(stream.row)} ${stream.row === 1 ? "line" : "lines"} of ${grouped(width)} pixels`,
      );
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== undefined && (error as NodeJS.ErrnoException).syscall !== undefined) {
      throw new RunError(`Could not read ${input}: ${reasonOf(error)}.`, { cause: error });
    }
    throw error;
  } finally {
    await engine.close();
    // A camera may still write: the command ends all the same.
    if (input === "-") process.stdin.destroy();
  }
}

/** Whether the library computes with a stored type as it is. */
const isComputed = (type: string): type is PixelType => Object.hasOwn(ARRAYS, type);

const isProperty = (name: string): boolean => (REGION_PROPERTIES as readonly string[]).includes(name);

/** Prints a line, and waits for a reader that is slow: lines are not read faster than objects are taken. */
async function print(line: string): Promise<void> {
  if (!process.stdout.write(`${line}\n`)) await once(process.stdout, "drain");
}

/** The arrays of a file or of stdin, little-endian. Bytes of a value that came in two pieces are put together. */
async function linesOf(input: string, type: PixelType): Promise<AsyncIterable<PixelArray>> {
  if (
    input !== "-" &&
    (await lstat(input)
      .then((found) => found.isDirectory())
      .catch(() => false))
  ) {
    throw new UsageError(`Expected a file, a pipe or - with --endless, got the folder ${input}.`);
  }
  const bytes: AsyncIterable<Uint8Array> =
    input === "-" ? process.stdin : createReadStream(input, { highWaterMark: 1 << 20 });
  return valuesOf(bytes, type);
}

async function* valuesOf(pieces: AsyncIterable<Uint8Array>, type: PixelType): AsyncGenerator<PixelArray> {
  const ArrayOf = ARRAYS[type];
  const size = ArrayOf.BYTES_PER_ELEMENT;
  let rest = new Uint8Array(0);
  for await (const piece of pieces) {
    if (size === 1) {
      yield piece;
      continue;
    }
    const bytes = new Uint8Array(rest.length + piece.length);
    bytes.set(rest);
    bytes.set(piece, rest.length);
    const values = Math.floor(bytes.length / size);
    rest = bytes.slice(values * size);
    if (values > 0) yield new ArrayOf(bytes.buffer, 0, values);
  }
  if (rest.length > 0) {
    throw new RunError(`Expected whole values of ${size} bytes, got ${rest.length} of the last one.`);
  }
}
