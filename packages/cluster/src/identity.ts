// The identity of an image that a plan reads, by which a later change is noticed.

import { createHash } from "node:crypto";
import type { Inventory, OpenedImage } from "@skerry/files/zarr/internal";

/**
 * The identity of the level of an image: names, sizes and times of its values; where nothing can be listed, as over plain HTTP, the
 * SHA-256 of its metadata alone.
 */
export type Identity = Inventory | { readonly metadata: string };

/** Identifies a level of an image. Time: a request per value; some 8 s for 10^6 files of a local disk. */
export async function identify({ store, array }: OpenedImage, level: number): Promise<Identity> {
  const { path, metadata } = await array(level);
  const found = await store.inventory(path);
  if (found) return found;
  const digest = createHash("sha256");
  for (const [key, bytes] of metadata) digest.update(`${key}\n`).update(bytes ?? "");
  return { metadata: digest.digest("hex") };
}

/** Whether images of a plan cannot be listed, so that their chunks are compared only where steps read them twice. */
export const isUnlisted = (identity: Identity): boolean => "metadata" in identity;
