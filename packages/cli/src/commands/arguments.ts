// Options that are not recipe fields: where to run, how to report, which files are read and written.

import { accessSync, constants, existsSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { TABLE_WRITERS } from "@skerry/files/internal";
import type { RawLayout } from "@skerry/files/node/internal";
import { limitMemory, reasonOf } from "@skerry/files/node/internal";
import type { Recipe } from "@skerry/recipe";
import { DTYPES, SELECTION_KEYS as KEYS, parseBeside } from "@skerry/recipe/internal";
import { type Command, Option } from "commander";
import { type Engine, open } from "skerry";
import { CHANNELS, nearest } from "skerry/internal";
import { RunError, UsageError, unexpected } from "../errors.js";
import { addRecipeOptions, type RecipeOptions } from "./fields.js";

/** A path and its name in messages; without a path there is no file. */
export type Named = readonly [path: string | undefined, name: string];

/** Refuses to write a file twice, or over one that is read. stdin is no file. `isFilled`: `{name}` in paths was filled in. */
export function checkWritten(reads: readonly Named[], writes: readonly Named[], isFilled = false): void {
  for (const [path, name] of isFilled ? [] : writes) {
    const [braces] = /\{\w*\}/.exec(path ?? "") ?? [];
    if (braces !== undefined) {
      throw new UsageError(
        `Expected a file for ${name}, got ${braces}: only label, which takes several inputs, fills in {name}.`,
      );
    }
  }
  const remote = writes.find(([path]) => isAddress(path) && !/^s3:\/\/.+\.zarr(\/|$)/i.test(path ?? ""));
  if (remote)
    throw new UsageError(
      `Expected a file or a folder for ${remote[1]}, got ${remote[0]}: servers are read alone, and buckets take what ends in .zarr.`,
    );
  for (const [path, name] of reads) if (path !== undefined && name.startsWith("--")) checkThere(path, name);
  const owners = new Map<string, string>();
  for (const [path, name] of reads) if (path !== undefined && path !== "-") owners.set(fileOf(path), name);
  for (const [path, name] of writes) {
    if (path === undefined) continue;
    const owner = owners.get(fileOf(path));
    if (owner) throw new UsageError(`Expected every file to be written once, but ${path} is ${owner} and ${name}.`);
    owners.set(fileOf(path), name);
    if (!isAddress(path)) checkFolder(path);
  }
}

/** Whether a path has a scheme, as the addresses of servers and buckets have. */
const isAddress = (path: string | undefined): boolean => /^[a-z][a-z0-9+.-]+:\/\//i.test(path ?? "");

/** Refuses a file beside the input that is not there, before the input is read. */
function checkThere(path: string, flag: string): void {
  if (path === "-" || path.includes("{") || isAddress(path) || existsSync(path)) return;
  const selected = parseBeside(path);
  if (selected && [selected.path, selected.written].some((candidate) => existsSync(candidate))) return;
  const file = path.slice(0, Math.max(0, path.lastIndexOf(":")));
  const stem = parseBeside(file)?.path ?? file;
  if (file !== "" && (existsSync(file) || existsSync(stem)))
    throw wrongSelection(path.slice(file.length + 1), file, flag);
  throw new RunError(`Could not read ${path} of ${flag}: there is no such file or folder.`);
}

/** The error of what stands behind the colon of a file: the number or the name of a channel, or keys with their values. */
function wrongSelection(text: string, file: string, flag: string): UsageError {
  const behind = `behind ${file} in ${flag}`;
  const words = text.split(",").map((pair) => pair.split("="));
  const unknown = words.find(([key, value]) => value !== undefined && !KEYS.some((allowed) => allowed === key))?.[0];
  const got = (word: string, known: readonly string[]): string => {
    const near = nearest(word, known);
    return `got ${word === "" ? "nothing" : word}${near ? `; did you mean ${near}?` : "."}`;
  };
  if (unknown !== undefined) return new UsageError(`Expected ${KEYS.join(", ")} ${behind}, ${got(unknown, KEYS)}`);
  if (!text.includes("=")) {
    return new UsageError(
      `Expected the number or the name of a channel (${CHANNELS.join(", ")}) ${behind}, ${got(text, CHANNELS)}`,
    );
  }
  const twice = words.find(([key], i) => words.findIndex(([otherKey]) => otherKey === key) < i)?.[0];
  if (twice !== undefined) return new UsageError(`Expected ${twice} once ${behind}, got ${text}.`);
  const [key, value = ""] = words.find(([otherKey, each = ""]) => !isSelected(otherKey, each)) ?? words[0];
  return new UsageError(
    `Expected ${key === "channel" ? "the number or the name of a channel" : "a number"} for ${key} ${behind}, ${got(value, key === "channel" ? CHANNELS : [])}`,
  );
}

/** Whether a pair of a selection is one that files take. */
const isSelected = (key: string, value: string): boolean => parseBeside(`file:${key}=${value}`)?.path === "file";

/** The endings of tables, for help. */
export const TABLE_ENDINGS = Object.keys(TABLE_WRITERS)
  .join(", ")
  .replace(/, ([^,]*)$/, " or $1");

/** Refuses a file below something that is no folder, or below a folder that may not be written, before any work. */
function checkFolder(path: string): void {
  let folder = dirname(resolve(path));
  while (!existsSync(folder) && dirname(folder) !== folder) folder = dirname(folder);
  try {
    if (!statSync(folder).isDirectory()) throw Object.assign(new Error(folder), { code: "ENOTDIR" });
    if (!existsSync(path)) accessSync(folder, constants.W_OK);
    else if (statSync(path).isDirectory() && !/\.zarr(\/|$)/i.test(path))
      throw Object.assign(new Error(path), { code: "EISDIR" });
  } catch (error) {
    throw new RunError(`Could not write ${path}: ${reasonOf(error)}.`);
  }
}

/** The real path of a file, through links. If the file does not exist, only its folder's links are resolved. */
function fileOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    try {
      return join(realpathSync(dirname(path)), basename(path));
    } catch {
      return resolve(path);
    }
  }
}

