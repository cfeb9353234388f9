// The page's recipe in the address's hash, with the picture's name: deflated JSON in URL-safe base64.

import type { Recipe as SavedRecipe } from "@skerry/recipe";
import { defined } from "skerry/internal";
import { ownRecipe, type Recipe, TOOL_NAMES, VOXEL_NEIGHBOURS, type VolumeSettings } from "../settings/recipe.js";
import { savedOf } from "../tools/index.js";

const VERSION = "4";
/** The version whose recipes were plain JSON. */
const PLAIN = "3";
/** Maximum characters of the hash: some programs cut longer links. */
const MOST_LETTERS = 8000;

async function through(
  bytes: Uint8Array<ArrayBuffer>,
  stream: GenericTransformStream,
): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream as never)).arrayBuffer());
}

/** Text as deflated base64 with - and _. */
export async function packed(text: string): Promise<string> {
  const bytes = await through(new TextEncoder().encode(text), new CompressionStream("deflate-raw"));
  const letters = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
  return btoa(letters).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

/** The text that was packed. Rejects letters that packed() did not make. */
export async function unpacked(letters: string): Promise<string> {
  const bytes = Uint8Array.from(atob(letters.replaceAll("-", "+").replaceAll("_", "/")), (letter) =>
    letter.charCodeAt(0),
  );
  return new TextDecoder("utf-8", { fatal: true }).decode(await through(bytes, new DecompressionStream("deflate-raw")));
}

/** A recipe as a link holds it: with corrections as rows. */
const rows = async (recipe: SavedRecipe): Promise<object> =>
  recipe.options?.edits ? (await import("./linked-edits.js")).withRows(recipe) : recipe;

/** The hash of settings; undefined if it is too long for a link. */
export async function hashOf(settings: Recipe): Promise<string | undefined> {
  const { source, shrink, tool, volume } = settings;
  const recipe = savedOf(settings);
  const fields = new URLSearchParams(
    defined<Record<string, string>>({
      v: VERSION,
      source,
      tool,
      shrink: shrink > 1 ? `${shrink}` : undefined,
      volume: volume && JSON.stringify(volume),
      recipe: recipe ? await packed(JSON.stringify(await rows(recipe))) : undefined,
    }),
  );
  const hash = `#${fields}`;
  return hash.length <= MOST_LETTERS ? hash : undefined;
}

/** Settings of a volume; throws for others. */
function volumeOf({ connectivity, seed, tolerance, edits }: VolumeSettings): VolumeSettings {
  const isSeed = !seed || (seed.length === 3 && seed.every((at) => at >= 0 && Number.isInteger(at)));
  const isJoined = !connectivity || VOXEL_NEIGHBOURS.includes(connectivity);
  if (isSeed && isJoined && !((tolerance ?? 0) < 0)) return defined({ connectivity, seed, tolerance, edits });
  throw new Error("volume");
}

/** The settings of a hash; undefined if it has none that this version can read. */
export async function linkedOf(hash: string): Promise<Recipe | undefined> {
  try {
    const fields = new URLSearchParams(hash.slice(1));
    const [source, shrink, letters] = [fields.get("source"), Number(fields.get("shrink") ?? 1), fields.get("recipe")];
    const tool = TOOL_NAMES.find((name) => name === fields.get("tool"));
    const version = fields.get("v");
    if ((version !== VERSION && version !== PLAIN) || !source || !tool) return undefined;
    if (!Number.isInteger(shrink) || shrink < 1 || shrink > 64) return undefined;
    const told = fields.get("volume");
    const volume = told ? volumeOf(JSON.parse(told)) : undefined;
    if (!letters && !volume?.edits) return { ...ownRecipe(source, tool, shrink), volume };
    const { checkVolumeEdits, settingsOf } = await import("../settings/from-saved.js");
    const { withoutRows } = await import("./linked-edits.js");
    // Corrections of a volume are checked as those of a recipe.
    if (volume?.edits) checkVolumeEdits(volume.edits);
    if (!letters) return { ...ownRecipe(source, tool, shrink), volume };
    return {
      ...settingsOf(withoutRows(JSON.parse(version === PLAIN ? letters : await unpacked(letters)))),
      source,
      shrink,
      volume,
    };
  } catch {
    return undefined;
  }
}
