// The pages of docs/develop as readers follow them: in a copy of the sources a property, a threshold, a unit, a control of the page, and
// formats of values, tables and outlines are added in the files that their page names, and in no other. Built once, command and page have them.

import { spawn, spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join, resolve } from "node:path";
import { chromium } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

const root = resolve(import.meta.dirname, "../../../..");
const WORKSPACES = ["skerry", "scenes", "files", "recipe", "cluster", "cli", "lab"];
const browserPath = process.env.CHROMIUM ?? "/usr/bin/chromium";

/** What is changed in a file: a text that is there, and what takes its place. */
type Edit = readonly [file: string, before: string, after: string];

/** Additions by the page that tells of them. A file that is new has no text before. */
const ADDITIONS: Readonly<Record<string, readonly Edit[]>> = {
  property: [
    [
      "packages/skerry/src/types/region-properties.ts",
      '  extent: { unit: "ratio", level: "bounds" },\n',
      '  extent: { unit: "ratio", level: "bounds" },\n  slimness: { unit: "ratio", level: "bounds", only: "image" },\n',
    ],
    [
      "packages/skerry/src/types/regions.ts",
      "  readonly extent?: Float64Array;\n",
      "  readonly extent?: Float64Array;\n  /** Width of the bounding box divided by its height. */\n  readonly slimness?: Float64Array;\n",
    ],
    [
      "packages/skerry/src/results/region-shapes.ts",
      '  const diameter = floats("equivalentDiameter");\n',
      `  const slimness = floats("slimness");
  if (slimness && bounds) {
    steps.push((i) => {
      slimness[i] = (bounds[4 * i + 2] - bounds[4 * i]) / (bounds[4 * i + 3] - bounds[4 * i + 1]);
    });
  }
  const diameter = floats("equivalentDiameter");
`,
    ],
  ],
  threshold: [
    [
      "packages/skerry/src/types/threshold.ts",
      '  li: { title: "Li", distributed: false },\n',
      '  li: { title: "Li", distributed: false },\n  midway: { title: "midway", distributed: false },\n',
    ],
    [
      "packages/skerry/src/core/automatic-threshold.ts",
      "= { otsu, li, triangle };",
      `= {
  otsu,
  li,
  triangle,
  midway: ({ counts, levels }) =>
    (levels[counts.findIndex((n) => n > 0)] + levels[counts.findLastIndex((n) => n > 0)]) / 2,
};`,
    ],
  ],
  "table-format": [
    [
      "packages/files/src/products/tables.ts",
      'export type TableFormat = "csv" | "tsv" | "json" | "parquet";',
      'export type TableFormat = "csv" | "tsv" | "ssv" | "json" | "parquet";',
    ],
    [
      "packages/files/src/products/tables.ts",
      '  ".json": { hulls: true,',
      '  ".ssv": { hulls: false, distributed: false, open: (file) => openLines(file, ";") },\n  ".json": { hulls: true,',
    ],
    [
      "packages/files/src/units.ts",
      '  ["ft", "foot", 0.3048],\n',
      '  ["ft", "foot", 0.3048],\n  ["ftm", "fathom", 1.8288],\n',
    ],
  ],
  "vector-format": [
    [
      "packages/files/src/formats/wkt.ts",
      "",
      `// Outlines as well-known text, a polygon in a line.

import type { Outlines } from "skerry";
import { shapesOf } from "../drawing/polygons.js";
import type { Output } from "../output.js";
import { writeLines } from "./lines.js";

const ringOf = (ring: Int32Array): string => {
  const points = Array.from({ length: ring.length / 2 }, (_, i) => \`\${ring[2 * i]} \${ring[2 * i + 1]}\`);
  return \`(\${[...points, points[0]].join(", ")})\`;
};

export async function writeWkt(file: Output, outlines: Outlines): Promise<void> {
  const polygons = [...shapesOf(outlines)].flatMap((shape) => shape.polygons);
  await writeLines(file, polygons.length, (i) => {
    const { outer, holes } = polygons[i];
    return \`POLYGON (\${[outer, ...holes].map(ringOf).join(", ")})\\n\`;
  });
}
`,
    ],
    [
      "packages/files/src/outline-writers.ts",
      '  ".zip": {\n',
      '  ".wkt": {\n    title: "well-known text",\n    write: async (file, { outlines }) => (await import("./formats/wkt.js")).writeWkt(file, outlines),\n  },\n  ".zip": {\n',
    ],
  ],
  "file-format": [
    [
      "packages/files/src/formats/raw.ts",
      "",
      `// Values as they are, without a header.

import type { Fill, Layout } from "../layout.js";
import { type Output, sinkTo } from "../output.js";

export async function writeRaw(file: Output, _layout: Layout, fill: Fill): Promise<void> {
  await fill(sinkTo(file));
}
`,
    ],
    [
      "packages/files/src/writers.ts",
      '  ".tif": [tiff, colourTiff],\n',
      '  ".raw": [{ types: ["u8", "u32", "f32"], channels: [1], depth: ANY_DEPTH, write: writeRaw }],\n  ".tif": [tiff, colourTiff],\n',
    ],
    [
      "packages/files/src/writers.ts",
      'import { writeTiff } from "./formats/tiff/write.js";\n',
      'import { writeRaw } from "./formats/raw.js";\nimport { writeTiff } from "./formats/tiff/write.js";\n',
    ],
  ],
  kernel: [
    [
      "packages/skerry/src/cpu/assembly/bytes-sum.ts",
      "",
      `// The sum of bytes.

/**
 * Adds bytes.
 * @param bytes u8 [0 .. count]
 * @param count number of bytes
 */
export function sumBytes(bytes: usize, count: u32): u32 {
  let sum: u32 = 0;
  for (let i: u32 = 0; i < count; i++) sum += load<u8>(bytes + i);
  return sum;
}
`,
    ],
    [
      "packages/skerry/src/cpu/assembly/index.ts",
      'export { plantCentre } from "./kmeans-init";\n',
      'export { plantCentre } from "./kmeans-init";\nexport { sumBytes } from "./bytes-sum";\n',
    ],
  ],
  "page-control": [
    [
      "packages/lab/src/settings/objects.ts",
      "  readonly fillHoles: boolean;\n",
      "  readonly fillHoles: boolean;\n  /** 0 for any. */\n  readonly maxHoleArea: number;\n",
    ],
    ["packages/lab/src/settings/objects.ts", "  fillHoles: false,\n", "  fillHoles: false,\n  maxHoleArea: 0,\n"],
    [
      "packages/lab/src/settings/objects.ts",
      '    fillHoles: (fillHoles && recipe.rule !== "labels") || undefined,\n',
      '    fillHoles: (fillHoles && recipe.rule !== "labels") || undefined,\n    maxHoleArea: fillHoles && recipe.maxHoleArea > 0 ? recipe.maxHoleArea : undefined,\n',
    ],
    [
      "packages/lab/src/settings/from-saved.ts",
      "largest = 0, fillHoles, clearBorder,",
      "largest = 0, maxHoleArea = 0, fillHoles, clearBorder,",
    ],
    [
      "packages/lab/src/settings/from-saved.ts",
      "    fillHoles: fillHoles === true,\n",
      "    fillHoles: fillHoles === true,\n    maxHoleArea,\n",
    ],
    [
      "packages/lab/src/tools/objects/Controls.tsx",
      '        <Tick\n          {...{ name: "clearBorder"',
      `        {fillHoles && (
          <NumberField
            {...{ name: "maxHoleArea", label: TEXT.maxHoleArea, value: objects.maxHoleArea }}
            change={(value) => changeObjects({ maxHoleArea: Math.round(value) })}
          />
        )}
        <Tick
          {...{ name: "clearBorder"`,
    ],
    [
      "packages/lab/src/words/text.ts",
      '  fillHoles: "Fill holes",\n',
      '  fillHoles: "Fill holes",\n  maxHoleArea: "Largest hole",\n',
    ],
  ],
  command: [
    [
      "packages/cli/src/commands/endings.ts",
      "",
      `// skerry endings: the formats of tables.

import { TABLE_WRITERS } from "@skerry/files/internal";
import { Command } from "commander";

export function endingsCommand(): Command {
  return new Command("endings")
    .summary("list the formats of tables")
    .description("Lists the formats of tables.")
    .action(() => console.log(Object.keys(TABLE_WRITERS).join(" ")));
}
`,
    ],
    [
      "packages/cli/src/main.ts",
      '  info: async () => (await import("./commands/info.js")).infoCommand(),\n',
      '  info: async () => (await import("./commands/info.js")).infoCommand(),\n  endings: async () => (await import("./commands/endings.js")).endingsCommand(),\n',
    ],
  ],
};

