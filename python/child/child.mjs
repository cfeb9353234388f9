// The child process of a Python program: requests come as lines of JSON on standard input, answers go as lines to standard output. Arrays
// lie in files of a folder in memory, /dev/shm where there is one: Python writes an image there and names the file, and finds results in a
// file of their own, or in one that it names since nobody holds what was in it. The first line is `{ folder, prefix, threads, device }`. The process ends with its input.

import { closeSync, openSync, readdirSync, readSync, rmSync, unlinkSync, writeSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { roomFor, serve, typeOf } from "@skerry/recipe/internal";
import { open } from "skerry";

/** Results begin at multiples of this many bytes, as numpy likes them. */
const ALIGNED = 64;
/** The most bytes that one call of the system moves. */
const MOST_BYTES = 2 ** 30;

const bytesOf = ({ buffer, byteOffset, byteLength }) => new Uint8Array(buffer, byteOffset, byteLength);

/** Reads or writes all bytes at a place of a file. */
function moveAll(move, file, bytes, offset) {
  for (let at = 0; at < bytes.length; ) {
    const moved = move(file, bytes, at, Math.min(MOST_BYTES, bytes.length - at), offset + at);
    if (moved === 0) throw new Error(`Expected ${bytes.length} bytes in the file of an array, got ${at}.`);
    at += moved;
  }
}

/** Arrays in files of a folder. */
function carrierIn(folder, prefix) {
  let files = 0;
  /** The file of images, which stays open: it is the same from call to call. */
  let image = { path: undefined, file: undefined };
  const imageFile = (path) => {
    if (image.path !== path) {
      if (image.file !== undefined) closeSync(image.file);
      image = { path, file: openSync(path, "r") };
    }
    return image.file;
  };
  return {
    /** Removes all files of this process, which a program that was killed leaves behind. */
    end() {
      const left = readdirSync(folder).filter((name) => name.startsWith(prefix));
      for (const name of left) rmSync(join(folder, name), { force: true });
    },
    async read(engine, sent) {
      const file = imageFile(sent.file);
      const data = roomFor(engine, sent);
      try {
        moveAll(readSync, file, bytesOf(data), sent.offset ?? 0);
      } catch (error) {
        engine.free(data);
        throw error;
      }
      return data;
    },
    async write(arrays, { into }) {
      const path = into ?? join(folder, `${prefix}${files++}`);
      const file = openSync(path, into ? "r+" : "wx", 0o600);
      try {
        let end = 0;
        const sent = [];
        for (const { name, data, shape } of arrays) {
          const offset = Math.ceil(end / ALIGNED) * ALIGNED;
          moveAll(writeSync, file, bytesOf(data), offset);
          end = offset + data.byteLength;
          sent.push({ name, type: typeOf(data), shape, file: path, offset });
        }
        return sent;
      } catch (error) {
        if (!into) unlinkSync(path);
        throw error;
      } finally {
        closeSync(file);
      }
    },
  };
}

const send = (message) => process.stdout.write(`${JSON.stringify(message)}\n`);
/** Has each line of standard input taken, and the end told. A reader of lines that waits for each of them takes a tenth of a small call. */
function readLines(take, end) {
  let begun = "";
  process.stdin.setEncoding("utf8");
  process.stdin.on("data", (text) => {
    const lines = (begun + text).split("\n");
    begun = lines.pop();
    for (const line of lines) take(line);
  });
  process.stdin.on("end", end);
}

let carrier;
let taking = begin;
readLines(
  (line) => taking(line),
  () => {
    carrier?.end();
    process.exit(0);
  },
);

/** Has the library find the npm package webgpu where the program runs: beside this file, in Python's packages, it is not installed. */
function findGpu() {
  try {
    const path = createRequire(`${process.cwd()}/`).resolve("webgpu");
    process.env.SKERRY_WEBGPU ??= pathToFileURL(path).href;
  } catch {
    // Without the package there is no GPU, as the library says.
  }
}

/** Takes the first line, opens the engine, and serves the lines after it. */
async function begin(line) {
  const early = [];
  taking = (next) => early.push(next);
  try {
    findGpu();
    const { folder, prefix = `skerry-${process.pid}-`, ...options } = JSON.parse(line);
    const engine = await open(options);
    const { device, threads } = engine.describe();
    send({ ready: { device, threads } });
    carrier = carrierIn(folder, prefix);
    const receive = (take) => {
      taking = (next) => {
        try {
          take(JSON.parse(next));
        } catch ({ message }) {
          send({
            error: { name: "RecipeError", message: `Expected a line of JSON, got ${next.slice(0, 40)}: ${message}` },
          });
        }
      };
      for (const next of early) taking(next);
    };
    serve(engine, { receive, send, carrier });
  } catch ({ name, message }) {
    send({ error: { name, message } });
    process.exit(1);
  }
}
