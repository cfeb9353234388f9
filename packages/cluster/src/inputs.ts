// Whether the images that a plan reads still are those that were planned. A run whose image was replaced or written again in between would
// mix the objects of two images.

import { openImage, openStore } from "@skerry/files/zarr/internal";
import { ClusterError } from "./errors.js";
import { type Identity, identify } from "./identity.js";
import type { Plan, PlannedImage } from "./plan.js";
import { jsonOf, type Keys } from "./storage.js";

/** The key, below that of the run, of the identities that a submission with `sameInput` accepted. */
const ACCEPTED = "inputs.json";

/** Options of {@link checkInputs}. */
export interface InputChecks {
  /** Accepts inputs with other times, as copies have them, from here on; names and sizes have to be the same. */
  readonly sameInput?: boolean | undefined;
}

/**
 * Checks that the images of a plan are those that were planned.
 * @throws ClusterError ("changed") if one was written since
 */
export async function checkInputs(
  plan: Plan,
  run: string,
  keys: Keys,
  { sameInput = false }: InputChecks = {},
): Promise<void> {
  const key = `${run}/${ACCEPTED}`;
  const kept = await keys.get(key);
  const accepted: readonly Identity[] = kept ? (jsonOf(kept, key) as readonly Identity[]) : [];
  const found: Identity[] = [];
  for (const image of imagesOf(plan)) {
    const identity = await identify(await openImage(openStore(image.url)), image.level);
    found.push(identity);
    const difference = differenceOf(image, identity);
    if (difference === undefined) continue;
    const isTime = difference === "times";
    if (isTime && (sameInput || accepted.some((each) => isSame(each, identity)))) continue;
    const again = "plan it again";
    throw new ClusterError(
      "changed",
      isTime
        ? `The files of ${image.url} were written since it was planned: ${again}, or submit with --same-input if they are a copy of the same values.`
        : `Expected ${image.url} to be the image that was planned, of ${shown(image.identity)}, got one of ${shown(identity)}: ${again}.`,
    );
  }
  if (sameInput) await keys.set(key, new TextEncoder().encode(`${JSON.stringify(found)}\n`));
}

/** The images that a plan reads, each once. */
function imagesOf({ input, intensities }: Plan): PlannedImage[] {
  const all = new Map([input, ...intensities].map((image) => [`${image.url} ${image.level}`, image]));
  return [...all.values()];
}

const isSame = (one: Identity, other: Identity): boolean =>
  "metadata" in one || "metadata" in other
    ? JSON.stringify(one) === JSON.stringify(other)
    : one.names === other.names && one.times === other.times;

/** The part in which an image differs from the planned one; undefined if it is the same. */
function differenceOf({ identity }: PlannedImage, found: Identity): "names" | "times" | undefined {
  if (isSame(identity, found)) return undefined;
  return "names" in identity && "names" in found && identity.names === found.names ? "times" : "names";
}

function shown(identity: Identity): string {
  if ("metadata" in identity) return `other metadata (${identity.metadata.slice(0, 8)})`;
  return `${identity.files} files and ${identity.bytes} bytes (names and sizes: ${identity.names.slice(0, 8)})`;
}
