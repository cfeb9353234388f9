// The child process of a Python program: requests come as lines of JSON on standard input, answers go as lines to standard output. Arrays
// lie in files of a folder in memory, /dev/shm where there is one: Python writes an image there and names the file, and finds results in a
// file of their own, which it maps and removes. The first line is `{ folder, threads, device }`. The process ends with its input.

import { closeSync, openSync, readSync, unlinkSync, writeSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
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
function carrierIn(folder) {
  let files = 0;
  return {
    async read(engine, sent) {
      const data = roomFor(engine, sent);
      const file = openSync(sent.file, "r");
      try {
        moveAll(readSync, file, bytesOf(data), sent.offset ?? 0);
      } catch (error) {
        engine.free(data);
        throw error;
      } finally {
        closeSync(file);
      }
      return data;
    },
    async write(arrays) {
      const path = join(folder, `skerry-${process.pid}-${files++}`);
      const file = openSync(path, "wx", 0o600);
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
        unlinkSync(path);
        throw error;
      } finally {
        closeSync(file);
      }
    },
  };
}

const send = (message) => process.stdout.write(`${JSON.stringify(message)}\n`);
const lines = createInterface({ input: process.stdin, crlfDelay: Number.POSITIVE_INFINITY })[Symbol.asyncIterator]();
const { value: first, done } = await lines.next();
if (done) process.exit(0);
try {
  const { folder, ...options } = JSON.parse(first);
  const engine = await open(options);
  const { device, threads } = engine.describe();
  send({ ready: { device, threads } });
  const receive = async (take) => {
    for await (const line of lines) take(JSON.parse(line));
    process.exit(0);
  };
  serve(engine, { receive, send, carrier: carrierIn(folder) });
} catch ({ name, message }) {
  send({ error: { name, message } });
  process.exit(1);
}