/** Any finite number. */
export function number(option: string): (text: string) => number {
  return (text) => {
    const value = text.trim() === "" ? Number.NaN : Number(text);
    if (!Number.isFinite(value)) throw unexpected(option, "a number", text);
    return value;
  };
}

/** A whole number of at least 1. */
export function wholeNumber(option: string): (text: string) => number {
  return (text) => {
    const value = number(option)(text);
    if (!Number.isInteger(value) || value < 1) {
      throw unexpected(option, "a whole number of at least 1", text);
    }
    return value;
  };
}

/** Bytes: a number with an optional suffix K, M or G, which are powers of 1024. */
export function bytes(option: string): (text: string) => number {
  return (text) => {
    const [, digits, suffix] = /^(\d+(?:\.\d+)?)([KMG]?)(?:i?B)?$/i.exec(text) ?? [];
    const value = Number(digits) * 1024 ** ["", "K", "M", "G"].indexOf((suffix ?? "").toUpperCase());
    if (!(value > 0)) throw unexpected(option, "a size like 512M or 2G", text);
    return value;
  };
}

/** Device to run on. */
export type DeviceName = "auto" | "gpu" | "cpu";

/** auto, gpu or cpu. */
export function device(text: string): DeviceName {
  if (text !== "auto" && text !== "gpu" && text !== "cpu") {
    throw unexpected("--device", "auto, gpu or cpu", text);
  }
  return text;
}

/**
 * Opening a GPU takes some tenths of a second. In this time the CPU labels hundreds of millions of pixels. So `auto`
 * opens a GPU only for inputs of at least this many pixels in all, estimated from the first.
 */
const WORTH_A_GPU = 2 ** 29;

/** Device that auto opens for `inputs` inputs of `pixels` pixels each. */
export function deviceFor(pixels: number, inputs: number): DeviceName {
  return pixels * inputs < WORTH_A_GPU ? "cpu" : "auto";
}

/** Threads, 1 to 64. */
export function threads(text: string): number {
  const value = wholeNumber("--threads")(text);
  if (value > 64) throw unexpected("--threads", "at most 64", text);
  return value;
}

/** How to run and report, in every command that works on pixels. */
export interface RunOptions extends RecipeOptions {
  device: DeviceName;
  threads?: number;
  timing?: boolean;
  json?: boolean;
  quiet?: boolean;
}

/** Adds the options for where to run; `auto` describes the device that auto chooses. */
export function addDeviceOptions(command: Command, auto: string): void {
  command
    .addOption(memoryOption())
    .addOption(new Option("--device <D>", `auto, gpu or cpu; ${auto}`).default("auto").argParser(device))
    .addOption(
      new Option("--threads <N>", "worker threads (default: the machine's cores, at most 8)").argParser(threads),
    );
}

function memoryOption(): Option {
  return new Option("--memory <SIZE>", MEMORY).argParser((text) => {
    const limit = bytes("--memory")(text);
    limitMemory(limit);
    return limit;
  });
}

const MEMORY =
  "most resident memory of the process, e.g. 2G; inputs and calls that need more are refused, or go through files (default: half of the machine's for decoded inputs)";

/** Adds the options for how to run and report; `json` completes the help text of --json. */
export function addRunOptions(command: Command, auto: string, json: string): void {
  addRecipeOptions(command);
  addDeviceOptions(command, auto);
  command
    .option("--timing", "a table of stages with ms and GB/s on stderr, the GPU's own clock beside the wall clock")
    .option("--json", `one JSON object ${json}`)
    .option("--quiet", "no summary and no notes");
}

/** Adds the option of commands that write to OME-Zarr. */
export function addStoreOptions(command: Command): void {
  command.option("--overwrite", "replace what an OME-Zarr output holds under its name");
}

/** Adds the options of commands for several inputs. */
export function addBatchOptions(command: Command): void {
  command.option(
    "--fail-fast",
    "stop at the first input that fails; without it the others are processed, and the exit code is 1",
  );
}

/** Opens an engine with the options. For the device "auto" it opens the device `auto` instead. */
export function openEngine(
  { device, threads, timing }: Omit<RunOptions, "json" | "quiet">,
  auto: DeviceName,
): Promise<Engine> {
  const opening = open({ device: device === "auto" ? auto : device, threads, profile: timing });
  if (device !== "gpu") return opening;
  return opening.catch((error: Error) => {
    throw new RunError(`${error.message.replace(/\.$/, "")}; --device cpu runs without one.`, { cause: error });
  });
}

/** The layout of raw values in a recipe, if it has one. */
export function rawLayout({ shape, dtype = "uint8" }: NonNullable<Recipe["input"]> = {}): RawLayout | undefined {
  if (!shape) return undefined;
  const [width, height, depth = 1] = shape;
  return { width, height, depth, type: DTYPES[dtype] };
}
