// Every block of code and every command of README, docs and docstrings runs, on small rendered inputs, and prints what the
// comment behind a console.log says. A block that is not run says why, in a comment before it.

import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { check } from "@skerry/recipe";
import { type Engine, open, Unsupported } from "skerry";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Block, blocksOf, commandsOf, examples, pages, root } from "./support/blocks.js";
import { rendered } from "./support/rendered.js";
import { run } from "./support/run.js";
import { MODULES, scopeOf } from "./support/scope.js";

const blocks = pages().flatMap(blocksOf);
const ofLanguage = (...languages: string[]): Block[] => blocks.filter(({ language }) => languages.includes(language));
const AsyncFunction = (async () => undefined).constructor as new (
  ...given: string[]
) => (...given: unknown[]) => Promise<void>;

/** The numbers of a text. */
const numbersOf = (text: string): number[] => (text.match(/-?\d+(?:\.\d+)?/g) ?? []).map(Number);

let folder: string;
let before: string;
let engine: Engine;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "skerry-blocks-"));
  cpSync(join(root, "samples"), join(folder, "samples"), { recursive: true });
  cpSync(join(root, "samples/cells.zarr"), join(folder, "cells.zarr"), { recursive: true });
  for (const name of ["your.png", "cells.png", "nuclei.png", "photo.png"]) {
    cpSync(join(root, "samples/cells.png"), join(folder, name));
  }
  cpSync(join(root, "samples/coffee.png"), join(folder, "photo.jpg"));
  rendered(folder);
  // Of the photographs one is broken on purpose; how-to.test.ts looks at it.
  rmSync(join(folder, "photos/p4.png"));
  cpSync(join(folder, "scan.nii.gz"), join(folder, "head.nii.gz"));
  const labels = await run(
    ["label", "nuclei.tif", "--channel", "0", "--threshold", "otsu", "-o", "labels.tif"],
    folder,
  );
  expect(labels.code).toBe(0);
  before = process.cwd();
  process.chdir(folder);
  engine = await open({ device: "cpu", threads: 2 });
});
afterAll(async () => {
  await engine.close();
  process.chdir(before);
  rmSync(folder, { recursive: true });
});

/** Runs a block of JavaScript; resolves to what it printed, call by call. */
async function runCode({ code, place }: Block): Promise<string[]> {
  const scope = await scopeOf(engine, place);
  const printed: string[] = [];
  const own = {
    log: (...values: unknown[]) =>
      printed.push(
        values.map((value) => (ArrayBuffer.isView(value) ? Array.from(value as Uint8Array) : value)).join(" "),
      ),
  };
  const body = code
    .replaceAll(/^import \* as (\w+) from "([^"]+)";$/gm, 'const $1 = modules["$2"];')
    .replaceAll(/^import \{([^}]+)\} from "([^"]+)";$/gm, 'const {$1} = modules["$2"];');
  // A block may declare a name again that the scope has, hence the braces.
  const names = Object.keys(scope);
  const call = new AsyncFunction("modules", "console", ...names, `{ ${body}\n }`);
  await call(MODULES, own, ...names.map((name) => scope[name]));
  return printed;
}

/** Numbers that comments behind calls of console.log promise, where they are numbers alone. */
function promised(code: string): (number[] | undefined)[] {
  const lines = code.split("\n").filter((line) => line.trimStart().startsWith("console.log("));
  return lines.map((line) => {
    const comment = / \/\/ (.*)$/.exec(line)?.[1];
    return comment === undefined || /[a-z]/i.test(comment) ? undefined : numbersOf(comment);
  });
}

test("blocks have a language, and those that are not run a reason", () => {
  expect(blocks.length).toBeGreaterThan(50);
  expect(
    blocks
      .filter(({ language }) => !/^(js|ts|sh|json|html|text|wgsl|python)$/.test(language))
      .map(({ place }) => place),
  ).toEqual([]);
  const lost = ofLanguage("html").filter(({ reason }) => reason === undefined);
  expect(lost.map(({ place }) => place)).toEqual([]);
  for (const { reason } of blocks) if (reason !== undefined) expect(reason.length).toBeGreaterThan(10);
});

describe("code", () => {
  const code = [...ofLanguage("js", "ts"), ...examples()].filter(({ reason }) => reason === undefined);
  test("is found in pages and docstrings", () => expect(code.length).toBeGreaterThan(70));

  test.for(code.map((block) => [block.place, block] as const))("%s", async ([, block], { skip }) => {
    const printed = await runCode(block).catch((error) => {
      // Examples for a GPU, where there is none.
      if (error instanceof Unsupported && error.message.startsWith("WebGPU")) return skip(error.message);
      throw error;
    });
    for (const [i, wanted] of promised(block.code).entries()) {
      if (wanted) expect(numbersOf(printed[i])).toEqual(wanted);
    }
  });
});

describe("recipes", () => {
  test.each(ofLanguage("json").map(({ place, code }) => [place, code]))("%s", (_, code) => {
    expect(check(JSON.parse(code))).toBeUndefined();
  });
});

describe("commands", () => {
  const scripts = JSON.parse(readFileSync(join(root, "package.json"), "utf8")).scripts as Record<string, string>;
  const shell = ofLanguage("sh");
  const folders = new Map<string, string>();
  afterAll(() => {
    for (const own of folders.values()) rmSync(own, { recursive: true });
  });
  /** The commands of a page go on where those before it ended. */
  const folderOf = (place: string): string => {
    const [page = ""] = place.split(":");
    const own = folders.get(page) ?? mkdtempSync(join(tmpdir(), "skerry-commands-"));
    if (!folders.has(page)) cpSync(folder, own, { recursive: true });
    folders.set(page, own);
    return own;
  };

  test.each(shell.filter(({ reason }) => reason === undefined).map((block) => [block.place, block] as const))(
    "%s",
    async (_, { place, code }) => {
      const own = folderOf(place);
      for (const command of commandsOf(code)) {
        const [line = "", to] = command.split(" > ");
        const words = line
          .replace(/^npx @skerry\/cli /, "skerry ")
          .replaceAll(/['"]/g, "")
          .split(/\s+/);
        // What is installed is what this test runs on.
        if (words[0] === "npm" && words[1] === "install") continue;
        // Other programs only show a file.
        if (words[0] === "head") {
          expect(existsSync(join(own, words.at(-1) as string))).toBe(true);
          continue;
        }
        expect(words[0]).toBe("skerry");
        const { code: status, out, err } = await run(words.slice(1), own);
        expect({ command, status, err: status === 0 ? "" : err }).toEqual({ command, status: 0, err: "" });
        if (to) writeFileSync(join(own, to), out);
      }
    },
  );

  test("scripts that pages name are there", () => {
    const named = shell.flatMap(({ code }) => [...code.matchAll(/npm (?:run )?([\w:]+)/g)].map(([, name]) => name));
    expect(named.length).toBeGreaterThan(3);
    const own = ["install", "pack", "publish"];
    expect(named.filter((name) => !own.includes(name) && !(name in scripts))).toEqual([]);
  });
});