describe("the pages of docs/develop, followed", () => {
  let copy: string;
  /** Runs a command in the copy; a failure tells what it printed. */
  const inCopy = (command: string, args: readonly string[], folder = copy): string => {
    const { status, stdout, stderr } = spawnSync(command, args, { cwd: folder, encoding: "utf8" });
    if (status !== 0) throw new Error(`${args.join(" ")}: ${stdout}${stderr}`);
    return stdout;
  };
  const node = (...args: string[]): string => inCopy(process.execPath, args);

  beforeAll(() => {
    copy = mkdtempSync(join(tmpdir(), "skerry-develop-"));
    const skip = /\/(test|bench|fuzz|bundle|checked|page|node_modules)$/;
    for (const name of WORKSPACES) {
      const from = join(root, "packages", name);
      cpSync(from, join(copy, "packages", name), { recursive: true, filter: (path) => !skip.test(path) });
    }
    cpSync(join(root, "scripts"), join(copy, "scripts"), { recursive: true });
    for (const name of readdirSync(root).filter((each) => /^(package|tsconfig.*)\.json$/.test(each))) {
      cpSync(join(root, name), join(copy, name));
    }
    cpSync(join(root, "samples"), join(copy, "samples"), { recursive: true });
    // Packages of others are those of the checkout, our own those of the copy.
    const modules = join(copy, "node_modules");
    mkdirSync(join(modules, "@skerry"), { recursive: true });
    for (const name of readdirSync(join(root, "node_modules"))) {
      if (name !== "skerry" && name !== "@skerry") symlinkSync(join(root, "node_modules", name), join(modules, name));
    }
    symlinkSync(join(copy, "packages/skerry"), join(modules, "skerry"));
    for (const name of WORKSPACES.slice(1)) symlinkSync(join(copy, "packages", name), join(modules, "@skerry", name));
  });
  afterAll(() => rmSync(copy, { recursive: true, force: true }));

  test("each addition is made in files that its page names", () => {
    for (const [page, edits] of Object.entries(ADDITIONS)) {
      const text = readFileSync(join(root, "docs/develop", `${page}.md`), "utf8");
      for (const [file, before, after] of edits) {
        const place = dirname(file).replace(/^packages\/skerry\//, "");
        const isNamed =
          text.includes(basename(file)) || /<(format|noun|tool)>/.test(text.split(`${place}/`)[1]?.slice(0, 10) ?? "");
        expect([page, file, isNamed]).toEqual([page, file, true]);
        const path = join(copy, file);
        expect([file, existsSync(path)]).toEqual([file, before !== ""]);
        const now = before === "" ? "" : readFileSync(path, "utf8");
        expect([file, now.split(before).length]).toEqual([file, before === "" ? 0 : 2]);
        writeFileSync(path, before === "" ? after : now.replace(before, () => after));
      }
    }
  });

  test("it compiles, and the command has what was added, with its help", () => {
    const tsc = join(root, "node_modules/typescript/bin/tsc");
    const build = (name: string, ...configs: string[]): void => {
      for (const config of configs) inCopy(process.execPath, [tsc, "-p", config], join(copy, "packages", name));
    };
    inCopy(process.execPath, ["scripts/embed.mjs"], join(copy, "packages/skerry"));
    const kernels = readFileSync(join(copy, "packages/skerry/src/generated/kernels.ts"), "utf8");
    expect(kernels).toMatch(/sumBytes[\s\S]{0,200}bytes[\s\S]{0,100}count/);
    build("skerry", "tsconfig.json");
    build("files", "tsconfig.json", "tsconfig.node.json");
    build("recipe", "tsconfig.json");
    build("cluster", "tsconfig.json");
    node("scripts/build/bundle-cli.mjs");
    // Two bars on black: 6 x 2 and 2 x 4 pixels, of values 80 and 200.
    const pixels = Buffer.alloc(200);
    for (let y = 0; y < 10; y++) {
      for (let x = 0; x < 20; x++) {
        if (y >= 1 && y < 3 && x >= 1 && x < 7) pixels[20 * y + x] = 80;
        if (y >= 5 && y < 9 && x >= 10 && x < 12) pixels[20 * y + x] = 200;
      }
    }
    writeFileSync(join(copy, "bars.pgm"), Buffer.concat([Buffer.from("P5 20 10 255\n"), pixels]));
    const label = (...args: string[]): string =>
      node("packages/cli/bin/skerry.js", "label", "bars.pgm", "--quiet", ...args);
    const read = (name: string): string => readFileSync(join(copy, name), "utf8");
    label("--threshold", "midway", "--objects", "bright", "-o", "labels.raw", "--outlines", "bars.wkt");
    const labels = readFileSync(join(copy, "labels.raw"));
    expect([labels.length, labels.readUInt32LE(4 * (20 * 5 + 10)), labels.readUInt32LE(4 * 21)]).toEqual([800, 1, 0]);
    expect(read("bars.wkt")).toBe("POLYGON ((10 5, 12 5, 12 9, 10 9, 10 5))\n");
    const physical = "--threshold >10 --spacing 2 --unit fathom --physical".split(" ");
    label(...physical, "--properties", "area,slimness", "--regions", "bars.ssv");
    expect(read("bars.ssv")).toBe("label;area;slimness;unit\n1;48;3;ftm\n2;32;0.5;ftm\n");
    const help = node("packages/cli/bin/skerry.js", "label", "--help", "all");
    for (const word of [".ssv", ".wkt", "midway"]) expect(help).toContain(word);
    expect(node("packages/cli/bin/skerry.js", "endings")).toBe(".csv .tsv .ssv .json .parquet\n");
    expect(node("packages/cli/bin/skerry.js", "--help")).toContain("list the formats of tables");
    const wrong = (): string => label("--regions", "bars.csv", "--properties", "thickness");
    expect(wrong).toThrow(/slimness/);
  }, 300_000);

  test.skipIf(!existsSync(browserPath))(
    "the page has the control that was added",
    async () => {
      const lab = join(copy, "packages/lab");
      inCopy(process.execPath, [join(root, "node_modules/typescript/bin/tsc"), "-p", "tsconfig.json", "--noEmit"], lab);
      inCopy(process.execPath, [join(root, "node_modules/vite/bin/vite.js"), "build", "--logLevel", "error"], lab);
      node("scripts/build/copy-page.mjs");
      const served = spawn(process.execPath, ["packages/cli/bin/skerry.js", "lab", "--no-open"], { cwd: copy });
      const browser = await chromium.launch({
        executablePath: browserPath,
        args: ["--no-sandbox", "--use-angle=swiftshader"],
      });
      try {
        const address = await new Promise((done) => served.stdout.once("data", (line) => done(String(line).trim())));
        const page = await browser.newPage();
        await page.goto(`${address}?device=cpu`);
        await page.locator('html[data-settled="true"]').waitFor();
        await page.getByLabel("Fill holes").check();
        await page.getByLabel("Largest hole").fill("3");
        await page.getByRole("button", { name: "Code", exact: true }).click();
        const command = page.getByTestId("Command line");
        await expect.poll(() => command.textContent()).toMatch(/--fill-holes.*--max-hole-area 3/s);
      } finally {
        await browser.close();
        served.kill();
      }
    },
    120_000,
  );
});
