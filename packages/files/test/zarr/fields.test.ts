// The metadata that the reader asks for are those that docs/fields.md says are read, and no others.

import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { spaceOf } from "@skerry/files";
import { expect, test, vi } from "vitest";
import { omezarr } from "../../../skerry/fuzz/headers.mjs";
import { openZarr, zarrSink } from "../../src/zarr/index.js";
import { openImage } from "../../src/zarr/open.js";
import { openStore } from "../../src/zarr/store/open.js";
import { folder } from "./support/folders.js";

const picture = {
  size: [4, 3, 2],
  data: Uint8Array.from({ length: 24 }, (_, i) => i),
  unit: "um" as const,
  toWorld: [
    [0.5, 0, 0, 10],
    [0, 0.5, 0, 20],
    [0, 0, 2, 30],
  ],
};

/** Rows of the table of OME-Zarr. */
function rows(kind: string): string[] {
  const text = readFileSync(resolve(import.meta.dirname, "../../../../docs/fields.md"), "utf8");
  const [, section = ""] = text.split("## OME-Zarr 0.4 and 0.5\n");
  return [...section.matchAll(/^\| `([^`]+)` \| (\w+) \|/gm)]
    .filter(([, , own]) => own === kind)
    .map(([, name]) => name);
}

/** A value of JSON that lists its keys, with the keys above them, as they are asked for. */
function listing(value: unknown, path: string, asked: Set<string>): unknown {
  if (typeof value !== "object" || value === null) return value;
  return new Proxy(value, {
    get(target, key) {
      const own = Reflect.get(target, key, target);
      if (typeof key !== "string" || typeof own === "function") return own;
      const below = Array.isArray(target) ? path : `${path}.${key}`;
      if (!Array.isArray(target)) asked.add(below.replace(/^(\.attributes)?(\.ome\b)?(\.multiscales\.)?\.?/, ""));
      return listing(own, below, asked);
    },
  });
}

test.each(["0.4", "0.5"] as const)("metadata of version %s", async (version) => {
  const url = folder();
  const place = [
    [0, 0.5, 0, 10],
    [0.5, 0, 0, 20],
    [0, 0, 2, 30],
  ] as never;
  if (version === "0.4") omezarr(url, picture);
  else {
    const size = { width: 4, height: 3, depth: 2 };
    const space = spaceOf({ size, spacing: [0.5, 0.5, 2], unit: "um", toWorld: place });
    const sink = await zarrSink(url, { ...size, type: "u8", labels: false, space, overwrite: true });
    await sink.write(0, 2, 0, 3, picture.data as never);
    await sink.finish();
  }
  const asked = new Set<string>();
  const real = JSON.parse;
  vi.spyOn(JSON, "parse").mockImplementation((text, ...rest) => listing(real(text, ...rest), "", asked));
  const opened = await openZarr(url);
  await opened.close();
  vi.restoreAllMocks();
  const isOf = (name: string): boolean => [...asked].some((own) => own === name || own.endsWith(`.${name}`));
  const other =
    version === "0.4"
      ? ["chunk_grid", "chunk_key_encoding", "data_type"]
      : ["chunks", "dtype", "order", "dimension_separator"];
  // These are asked for by zarrita in its own way, or of arrays without multiscales.
  const beside = [
    "dimension_names",
    "_ARRAY_DIMENSIONS",
    ...other,
    "order",
    "dimension_separator",
    "chunk_key_encoding",
  ];
  for (const name of rows("read")) if (!beside.includes(name)) expect(isOf(name), name).toBe(true);
  for (const name of rows("ignored").filter((own) => !["type", "metadata"].includes(own)))
    expect(isOf(name), name).toBe(false);
});

test("names, colours and windows of channels are those of omero, as far as they are right", async () => {
  const url = folder();
  omezarr(url, picture);
  const attributes = JSON.parse(readFileSync(join(url, ".zattrs"), "utf8"));
  const channels = [
    { label: "DAPI", color: "0000FF", window: { start: 3, end: 250, min: 0, max: 65535 }, active: true },
    { label: "", color: "blue", window: { start: 9, end: 9 } },
    "wrong",
    { label: 5, color: "#12abEF", window: { start: "0", end: 1 } },
  ];
  for (const [omero, expected] of [
    [{ channels }, [{ name: "DAPI", colour: "#0000ff", window: [3, 250] }, {}, {}, { colour: "#12abef" }]],
    [{ channels: 7 }, []],
    [[], []],
    [undefined, []],
  ] as const) {
    writeFileSync(join(url, ".zattrs"), JSON.stringify({ ...attributes, omero }));
    expect((await openImage(openStore(url))).channels).toEqual(expected);
  }
});

test("further images of one group are told", async () => {
  const url = folder();
  omezarr(url, picture);
  const attributes = JSON.parse(readFileSync(join(url, ".zattrs"), "utf8"));
  mkdirSync(url, { recursive: true });
  writeFileSync(
    join(url, ".zattrs"),
    JSON.stringify({ multiscales: [...attributes.multiscales, ...attributes.multiscales] }),
  );
  const opened = await openZarr(url);
  await opened.close();
  expect(opened.notes()).toEqual([`${url} has 2 images; the first one is used`]);
});
