// Peers of the benches: each a process of its own that prints one line of JSON, and how their times are shown.

import { execFile, execFileSync, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { availableParallelism, cpus, release, totalmem } from "node:os";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

/** A peer that takes longer than this for one image, reading it included, is ended. */
const PATIENCE_MILLISECONDS = 300_000;
/** Failures, which are printed at the end. */
export const notes = [];

/** Cores that this process may use, at most 8. Under taskset they are fewer than the machine's. */
export const cores = Math.min(availableParallelism(), 8);

const python = [process.env.PYTHON, "/usr/bin/python3", "python3"]
  .filter(Boolean)
  .find((name) => spawnSync(name, ["-c", "import cv2"], { stdio: "ignore" }).status === 0);
const WITHOUT_PYTHON = "skipped native OpenCV: no Python with cv2 ($PYTHON, /usr/bin/python3, python3)";

/** The names of a list in an option, or all; ends the program with a sentence where one is unknown. */
export function chosen(option, text, known) {
  const names = text?.split(",") ?? known;
  const wrong = names.find((name) => !known.includes(name));
  if (wrong === undefined) return names;
  console.error(`Expected ${option} to list some of ${known.join(", ")}, got ${JSON.stringify(wrong)}.`);
  process.exit(2);
}

/** Runs a peer of peers/ and returns its measurements; undefined, with a note, if it failed. */
export async function peer(name, args) {
  const script = fileURLToPath(new URL(`peers/${name}`, import.meta.url));
  const command = name.endsWith(".py") ? python : process.execPath;
  if (!command && !notes.includes(WITHOUT_PYTHON)) notes.push(WITHOUT_PYTHON);
  return command && measured(name, command, [script, ...args], args[0]);
}

/** Runs a compiled peer (source-peers.mjs), if there is one. */
export async function sourcePeer(program, args) {
  return program && measured(basename(program), program, args, args[0]);
}

async function measured(name, command, args, input) {
  const options = { timeout: PATIENCE_MILLISECONDS, maxBuffer: 1 << 24 };
  try {
    const { stdout } = await promisify(execFile)(command, args, options);
    return JSON.parse(stdout.trim().split("\n").at(-1));
  } catch (error) {
    const reason = error.killed
      ? `took over ${PATIENCE_MILLISECONDS / 1000} s`
      : (String(error.stderr || error.message)
          .split("\n")
          .find((line) => /Error|Exception|rror:/.test(line)) ?? "failed");
    notes.push(`${name} on ${basename(input)}: ${reason.trim().slice(0, 140)}`);
    return undefined;
  }
}

export const ms = (value) => (value === undefined ? "-" : value >= 100 ? value.toFixed(0) : value.toFixed(1));
export const times = (slow, fast) => (slow === undefined ? "-" : `${(slow / fast).toFixed(1)}x`);

/** The size of memory's pages, and whether programs get large ones: copies depend on it. */
function pages() {
  try {
    const bytes = Number(execFileSync("getconf", ["PAGESIZE"], { encoding: "utf8" }));
    const large = readFileSync("/sys/kernel/mm/transparent_hugepage/enabled", "utf8");
    return `${bytes / 1024} KiB pages, large ones ${/\[(\w+)\]/.exec(large)?.[1]}`;
  } catch {
    return "pages unknown";
  }
}

/** The machine and the day. */
export function heading() {
  const cpu = cpus()[0]?.model ?? "unknown";
  const memory = Math.round(totalmem() / 2 ** 30);
  return `${new Date().toISOString().slice(0, 10)}, ${cores} of ${cpus().length} x ${cpu}, ${memory} GiB, ${pages()}, Linux ${release()}, Node ${process.version}`;
}
