// Finds flags and names in Markdown that the code does not have, in inline code and code blocks. A flag after `skerry COMMAND`
// must be in that command's --help. Any other flag must occur in the sources, and so must each name of a call or an option
// in inline code.
//
//     node scripts/lint/prose.mjs        after a build, because it runs --help of the commands

import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const root = resolve(dirname(fileURLToPath(import.meta.url)), "../..");
const tracked = execFileSync("git", ["ls-files", "-co", "--exclude-standard"], { cwd: root, encoding: "utf8" })
  .trim()
  .split("\n");
const read = (path) => readFileSync(join(root, path), "utf8");

/** Names of other programs and of examples, which need not occur in the code. */
const FOREIGN = new Set(
  // Quoted from other tools' manuals, and placeholders of examples.
  [
    "regionprops",
    "gaussian_filter",
    "pycocotools",
    "dcm2niix",
    "gdcmconv",
    "imread",
    "InferenceSession",
    "navigator",
    "slider",
    "canvas",
    "readBox",
    "append",
    "drawImage",
  ],
);

const sources = tracked
  .filter((path) => /\.(ts|tsx|mjs|js|cjs|py|cu|wgsl|json|html|css|sh)$/.test(path) || path === ".ci/run")
  .filter((path) => path !== "package-lock.json")
  .map(read)
  .join("\n");
const words = new Set(sources.match(/[A-Za-z_$][\w$]*/g));
const flags = new Set(sources.match(/--[a-z][a-z0-9-]*/g));
// Options of benches and of the fuzzer are declared by parseArgs, without dashes.
for (const [, name] of sources.matchAll(/\b([a-z][\w-]*): \{ type: "(?:string|boolean)"/g)) flags.add(`--${name}`);
for (const [, name] of sources.matchAll(/"([a-z][\w-]*)": \{ type: "(?:string|boolean)"/g)) flags.add(`--${name}`);

const help = new Map();
const helpOf = (...words) =>
  execFileSync(process.execPath, [join(root, "packages/cli/bin/skerry.js"), ...words, "--help", "all"], {
    encoding: "utf8",
  });
function flagsOf(command) {
  if (!help.has(command)) {
    const text = helpOf(...command.split(" ")) + (command === "info" ? helpOf("info", "--bench") : "");
    help.set(command, new Set([...text.match(/(?<![\w-])--?[a-z][a-z0-9-]*/g), "-h", "--help"]));
  }
  return help.get(command);
}

const COMMANDS = "label|fill|distance|kmeans|mask|run|explain|info|lab|cluster [a-z]+";
const found = [];
// docs/cli.md is what the commands themselves print.
for (const path of tracked.filter((each) => each.endsWith(".md") && each !== "docs/cli.md")) {
  let fenced = false;
  // After a backslash at the end of a line, a command continues on the next.
  const lines = read(path).replaceAll(/\\\n/g, "  ").split("\n");
  lines.forEach((line, i) => {
    const say = (what) => found.push(`${path}:${i + 1}: ${what}`);
    if (/^\s*```/.test(line)) {
      fenced = !fenced;
      return;
    }
    for (const code of fenced ? [line] : [...line.matchAll(/`([^`]+)`/g)].map(([, inside]) => inside)) {
      const [, named] = /npx (?:skerry|@skerry\/cli) ([a-z]+)\b/.exec(code.split(" # ")[0]) ?? [];
      if (
        named !== undefined &&
        named !== "help" &&
        !new RegExp(`^(?:${COMMANDS.replace(" [a-z]+", "")})$`).test(named)
      )
        say(`there is no command ${named}`);
      const call = new RegExp(`(?:skerry|@skerry/cli) (${COMMANDS})\\b(.*)`).exec(code.split(" # ")[0]);
      for (const [flag] of code.matchAll(/(?<![\w-])--[a-z][a-z0-9-]*/g)) {
        if (call?.[2].includes(flag) ? !flagsOf(call[1]).has(flag) : !flags.has(flag)) {
          say(`${call ? `skerry ${call[1]} has no ${flag}` : `there is no ${flag}`}`);
        }
      }
      // coming-from.md names calls of other tools.
      if (fenced || path === "docs/coming-from.md") continue;
      for (const [, name] of code.matchAll(/(?:^|[.\s({])([a-z][A-Za-z]{3,})\(/g)) {
        if (!words.has(name) && !FOREIGN.has(name)) say(`there is no ${name}()`);
      }
      // Names in camel case that are the whole inline code.
      if (/^[a-z]+[A-Z]\w*$/.test(code) && !words.has(code) && !FOREIGN.has(code)) say(`there is no ${code}`);
    }
  });
}
// Comments and docstrings begin with a verb or a noun.
const commented = tracked.filter((each) => /^packages\/\w+\/src\/.*\.(ts|tsx|wgsl)$/.test(each));
for (const path of commented) {
  read(path)
    .split("\n")
    .forEach((line, i, lines) => {
      const [, mark, word] = /^\s*(\/\*\*|\*|\/\/) (What|Where|Those|Of|Whoever) /.exec(line) ?? [];
      // A later line of a comment may begin with such a word.
      const begins =
        mark === "/**" || /^\s*\/\*\*$/.test(lines[i - 1] ?? "") || !/^\s*(\*|\/\/)/.test(lines[i - 1] ?? "");
      if (word && begins) found.push(`${path}:${i + 1}: a comment begins with ${word}`);
    });
}
for (const line of found) console.log(line);
console.log(`${found.length} names in prose that do not exist, or comments without a subject`);
if (found.length > 0) process.exitCode = 1;
