// The size of the whole, beside the last values in CHANGELOG's section Budget: commands, flags, public names, lines of source,
// dependencies, words of docs. Uses the build.
//
//     node scripts/lint/budget.mjs [--check | --accept]
//
// --check fails if one is larger than its last value (lines and words: in steps of 500). --accept writes the values into CHANGELOG, where a line says why one rose.

import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));
const skerry = `${root}packages/cli/bin/skerry.js`;
const read = (path) => readFileSync(`${root}${path}`, "utf8");
const list = (...patterns) =>
  execFileSync("git", ["ls-files", "-co", "--exclude-standard", "--", ...patterns], { cwd: root, encoding: "utf8" })
    .trim()
    .split("\n");
const sum = (numbers) => numbers.reduce((all, n) => all + n, 0);

/** Names of commands, as the help of skerry or of one of its commands lists them. */
function commandsOf(...words) {
  const help = execFileSync(process.execPath, [skerry, ...words, "--help"], { encoding: "utf8" });
  return [...help.matchAll(/^ {2}([a-z]+) [[<]/gm)].map(([, name]) => name);
}

/** Flags of a command, those of each once. */
function flagsOf(command) {
  const help = execFileSync(process.execPath, [skerry, ...command.split(" "), "--help", "all"], { encoding: "utf8" });
  return [...help.matchAll(/^ {2}(?:-\w, )?(--?[a-zA-Z-]+)/gm)].length;
}

/** Files that a package offers to others, but those that are named `internal`, which are for our own packages. */
function entriesOf(name) {
  const { exports } = JSON.parse(read(`packages/${name}/package.json`));
  const targets = Object.entries(exports ?? {}).filter(
    ([path]) => !path.endsWith("/internal") && !path.includes("package.json"),
  );
  const files = targets.map(([, target]) => (typeof target === "string" ? target : (target.types ?? target.default)));
  return [...new Set(files)]
    .filter((file) => /^\.\/dist\/.*\.(d\.ts|js)$/.test(file))
    .map((file) => `packages/${name}/${file.replace("./dist/", "src/").replace(/(\.d\.ts|\.js)$/, ".ts")}`)
    .filter((file) => existsSync(`${root}${file}`));
}

/** Names that a module exports. */
function namesIn(path) {
  const text = read(path).replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, "");
  const lists = [...text.matchAll(/export (?:type )?\{([^}]*)\}/g)].flatMap(([, names]) => names.split(","));
  const declared = [...text.matchAll(/^export (?:async )?(?:const|function\*?|class|type|interface) (\w+)/gm)];
  return [
    ...lists
      .map((name) =>
        name
          .trim()
          .replace(/^type /, "")
          .split(" as ")
          .at(-1),
      )
      .filter((name) => name !== ""),
    ...declared.map(([, name]) => name),
  ];
}

const PACKAGES = ["skerry", "files", "recipe"];

/** Packages that are needed at run time, ours left out. */
function dependencies() {
  const all = list("packages/*/package.json").flatMap((path) => Object.keys(JSON.parse(read(path)).dependencies ?? {}));
  return new Set(all.filter((name) => name !== "skerry" && !name.startsWith("@skerry/"))).size;
}

/** Lines and words are counted in steps, so that not every line needs a word of its own in CHANGELOG. */
const STEP = 500;
const allowed = (name, value) => (/lines|words/.test(name) ? Math.ceil(value / STEP) * STEP : value);

const words = (path) => read(path).split(/\s+/).length;
const lines = (path) => read(path).split("\n").length - 1;
const commands = commandsOf();
/** Those with flags of their own. */
const called = [
  ...commands.flatMap((name) => (name === "cluster" ? commandsOf(name).map((own) => `${name} ${own}`) : name)),
  "info --bench",
];
const values = {
  commands: commands.length,
  flags: sum(called.map(flagsOf)),
  "flags of label": flagsOf("label"),
  "public names": sum(PACKAGES.map((name) => new Set(entriesOf(name).flatMap(namesIn)).size)),
  "lines of source": sum(
    list("packages/*/src/*", "packages/*/src/**/*")
      .filter((path) => /\.(ts|tsx|wgsl|css)$/.test(path))
      .map(lines),
  ),
  "run-time dependencies": dependencies(),
  "words of docs": sum(
    list("README.md", "docs/*.md", "docs/**/*.md")
      .filter((path) => path !== "docs/cli.md")
      .map(words),
  ),
};

const changelog = read("CHANGELOG.md");
const section = /### Budget\n[\s\S]*?(?=\n### |\n## |$)/.exec(changelog)?.[0] ?? "";
const before = new Map(
  [...section.matchAll(/^\| ([a-z -]+) \| (\d+) \|/gm)].map(([, name, value]) => [name, Number(value)]),
);
const risen = [];
for (const [name, value] of Object.entries(values)) {
  const last = before.get(name);
  const change = last === undefined ? "new" : value === last ? "" : `${value > last ? "+" : ""}${value - last}`;
  console.log(`${name}: ${value}${change && ` (${change})`}`);
  if (last === undefined || value > last) risen.push(name);
}
if (process.argv.includes("--accept")) {
  const rows = Object.entries(values).map(([name, value]) => `| ${name} | ${allowed(name, value)} |`);
  const table = ["| of the whole | now |", "| --- | ---: |", ...rows].join("\n");
  writeFileSync(`${root}CHANGELOG.md`, changelog.replace(/\| of the whole[\s\S]*?\n(?!\|)/, `${table}\n`));
} else if (process.argv.includes("--check") && risen.length > 0) {
  console.log(
    `${risen.join(", ")} rose: say why in CHANGELOG's section Budget, then run node scripts/lint/budget.mjs --accept`,
  );
  process.exitCode = 1;
}
