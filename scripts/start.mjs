// npm start: finds the galaxies of samples/hubble_deep_field.jpg, and prints in three lines the count, the written files and
// commands to try next. In a terminal it then opens the page, unless --no-open is given. Builds first if there is no build.

import { execFileSync, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const run = (command, args) =>
  execFileSync(command, args, { cwd: root, encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] });
if (!existsSync(`${root}packages/cli/bundle/main.js`)) run("npm", ["run", "build"]);
const options = ["--threshold", ">60", "--min-area", "6", "--overlay", "galaxies.png", "--regions", "galaxies.csv"];
const input = "samples/hubble_deep_field.jpg";
const found = JSON.parse(run(process.execPath, ["packages/cli/bin/skerry.js", "label", input, ...options, "--json"]));
const { count, width, height, milliseconds, threads } = found;
console.log(
  `Found ${count} galaxies and stars in ${input} (${width} x ${height}) in ${milliseconds.toFixed(0)} ms, on ${threads} ${threads === 1 ? "thread" : "threads"} of the CPU.`,
);
console.log("Look at galaxies.png, each in its own colour, and galaxies.csv, their measurements.");
console.log("Next: npx @skerry/cli explain YOUR.png -o stages, or npx @skerry/cli info --bench --tour.");
// Only in a terminal, because the page is served until Ctrl+C.
if (process.stdout.isTTY && !process.argv.includes("--no-open")) {
  console.log("The page, until Ctrl+C: ");
  spawnSync(process.execPath, ["packages/cli/bin/skerry.js", "lab"], { cwd: root, stdio: "inherit" });
}
