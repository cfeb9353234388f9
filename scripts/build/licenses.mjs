// The licences of the packages whose code is bundled into a file, as one text beside it: LICENSES.txt.

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, sep } from "node:path";

const modules = `${sep}node_modules${sep}`;

/** The folder and name of the package of a file in node_modules; undefined for our own files. */
function packageOf(file) {
  const at = file.lastIndexOf(modules);
  if (at < 0) return undefined;
  const parts = file.slice(at + modules.length).split(sep);
  const name = parts[0].startsWith("@") ? parts.slice(0, 2).join("/") : parts[0];
  return { name, folder: join(file.slice(0, at + modules.length), name) };
}

/**
 * The licences of what was bundled, by the names of the bundled files. A package without the text of its licence is named
 * with the licence that its package.json states.
 */
export function licensesOf(inputs) {
  const packages = new Map();
  for (const input of inputs) {
    const found = packageOf(input);
    if (found && existsSync(join(found.folder, "package.json"))) packages.set(found.name, found.folder);
  }
  const texts = [...packages]
    .sort(([a], [b]) => a.localeCompare(b))
    .map(([name, folder]) => {
      const { version, license, author } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
      if (!license) throw new Error(`${name} states no licence`);
      const file = readdirSync(folder).find((each) => /^(licen[cs]e|copying)/i.test(each));
      const by = typeof author === "string" ? author : author?.name;
      const text = file
        ? readFileSync(join(folder, file), "utf8").trim()
        : `Licensed under ${license}${by ? ` by ${by}` : ""}.`;
      return `${name} ${version}\n${license}\n\n${text}\n`;
    });
  return texts.join(`\n${"-".repeat(80)}\n\n`);
}
