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

test.each([
  [{ page: "1" }, 'Expected page of openPicture() to be a whole number from 0, or "all", got "1".'],
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
