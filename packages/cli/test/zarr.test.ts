// OME-Zarr through the command line: the same as from arrays, into images and new ones, tables beside labels, fills, sentences.

import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { openPicture, rasterOf } from "@skerry/files/node";
import { openZarr } from "@skerry/files/zarr";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Served, serve } from "../../files/test/zarr/support/server.js";
import { run } from "./support/run.js";

const sample = fileURLToPath(new URL("../../../samples/cells.zarr", import.meta.url));
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "skerry-cli-zarr-"));
  cpSync(sample, join(folder, "cells.zarr"), { recursive: true });
});
afterAll(() => rmSync(folder, { recursive: true }));

const at = (name: string): string => join(folder, name);
const skerry = (...args: string[]) => run(args, folder);

/** Values of a file, of any type. */
async function numbersOf(path: string): Promise<Float64Array> {
  const picture = path.includes(".zarr") ? await openZarr(at(path)) : await openPicture(at(path));
  const { data } = await rasterOf(picture);
  await picture.close();
  return Float64Array.from(data);
}

/** The same as a hash, since millions of values take seconds to compare one by one. */
async function valuesOf(path: string): Promise<string> {
  return createHash("sha256")
    .update(await numbersOf(path))
    .digest("hex");
}

describe("labels", () => {
  test("into the image, with tables beside them, as into .npy", async () => {
    const flags = ["label", "cells.zarr", "--threshold", ">110", "--connectivity", "26"];
    const result = await skerry(...flags, "-o", "cells.zarr", "--name", "nuclei", "--regions");
    expect([result.code, result.err]).toEqual([0, ""]);
    await skerry(...flags, "-o", "nuclei.npy", "--regions", "nuclei.csv");
    expect(await valuesOf("cells.zarr/labels/nuclei")).toEqual(await valuesOf("nuclei.npy"));
    const table = (path: string): string => readFileSync(at(path), "utf8");
    expect(table("cells.zarr/labels/nuclei/tables/regions.csv")).toBe(table("nuclei.csv"));
    expect(existsSync(at("cells.zarr/labels/nuclei/tables/regions.parquet"))).toBe(true);
    const again = await skerry(...flags, "-o", "cells.zarr", "--name", "nuclei");
    expect([again.code, again.err]).toEqual([2, expect.stringMatching(/Expected --overwrite for .*labels\/nuclei/)]);
    expect((await skerry(...flags, "-o", "cells.zarr", "--name", "nuclei", "--overwrite")).code).toBe(0);
    // A label image does not replace itself, neither within its image nor alone.
    const own = ["label", "cells.zarr/labels/nuclei", "--by", "value", "--overwrite", "-o", "cells.zarr", "--name"];
    const refused = [2, expect.stringContaining("Expected every file to be written once")];
    const itself = await skerry(...own, "nuclei");
    expect([itself.code, itself.err]).toEqual(refused);
    expect((await skerry("label", "cells.zarr/labels/nuclei", "--by", "value", "-o", "alone.zarr")).code).toBe(0);
    const alone = await skerry("label", "alone.zarr", "--by", "value", "-o", "alone.zarr", "--overwrite");
    expect([alone.code, alone.err]).toEqual(refused);
    expect((await skerry(...own, "others")).code).toBe(0);
  });

  test("of a crop, at a level, with their place", async () => {
    const flags = ["label", "cells.zarr", "--level", "1", "--crop", "10,20,5,40,30,20", "--threshold", ">110"];
    expect((await skerry(...flags, "-o", "part.zarr")).err).toBe("");
    const part = await openZarr(at("part.zarr"));
    const whole = await openZarr(at("cells.zarr"), { level: 1 });
    const [x = 0, y = 0, z = 0] = whole.pixels.spacing ?? [];
    expect([part.pixels.width, part.pixels.height, part.pixels.depth]).toEqual([40, 30, 20]);
    expect(part.pixels.spacing).toEqual([x, y, z]);
    expect(part.space.toWorld?.map((row) => row[3])).toEqual([10 * x, 20 * y, 5 * z]);
    expect((await skerry(...flags, "-o", "cells.zarr", "--name", "part")).err).toBe("");
    const inside = await openZarr(at("cells.zarr/labels/part"));
    expect(inside.space.toWorld).toEqual(part.space.toWorld);
    expect(await valuesOf("cells.zarr/labels/part")).toEqual(await valuesOf("part.zarr"));
    for (const each of [part, whole, inside]) await each.close();
  });

  test("are measured with an image, in a table of Parquet", async () => {
    await skerry("label", "cells.zarr", "--threshold", ">110", "-o", "cells.zarr", "--name", "measured", "--overwrite");
    const flags = [
      "label",
      "cells.zarr/labels/measured",
      "--by",
      "labels",
      "--intensity",
      "cells.zarr",
      "--properties",
      "area,mean",
    ];
    expect((await skerry(...flags, "--regions", "table.parquet")).err).toBe("");
    await skerry(...flags, "--regions", "table.csv");
    const { parquetReadObjects, asyncBufferFromFile } = await import("hyparquet");
    const rows = await parquetReadObjects({ file: await asyncBufferFromFile(at("table.parquet")) });
    const [header, ...lines] = readFileSync(at("table.csv"), "utf8").trim().split("\n");
    expect([...Object.keys(rows[0]), "unit"]).toEqual(header.split(","));
    const numbers = lines.map((line) => line.split(",").slice(0, -1).map(Number));
    expect(rows.map((row) => Object.values(row).map(Number))).toEqual(numbers);
  });
});

