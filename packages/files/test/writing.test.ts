// Writers called with something else than they take: one sentence, whatever the writer.

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
    expect(await wrong(new MemoryOutput(), {})).toBe(`Expected ${name}() to get what ${made} returns, got object.`);
  },
);
