// Loaded before a worker (node --import): stops or kills the process before its operation number STOP_AT on a file or a server, and tells at the end how
// many there were. SIGSTOP cannot be caught, so nothing of the process goes on until SIGCONT.

import { writeFileSync } from "node:fs";
import promises from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";

const at = Number(process.env.STOP_AT ?? Number.POSITIVE_INFINITY);
const signal = process.env.STOP_BY ?? "SIGSTOP";
// What this script itself does is not counted.
let count = Number.NaN;
/** Calls by name, of those that change what is on a disk. */
const calls = { rename: 0, link: 0, written: 0 };

function counted(of, name) {
  const own = of[name];
  of[name] = function (...given) {
    if (count++ === at) process.kill(process.pid, signal);
    if (Object.hasOwn(calls, name)) calls[name]++;
    if (name === "open" && /[wa]/.test(`${given[1]}`)) calls.written++;
    return own.apply(this, given);
  };
}

for (const name of [
  "open",
  "rename",
  "unlink",
  "rm",
  "rmdir",
  "mkdir",
  "readdir",
  "readFile",
  "writeFile",
  "stat",
  "lstat",
  "link",
]) {
  counted(promises, name);
}
const handle = await promises.open(new URL(import.meta.url));
const { prototype } = handle.constructor;
await handle.close();
for (const name of ["read", "readFile", "write", "sync", "stat", "chmod", "close"]) counted(prototype, name);
counted(globalThis, "fetch");
count = 0;
syncBuiltinESMExports();
process.on("exit", () => {
  if (process.env.STOP_COUNT) writeFileSync(process.env.STOP_COUNT, JSON.stringify({ count, ...calls }));
});
