#!/usr/bin/env node
// npx skerry: runs the command of @skerry/cli if it is installed beside this library or in the current folder, and otherwise says how to
// get it. The library itself stays free of dependencies.

import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";

/** The folder of @skerry/cli; undefined if it is not installed. */
function folderOfCli() {
  for (const from of [import.meta.url, pathToFileURL(join(process.cwd(), "package.json"))]) {
    try {
      return dirname(createRequire(from).resolve("@skerry/cli/package.json"));
    } catch (error) {
      if (error.code !== "MODULE_NOT_FOUND") throw error;
    }
  }
  return undefined;
}

/** An argument as a POSIX shell reads it. */
function quoted(word) {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

const folder = folderOfCli();
if (folder === undefined) {
  const words = process.argv.slice(2).map(quoted).join(" ");
  console.error(
    `skerry: The command is in the package @skerry/cli, which is not installed here. Run it once: npx @skerry/cli ${words}`.trimEnd(),
  );
  console.error("Or install it, so that npx skerry runs it: npm install @skerry/cli");
  process.exitCode = 2;
} else {
  await import(pathToFileURL(join(folder, "bin/skerry.js")).href);
}
