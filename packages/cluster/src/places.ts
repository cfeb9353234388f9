// Places that a process may read and write: below the prefixes of --allow, through all links.

import { readlinkSync, realpathSync } from "node:fs";
import { basename, dirname, join, resolve, sep } from "node:path";
import { isRemote } from "@skerry/files/zarr/internal";
import { ClusterError } from "./errors.js";
import type { Plan } from "./plan.js";

/**
 * Checks that a plan reads and writes below the folders and URLs of `allow` only; the working directory by default.
 * @throws ClusterError if it does not
 * @example
 * import { checkAllowed, plan } from "@skerry/cluster";
 * const recipe = { skerry: 1, operation: "components", options: { threshold: { above: 120 } } };
 * const made = await plan({ recipe, input: "cells.zarr", regions: "cells.csv" });
 * checkAllowed(made, ["."]);
 */
export function checkAllowed(plan: Plan, allow?: readonly string[]): void {
  const { input, intensities, scratch, labels, table } = plan;
  const places = [input.url, ...intensities.map(({ url }) => url), scratch, ...(labels ? [labels.url] : [])];
  if (table && !table.isBeside) places.push(table.url);
  for (const place of places) checkPlace(place, allow);
  // A table that is replaced, and one that is not whole yet, lie beside it.
  if (table && !table.isBeside && !isRemote(table.url)) checkPlace(dirname(realOf(table.url)), allow);
}

/**
 * Checks that what a plan writes lies apart from what it reads, and from each other: a table that is a folder around the image would move the
 * image away. Labels may be written into an image.
 * @throws ClusterError if two places are one, or one is inside another
 */
export function checkApart({ input, intensities, scratch, labels, table }: Plan): void {
  const read = [input.url, ...intensities.map(({ url }) => url)];
  const written = [
    ...(labels ? [["labels", labels.url] as const] : []),
    ...(table && !table.isBeside ? [["table", table.url] as const] : []),
    ["scratch", scratch] as const,
  ];
  const meet = (one: string, other: string): boolean => isBelow(one, other) || isBelow(other, one);
  for (const [i, [name, place]] of written.entries()) {
    for (const url of read) {
      const isInto = name === "labels" && isBelow(place, url) && isBelow(url, place);
      if (isInto || !meet(place, url)) continue;
      throw new ClusterError(
        "refused",
        `Expected the ${name} of a plan apart from its images, got ${place} and ${url}.`,
      );
    }
    for (const [other, path] of written.slice(0, i)) {
      if (!meet(place, path)) continue;
      throw new ClusterError(
        "refused",
        `Expected the ${name} and the ${other} of a plan apart, got ${place} and ${path}.`,
      );
    }
  }
}

/**
 * Checks that a place is below one of the prefixes.
 * @throws ClusterError if it is not
 */
export function checkPlace(place: string, allow: readonly string[] = ["."]): void {
  if (allow.some((prefix) => isBelow(place, prefix))) return;
  const shown = allow.map((prefix) => (isRemote(prefix) ? prefix : resolve(prefix))).join(", ");
  throw new ClusterError("refused", `Expected places below ${shown}, got ${place}; allow it with --allow.`);
}

/** Most links that lead from one to the next, as on Linux. */
const MOST_LINKS = 40;

/** The real path of a file or folder through all links; of one that does not exist, that of the folders and links which do. */
export function realOf(place: string, links = 0): string {
  const path = resolve(place);
  try {
    return realpathSync(path);
  } catch {
    const above = dirname(path);
    if (above === path) return path;
    const real = join(realOf(above, links), basename(path));
    const to = links < MOST_LINKS ? linkOf(real) : undefined;
    return to === undefined ? real : realOf(resolve(dirname(real), to), links + 1);
  }
}

/** The target of a link, which may not exist; undefined for anything else. */
function linkOf(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}

/** Whether a folder, a file or a URL is equal to a prefix, or lies below it. */
function isBelow(place: string, prefix: string): boolean {
  if (isRemote(prefix) !== isRemote(place)) return false;
  if (isRemote(prefix)) {
    const [path, other] = [new URL(place).href, new URL(prefix).href.replace(/\/$/, "")];
    return path === other || path.startsWith(`${other}/`);
  }
  const [path, other] = [realOf(place), realOf(prefix)];
  return path === other || path.startsWith(other.endsWith(sep) ? other : `${other}${sep}`);
}
