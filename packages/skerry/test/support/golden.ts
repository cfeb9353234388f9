// Answers of the established tools (SciPy, scikit-image, OpenCV, scikit-learn), committed so that they count where Python is
// not. `npm run goldens` asks the tools again and writes the answers; a test whose script or input changed fails until then.

import { execFileSync, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";

const folder = resolve(import.meta.dirname, "../goldens");

/** What is asked: a Python script that reads stdin and writes stdout, and the modules that it takes. */
export interface Question {
  readonly modules: string;
  readonly script: string;
  readonly input: Uint8Array | string;
  readonly args?: readonly (string | number)[];
}

/** The answer to a question, as it was committed under a name. */
export function golden(name: string, question: Question): Buffer {
  const { script, input, args = [] } = question;
  const hash = createHash("sha256")
    .update(JSON.stringify([script, args]))
    .update(input)
    .digest("hex");
  const path = join(folder, `${name}.gz`);
  if (process.env.SKERRY_GOLDENS === "write") {
    mkdirSync(folder, { recursive: true });
    writeFileSync(path, gzipSync(Buffer.concat([Buffer.from(`${hash}\n`), answer(question)]), { level: 9 }));
  }
  if (!existsSync(path)) throw new Error(`Expected a golden ${name}, got none; run npm run goldens where Python is.`);
  const stored = gunzipSync(readFileSync(path));
  const end = stored.indexOf(10);
  if (stored.toString("latin1", 0, end) !== hash) {
    throw new Error(`Expected the script and the input of the golden ${name}, got others; run npm run goldens.`);
  }
  return stored.subarray(end + 1);
}

/** Asks a Python that has the modules. */
function answer({ modules, script, input, args = [] }: Question): Buffer {
  const candidates = [process.env.PYTHON, "/usr/bin/python3", "python3"].filter((name) => name !== undefined);
  const python = candidates.find((name) => spawnSync(name, ["-c", `import ${modules}`]).status === 0);
  if (!python) throw new Error(`Expected a Python with ${modules}, got none of ${candidates.join(", ")}.`);
  return execFileSync(python, ["-c", script, ...args.map(String)], { input, maxBuffer: 2 ** 28 });
}
