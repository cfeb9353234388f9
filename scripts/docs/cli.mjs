// Writes docs/cli.md from the help texts of the command line; with --check it only compares.

import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));
const file = `${root}docs/cli.md`;

/** A help text, in 80 columns. */
const help = (...words) =>
  execFileSync(process.execPath, [`${root}packages/cli/bin/skerry.js`, ...words], { encoding: "utf8" }).trim();

const all = help("help");
const namesIn = (text) => [...text.matchAll(/^ {2}([a-z]+) [[<]/gm)].map(([, name]) => name);
const ofCluster = namesIn(help("help", "cluster")).map((name) => `cluster ${name}`);
const names = [...namesIn(all).flatMap((name) => (name === "cluster" ? ofCluster : name)), "info --bench"];
/** The words that print a command's help. */
const wordsOf = (name) => (name.includes("--") ? [...name.split(" "), "--help"] : ["help", ...name.split(" ")]);
const titleOf = (name) => name.replace(" --bench", " to time");
const sections = names.map((name) => `## ${titleOf(name)}\n\n\`\`\`text\n${help(...wordsOf(name), "all")}\n\`\`\`\n`);
const text = `# The command line

These are the help texts of \`skerry help\` and \`skerry help COMMAND all\`: \`node scripts/docs/cli.mjs\` writes them here. \`skerry help COMMAND\`
leaves rare options out. In a clone, \`npx skerry\` runs the command line. The command line prints no colours, with \`NO_COLOR\` or without. Exit codes are 0 for done, 1 for a failed run and 2 for a wrong call. A failed run leaves no partial file.

${names.map((name) => `- [${titleOf(name)}](#${titleOf(name).replaceAll(" ", "-")})`).join("\n")}

## skerry

\`\`\`text
${all}
\`\`\`

${sections.join("\n")}`;

if (!process.argv.includes("--check")) writeFileSync(file, text);
else if (readFileSync(file, "utf8") !== text) {
  console.error("docs/cli.md is not what the help texts are now; run node scripts/docs/cli.mjs.");
  process.exit(1);
}
