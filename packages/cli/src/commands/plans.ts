// Plans of runs over many machines: read from a file, with the folders that may be read and written.

import type { Plan } from "@skerry/cluster";
import { type Command, Option } from "commander";
import { UsageError } from "../errors.js";
import { ADDS_UP, readJson } from "./fields.js";

/** Options of commands that work on a plan. */
export interface PlanFileOptions {
  allow?: string[];
  json?: boolean;
  quiet?: boolean;
}

/** Adds --allow. */
export function addAllow(command: Command): void {
  const option = new Option(
    "--allow <PREFIX>",
    "folder, or beginning of a URL, below which plans may read and write; may be repeated (default: the working directory)",
  ).argParser((prefix: string, before: string[] | undefined) => [...(before ?? []), prefix]);
  ADDS_UP.add(option);
  command.addOption(option);
}

/** Reads a plan. */
export async function readPlan(path: string): Promise<Plan> {
  const { parsePlan } = await import("@skerry/cluster");
  return parsePlan(await readJson(path, "a plan"), path);
}

/** Part k of n, as k/n. */
export function partOption(): Option {
  return new Option(
    "--part <K/N>",
    "share of this process: part K of N, from 1; it also does steps that the others leave",
  ).argParser((text) => {
    const [, k, n] = /^(\d+)\/(\d+)$/.exec(text) ?? [];
    if (Number(k) >= 1 && Number(k) <= Number(n)) return [Number(k), Number(n)];
    throw new UsageError(`Expected --part to be K/N with K from 1 to N, such as 3/32, got ${text}.`);
  });
}
