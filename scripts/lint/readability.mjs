// Counts the sentences of each page, those of more than 25 words, and those that begin with What, Where, Those, Whoever or Of.
// `node scripts/lint/readability.mjs [--list] [--check]`; --check fails if README or guide have a long sentence, or if a sentence
// of any page begins with one of these words. `--at COMMIT` reads the pages of another commit.

import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));
const given = process.argv.slice(2);
const commit = given.includes("--at") ? given[given.indexOf("--at") + 1] : undefined;
const git = (...words) => execFileSync("git", words, { cwd: root, encoding: "utf8", maxBuffer: 2 ** 26 });
const pages = git("ls-files", "-co", "--exclude-standard", "*.md")
  .trim()
  .split("\n")
  .filter((name) => !/CHANGELOG|docs\/cli\.md|NOTES|runs-/.test(name));

const MOST_WORDS = 25;
const BEGINNINGS = /^(What|Where|Those|Whoever|Of)\b/;

function read(page) {
  if (commit === undefined) return readFileSync(`${root}${page}`, "utf8");
  try {
    return execFileSync("git", ["show", `${commit}:${page}`], {
      cwd: root,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    });
  } catch {
    return "";
  }
}

/** Sentences of prose: without code, tables, headings, pictures and comments. */
function sentencesOf(markdown) {
  const prose = markdown
    .replaceAll(/```[\s\S]*?```/g, "")
    .replaceAll(/<!--[\s\S]*?-->/g, "")
    .replaceAll(/^(\||#|- \[).*$/gm, "")
    // Lists of links on one line.
    .replaceAll(/^.* · .*$/gm, "")
    .replaceAll(/!\[[^\]]*\]\([^)]*\)/g, "")
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replaceAll(/`[^`]*`/g, "Code")
    .replaceAll(/<[^>]+>/g, "");
  return prose
    .split(/\n\s*\n|\n\s*(?:[-*]|\d+\.) /)
    .map((paragraph) => paragraph.split(/\s+/).join(" ").trim())
    .flatMap((paragraph) => paragraph.split(/(?<=[.!?:])\s+(?=[A-Z"`(*])/))
    .filter((sentence) => sentence.split(" ").length > 2);
}

const rows = [];
const faults = [];
for (const page of pages) {
  const sentences = sentencesOf(read(page));
  const long = sentences.filter((sentence) => sentence.split(" ").length > MOST_WORDS);
  const strange = sentences.filter((sentence) => BEGINNINGS.test(sentence) && !sentence.endsWith("?"));
  rows.push({ page, sentences: sentences.length, long: long.length, strange: strange.length });
  if (given.includes("--list")) for (const sentence of [...long, ...strange]) console.log(`${page}: ${sentence}`);
  for (const sentence of strange) faults.push(`${page}: begins without a subject: ${sentence}`);
  if (page === "README.md" || page === "docs/guide.md") {
    for (const sentence of long) faults.push(`${page}: more than ${MOST_WORDS} words: ${sentence}`);
  }
}
if (!given.includes("--check")) console.table(rows);
else if (faults.length > 0) {
  console.error(faults.join("\n"));
  process.exit(1);
}