describe("other outputs", () => {
  test("distances are an image of their own", async () => {
    expect((await skerry("distance", "cells.zarr", "--threshold", ">110", "-o", "map.zarr")).err).toBe("");
    await skerry("distance", "cells.zarr", "--threshold", ">110", "-o", "map.npy");
    expect(await valuesOf("map.zarr")).toEqual(await valuesOf("map.npy"));
    const inside = await skerry("distance", "cells.zarr", "--threshold", ">110", "-o", "cells.zarr");
    expect([inside.code, inside.err]).toEqual([2, expect.stringContaining("a new name for distances")]);
  });

  test("classes of k-means are labels", async () => {
    expect((await skerry("kmeans", "cells.zarr", "-k", "3", "--classes", "cells.zarr", "--name", "classes")).err).toBe(
      "",
    );
    await skerry("kmeans", "cells.zarr", "-k", "3", "--classes", "classes.npy");
    expect(await valuesOf("cells.zarr/labels/classes")).toEqual(await valuesOf("classes.npy"));
  });

  test("a fill tells the chunks that it read", async () => {
    const seed = ["fill", "cells.zarr", "--at", "0,0,0", "--tolerance", "40", "--connectivity", "26"];
    const filled = JSON.parse((await skerry(...seed, "--mask", "fill.zarr", "--json")).out);
    await skerry(...seed, "--mask", "fill.npy");
    expect(await valuesOf("fill.zarr")).toEqual(await valuesOf("fill.npy"));
    expect(filled.foreground).toBe((await numbersOf("fill.zarr")).reduce((sum, value) => sum + value, 0));
    expect(filled.chunksRead).toBeLessThanOrEqual(filled.chunkCount);
  });

  test("a slice and projections are filled and labelled as those of an array", async () => {
    const { width, height, depth, data } = await (async () => {
      const picture = await openZarr(at("cells.zarr"));
      const raster = await rasterOf(picture);
      await picture.close();
      return raster;
    })();
    const pixels = width * height;
    const along = (i: number): number[] => Array.from({ length: depth ?? 1 }, (_, z) => data[z * pixels + i]);
    const largest = Float32Array.from({ length: pixels }, (_, i) => Math.max(...along(i)));
    const mean = Float32Array.from(
      { length: pixels },
      (_, i) => along(i).reduce((sum, v) => sum + v, 0) / along(i).length,
    );
    const arrays = { largest, mean, 7: Float32Array.from(data.subarray(7 * pixels, 8 * pixels)) };
    for (const [page, values] of Object.entries(arrays)) {
      writeFileSync(at(`${page}.f32`), values);
      const raw = [`${page}.f32`, "--shape", `${width},${height}`, "--dtype", "float32"];
      for (const [command, flags] of [
        ["fill", ["--at", "100,100", "--tolerance", "30", "--mask"]],
        ["label", ["--threshold", ">90", "--crop", "20,20,100,100", "-o"]],
      ] as const) {
        const stored = await skerry(command, "cells.zarr", "--page", page, ...flags, "stored.npy");
        expect([stored.code, stored.err]).toEqual([0, ""]);
        expect((await skerry(command, ...raw, ...flags, "plain.npy")).err).toBe("");
        expect(await valuesOf("stored.npy")).toEqual(await valuesOf("plain.npy"));
      }
    }
  });

  test("what is in an image", async () => {
    const { out } = await skerry("info", "cells.zarr");
    expect(out).toMatch(/OME-Zarr 0\.4 \(Zarr 2\), axes z in micrometer, y in micrometer, x in micrometer/);
    expect(out).toMatch(
      /level 0 {3}0: 96 x 192 x 192 uint8, 3\.4 MiB; chunks of 64 x 64 x 64, zstd; pixels of 1 x 0\.5 x 0\.5/,
    );
    expect(out).toMatch(/label {5}of level 0 takes .* of memory/);
    expect(JSON.parse((await skerry("info", "cells.zarr", "--json")).out).levels).toHaveLength(3);
  });
});

