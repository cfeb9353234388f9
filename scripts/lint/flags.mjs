// Checks that every flag of the command line is a field of recipes, or one of the lists below: outputs, devices, reports.
// Uses the build.
//
//     node scripts/lint/flags.mjs

import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { FIELDS, OPERATIONS, operationsOf } from "../../packages/recipe/dist/internal.js";

const skerry = fileURLToPath(new URL("../../packages/cli/bin/skerry.js", import.meta.url));
const COMMANDS = ["label", "fill", "distance", "kmeans", "mask", "explain", "info --bench", "cluster plan"];

const OUTPUTS =
  "-o --output --regions --runs --outlines --overlay --figure --mask --classes --palette --preview --nearest";
const DEVICES = "--memory --device --threads";
const REPORTS = "--overwrite --fail-fast --recipe --steps --timing --json --quiet --help -h";
const apart = new Set([OUTPUTS, DEVICES, REPORTS].join(" ").split(" "));
/** Options of commands that show or time an operation. */
const SHOWN = {
  explain: ["--strips", "--tiles"],
  "info --bench": ["--bench", "--rounds", "--tour", "--cases", "--only"],
  "cluster plan": ["--block", "--scratch", "--dry-run"],
  // They choose fields of recipes, and print their flags.
  label: ["--auto", "--suggest"],
};

const wrong = [];
let count = 0;
for (const command of COMMANDS) {
  const help = execFileSync(process.execPath, [skerry, ...command.split(" "), "--help", "all"], { encoding: "utf8" });
  const listed = [...help.matchAll(/^ {2}(-[a-z-]+)(?:, (--[a-z-]+))?/gm)].flatMap(([, one, other]) => [one, other]);
  const operations = operationsOf(command);
  const own = FIELDS.filter((field) =>
    (operations.length ? operations : OPERATIONS).some((each) => field.operations.includes(each)),
  );
  const flags = new Set(own.flatMap((field) => field.flags.map(({ name }) => name)));
  for (const flag of listed.filter((each) => each !== undefined)) {
    count++;
    if (!flags.has(flag) && !apart.has(flag) && !SHOWN[command]?.includes(flag)) wrong.push(`${command} ${flag}`);
  }
}
for (const each of wrong) console.log(`skerry ${each} is no field of a recipe`);
console.log(`${count} flags, ${wrong.length} without a field`);
if (wrong.length > 0) process.exitCode = 1;
