// Writers called with something else than they take: one sentence, whatever the writer.

import { openPicture } from "@skerry/files/node";
import { expect, test } from "vitest";
import {
  MemoryOutput,
  UsageError,
  writeCoco,
  writeCocoPolygons,
  writeCvat,
  writeFlatGeobuf,
  writeGeoJson,
  writeLabelStudio,
  writePalette,
  writePoster,
  writeRegions,
  writeRois,
  writeRuns,
  writeSvg,
} from "../src/index.js";
import { TABLE_WRITERS } from "../src/internal.js";

const WRITERS = {
  writeCoco: [writeCoco, "components()"],
  writeCocoPolygons: [(file, product) => writeCocoPolygons(file, {} as never, product, ""), "outlines()"],
  writeCvat: [writeCvat, "components()"],
  writeFlatGeobuf: [writeFlatGeobuf, "outlines()"],
  writeGeoJson: [writeGeoJson, "outlines()"],
  writeLabelStudio: [writeLabelStudio, "components()"],
  writePalette: [(file, product) => writePalette(file, ".json", product, ""), "kmeans()"],
  writePoster: [(file, product) => writePoster(file, product, {} as never), "outlines()"],
  writeRegions: [(file, product) => writeRegions(file, product, "csv", { depth: 1 }), "regions()"],
  writeRois: [writeRois, "outlines()"],
  writeRuns: [writeRuns, "runs()"],
  writeSvg: [writeSvg, "outlines()"],
} satisfies Record<string, [(...args: never[]) => Promise<unknown>, string]>;

test.each(Object.entries(WRITERS))(
  "%s names its target and the call whose result it writes",
  async (name, [write, made]) => {
    const call = write as (file: unknown, product: unknown) => Promise<unknown>;
    const wrong = async (file: unknown, product: unknown): Promise<string> => {
      const error = await call(file, product).then(
        () => undefined,
        (reason: unknown) => reason,
      );
      expect(error).toBeInstanceOf(UsageError);
      return (error as UsageError).message;
    };
    expect(await wrong("objects.csv", {})).toBe(
      `Expected ${name}() to write to a MemoryOutput or an object with write(chunk), got "objects.csv"; writers of paths are in @skerry/files/node.`,
    );
    expect(await wrong(undefined, {})).toContain("got nothing");
    expect(await wrong(new MemoryOutput(), undefined)).toBe(
      `Expected ${name}() to get what ${made} returns, got nothing.`,
    );
    expect(await wrong(new MemoryOutput(), {})).toBe(
      `Expected ${name}() to get what ${made} returns, got something else.`,
    );
  },
);

test("a table names the slices of what was measured, and objects and promises in place of measurements", async () => {
  const regions = { count: 2, centroid: new Float64Array(6) } as never;
  await expect(writeRegions(new MemoryOutput(), regions, "csv", { depth: 1 })).rejects.toThrow(
    "Expected depth to be the slices of the measured volume, got 1.",
  );
  const flat = { count: 2, centroid: new Float64Array(4) } as never;
  await expect(writeRegions(new MemoryOutput(), flat, "csv", { depth: 4 })).rejects.toThrow(
    "Expected depth to be the slices of the measured image, 1, got 4.",
  );
  await expect(writeRegions(new MemoryOutput(), flat, "csv", { depth: 0 })).rejects.toThrow(
    "Expected depth of a table to be a whole number of at least 1, got 0.",
  );
  const objects = { count: 2, outlines: () => undefined } as never;
  await expect(writeRegions(new MemoryOutput(), objects, "csv", { depth: 1 })).rejects.toThrow(
    "got the objects; pass await objects.regions().",
  );
  await expect(writeGeoJson(new MemoryOutput(), Promise.resolve() as never)).rejects.toThrow(
    "got a Promise, of which await gives the value.",
  );
});

const measured = (areas: readonly number[]) =>
  ({ count: areas.length, area: Float64Array.from(areas), centroid: new Float64Array(2 * areas.length) }) as never;

test.each(Object.keys(TABLE_WRITERS) as (keyof typeof TABLE_WRITERS)[])(
  "one %s of several inputs has a column with their names, and is the one of an input if there is one",
  async (ending) => {
    const file = new MemoryOutput();
    const table = TABLE_WRITERS[ending].open(file);
    const properties = ["area", "centroid"] as const;
    await table.add(measured([5, 7]), { depth: 1, input: "a.png", properties });
    await table.add(measured([]), { depth: 1, input: "empty.png", properties });
    await expect(table.add(measured([1]), { depth: 1, input: "b.png", properties: ["area"] })).rejects.toThrow(
      "of the inputs before",
    );
    await table.add(measured([9]), { depth: 1, input: "=c\t.png", properties, at: undefined });
    await table.finish();
    const rows = await rowsOf(ending, file);
    const names = ending === ".csv" || ending === ".tsv" ? "'=c\t.png" : "=c\t.png";
    expect(rows.map(({ input, label, area }) => [input, Number(label), Number(area)])).toEqual([
      ["a.png", 1, 5],
      ["a.png", 2, 7],
      [names, 1, 9],
    ]);
    const [one, alone] = [new MemoryOutput(), new MemoryOutput()];
    await writeRegions(one, measured([5, 7]), ending.slice(1) as "csv", { depth: 1, properties });
    const opened = TABLE_WRITERS[ending].open(alone);
    await opened.add(measured([5, 7]), { depth: 1, properties });
    await opened.finish();
    expect(alone.bytes()).toEqual(one.bytes());
  },
);

/** The rows of a table, read without the code that wrote it. */
async function rowsOf(ending: string, file: MemoryOutput): Promise<Record<string, unknown>[]> {
  if (ending === ".parquet") {
    const { parquetReadObjects } = await import("hyparquet");
    const { buffer, byteOffset, byteLength } = file.bytes();
    return parquetReadObjects({ file: buffer.slice(byteOffset, byteOffset + byteLength) });
  }
  const text = new TextDecoder().decode(file.bytes());
  if (ending === ".json") return JSON.parse(text).objects;
  const between = ending === ".csv" ? "," : "\t";
  // The only quoted cell is one with a tab.
  const cellsOf = (line: string): string[] =>
    (line.match(ending === ".csv" ? /[^,]+/g : /"[^"]*"|[^\t]+/g) ?? []).map((cell) => cell.replace(/^"|"$/g, ""));
  const [header, ...lines] = text.trimEnd().split("\n");
  expect(header).toBe(["input", "label", "area", "centroid_x", "centroid_y", "unit"].join(between));
  const heads = cellsOf(header);
  return lines.map((line) => Object.fromEntries(cellsOf(line).map((cell, i) => [heads[i], cell])));
}

test.each([
  [{ page: "1" }, 'Expected page of openPicture() to be a whole number from 0, "all", "largest" or "mean", got "1".'],
  [{ time: 1.5 }, "Expected time of openPicture() to be"],
  [{ channel: "rd" }, 'got "rd"; did you mean red?'],
  [{ nodata: "x" }, "Expected nodata of openPicture() to be a number"],
  [{ matte: "white" }, "Expected matte of openPicture() to be [red, green, blue]"],
])("openPicture() with %j says what it takes", async (options, sentence) => {
  await expect(openPicture("none.png", options as never)).rejects.toThrow(sentence);
});

test("openPicture() of bytes names them, not their values", async () => {
  const bytes = new Uint8Array(70_000) as never;
  await expect(openPicture(bytes)).rejects.toThrow(/^Expected the path of a picture, got bytes; write them to a file/);
});