describe("over HTTP", () => {
  let served: Served;
  afterAll(() => served?.close());

  test("labels are those of the folder, and each chunk is asked for once", async () => {
    served = await serve(sample, (path, index) => (index === 0 && path.endsWith("/1") ? "busy" : "none"));
    const flags = ["--threshold", ">110", "-o", "remote.npy", "--overwrite"];
    expect((await skerry("label", `${served.url}/`, ...flags.slice(0, 4))).err).toBe("");
    await skerry("label", "cells.zarr", "--threshold", ">110", "-o", "local.npy");
    expect(await valuesOf("remote.npy")).toEqual(await valuesOf("local.npy"));
    const chunks = served.requests.filter(({ path }) => /\/0\/\d\/\d\/\d$/.test(path)).map(({ path }) => path);
    expect(new Set(chunks).size).toBe(chunks.length);
  });
});

describe("sentences", () => {
  test.each([
    [["label", "cells.zarr", "--channel", "2"], /--channel to be 0 for cells.zarr, got 2/],
    [["label", "cells.zarr", "--page", "96"], /Expected --page to be 0 to 95 for cells.zarr, got 96/],
    [["label", "cells.zarr", "--level", "9"], /levels 0 to 2, got 9/],
    [
      ["label", "cells.zarr", "--name", "x"],
      /--name together with an output that is an OME-Zarr|--name together with an output that ends in .zarr/,
    ],
    [["label", "cells.zarr", "--regions"], /Expected a file for --regions, or -o FILE.zarr/],
    [["label", "cells.zarr", "-o", "https://host/x.zarr"], /read alone/],
  ])("%j", async (args, message) => {
    const { code, err } = await skerry(...args);
    expect([code, err]).toEqual([2, expect.stringMatching(message)]);
  });

  test("a disk that is full leaves nothing and names the key", () => {
    const bin = fileURLToPath(new URL("../bin/skerry.js", import.meta.url));
    // Files of more than 4 KiB cannot be written, as on a disk that is full.
    const command = `ulimit -f 4; trap '' XFSZ; exec "${process.execPath}" "${bin}" label cells.zarr --threshold ">110" -o full.zarr`;
    let told = "";
    try {
      execFileSync("bash", ["-c", command], { cwd: folder, encoding: "utf8", stdio: "pipe" });
    } catch (error) {
      told = (error as { stderr: string }).stderr;
    }
    expect(told).toMatch(/Could not write .*full\.zarr\.unfinished\/0\/c\/.*: /);
    expect(existsSync(at(".full.zarr.unfinished"))).toBe(false);
    expect(existsSync(at("full.zarr"))).toBe(false);
  });
});
