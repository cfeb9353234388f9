// The command line in this process: what `skerry ARGUMENTS` would print, and its exit code. Signals, broken pipes and what
// depends on the environment take a process of their own; see bin/skerry.js.

import { Readable } from "node:stream";
import { main } from "../../src/main.js";

export interface Result {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Runs the command line in a folder, with `input` as its stdin. */
export async function run(args: readonly string[], folder: string, input?: Buffer): Promise<Result> {
  const written = { out: "", err: "" };
  const { stdout, stderr } = process;
  const before = {
    folder: process.cwd(),
    code: process.exitCode,
    stdin: Object.getOwnPropertyDescriptor(process, "stdin"),
    out: stdout.write,
    err: stderr.write,
    log: console.log,
    error: console.error,
  };
  const into =
    (name: "out" | "err") =>
    (...chunk: unknown[]): true => {
      written[name] += typeof chunk[0] === "string" ? chunk[0] : Buffer.from(chunk[0] as Uint8Array).toString();
      return true;
    };
  stdout.write = into("out") as typeof stdout.write;
  stderr.write = into("err") as typeof stderr.write;
  console.log = (...words) => void into("out")(`${words.join(" ")}\n`);
  console.error = (...words) => void into("err")(`${words.join(" ")}\n`);
  Object.defineProperty(process, "stdin", { configurable: true, value: Readable.from(input ? [input] : []) });
  process.exitCode = undefined;
  process.chdir(folder);
  try {
    await main(["node", "skerry", ...args]);
    return { code: Number(process.exitCode ?? 0), ...written };
  } finally {
    process.chdir(before.folder);
    process.exitCode = before.code;
    stdout.write = before.out;
    stderr.write = before.err;
    console.log = before.log;
    console.error = before.error;
    if (before.stdin) Object.defineProperty(process, "stdin", before.stdin);
  }
}
