// The fields that readers ask for are those that docs/fields.md says are read or refused: of NIfTI, DICOM and TIFF through proxies that list every
// field asked for; of descriptions in text by changing each.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { openPicture, rasterOf } from "@skerry/files/node";
import { afterAll, expect, test, vi } from "vitest";
import { dicom, geotiff, imagej, nifti, ometiff } from "../../skerry/fuzz/headers.mjs";
import { Directory } from "../src/formats/tiff/directories.js";

const asked = new Set<string>();

/** A record whose entries are listed when they are asked for. */
const listing = <T extends object>(record: T): T =>
  new Proxy(record, {
    get(target, key) {
      if (typeof key === "string") asked.add(key);
      return Reflect.get(target, key, target);
    },
  });

vi.mock("nifti-reader-js", async (original) => {
  const real = await original<typeof import("nifti-reader-js")>();
  return { ...real, readHeader: (...given: Parameters<typeof real.readHeader>) => listing(real.readHeader(...given)) };
});

vi.mock("dicom-parser", async (original) => {
  const { default: real } = await original<{ default: typeof import("dicom-parser") }>();
  return {
    default: {
      ...real,
      parseDicom: (...given: Parameters<typeof real.parseDicom>) => {
        const data = real.parseDicom(...given);
        return new Proxy(data, {
          get(target, key) {
            if (key === "elements") return listing(target.elements);
            const value = Reflect.get(target, key, target);
            if (typeof value !== "function") return value;
            return (tag: string, ...rest: unknown[]) => {
              asked.add(tag);
              return value.call(target, tag, ...rest);
            };
          },
        });
      },
    },
  };
});

/** Rows of a section of docs/fields.md. */
function rowsOf(title: string): { readonly name: string; readonly kind: string; readonly why: string }[] {
  const text = readFileSync(resolve(import.meta.dirname, "../../../docs/fields.md"), "utf8");
  const [, section = ""] = text.split(`## ${title}\n`);
  return [...(section.split("\n## ")[0] ?? "").matchAll(/^\| `([^`]+)` \| (\w+) \|(.*)\|$/gm)].map(
    ([, name, kind, why]) => ({
      name,
      kind,
      why: why.trim(),
    }),
  );
}
const namesOf = (title: string, ...kinds: string[]): string[] =>
  rowsOf(title)
    .filter(({ kind }) => kinds.includes(kind))
    .map(({ name }) => name)
    .sort();

const folder = mkdtempSync(join(tmpdir(), "skerry-fields-"));
afterAll(() => rmSync(folder, { recursive: true }));
const at = (name: string): string => join(folder, name);
const picture = {
  size: [4, 3, 2],
  data: Uint8Array.from({ length: 24 }, (_, i) => i),
  unit: "mm" as const,
  toWorld: [
    [0.5, 0, 0, 10],
    [0, 0.5, 0, 20],
    [0, 0, 2, 30],
  ],
};

/** Everything that a file gives, or the sentence by which it is refused. */
async function digestOf(path: string): Promise<string> {
  try {
    const opened = await openPicture(path);
    const { data, ...raster } = await rasterOf(opened);
    await opened.close();
    return JSON.stringify([opened.space, opened.notes(), raster, Array.from(data)]);
  } catch (error) {
    return (error as Error).message;
  }
}

test("each row says why a field is ignored, and every section has rows", () => {
  const titles = ["NIfTI-1 and NIfTI-2", "DICOM", "TIFF 6.0", "GeoKeys", "ImageJ's description", "OME-XML"];
  for (const title of [...titles, "OME-Zarr 0.4 and 0.5"]) {
    const rows = rowsOf(title);
    expect(rows.length, title).toBeGreaterThan(3);
    expect(rows.filter(({ kind, why }) => kind === "ignored" && why.length < 4)).toEqual([]);
    expect(rows.filter(({ kind }) => !["read", "refused", "ignored"].includes(kind))).toEqual([]);
  }
});

test("NIfTI: fields of the header", async () => {
  const NAMES: Readonly<Record<string, readonly string[]>> = {
    dims: ["dim"],
    datatypeCode: ["datatype"],
    pixDims: ["pixdim"],
    littleEndian: ["sizeof_hdr", "magic"],
  };
  asked.clear();
  nifti(at("a.nii"), picture, { form: "both" });
  expect((await digestOf(at("a.nii"))).startsWith("[")).toBe(true);
  const fields = [...asked].filter((name) => name !== "then").flatMap((name) => NAMES[name] ?? [name]);
  // The rows of the sform are read from the bytes.
  expect([...fields, "srow_x", "srow_y", "srow_z"].sort()).toEqual(namesOf("NIfTI-1 and NIfTI-2", "read", "refused"));
  const before = await digestOf(at("a.nii"));
  const bytes = readFileSync(at("a.nii"));
  for (const offset of [292, 308, 324]) {
    const changed = Buffer.from(bytes);
    changed.writeFloatLE(77, offset);
    writeFileSync(at("b.nii"), changed);
    expect(await digestOf(at("b.nii"))).not.toBe(before);
  }
});

test("DICOM: attributes", async () => {
  asked.clear();
  dicom(at("slices"), { ...picture, toWorld: picture.toWorld.map((row, i) => (i < 2 ? row.map((n) => -n) : row)) });
  expect((await digestOf(at("slices"))).startsWith("[")).toBe(true);
  // Without positions, other attributes are asked for.
  dicom(at("bare"), { ...picture, toWorld: [[Number.NaN, 0, 0, 0], ...picture.toWorld.slice(1)] });
  await digestOf(at("bare"));
  const tags = [...asked].filter((name) => /^x[0-9a-f]{8}$/.test(name)).sort();
  const named = namesOf("DICOM", "read", "refused").map(
    (name) => `x${name.slice(0, 9).replace(",", "").toLowerCase()}`,
  );
  expect(tags).toEqual(named.sort());
});

test("TIFF: tags", async () => {
  const tags = new Set<number>();
  const prototype = Directory.prototype as unknown as Record<string, (tag: number, ...rest: unknown[]) => unknown>;
  for (const name of ["has", "number", "numbers", "text", "bytes"]) {
    const real = prototype[name];
    vi.spyOn(prototype, name).mockImplementation(function (this: Directory, tag, ...rest) {
      tags.add(tag);
      return real.call(this, tag, ...rest);
    });
  }
  geotiff(at("map.tif"), { ...picture, size: [4, 6, 1], unit: "m" });
  ometiff(at("stack.tif"), picture);
  imagej(at("hyperstack.tif"), picture);
  for (const name of ["map.tif", "stack.tif", "hyperstack.tif"]) {
    expect((await digestOf(at(name))).startsWith("["), name).toBe(true);
  }
  // These are asked for in pages of JPEG or with a palette, and in tiles.
  const { TAG } = await import("../src/formats/tiff/tags.js");
  for (const name of ["jpegTables", "colorMap", "tileLength", "tileWidth"] as const) tags.add(TAG[name]);
  vi.restoreAllMocks();
  const numbers = namesOf("TIFF 6.0", "read", "refused").map((name) => Number.parseInt(name, 10));
  expect([...tags].sort((a, b) => a - b)).toEqual(numbers.sort((a, b) => a - b));
  expect(Object.values(TAG).sort((a, b) => a - b)).toEqual(numbers);
});

test("descriptions of ImageJ and OME: what is read changes the result, what is ignored does not", async () => {
  const change = async (file: string, from: string, to: string): Promise<string> => {
    const text = readFileSync(at(file)).toString("latin1");
    expect(text, from).toContain(from);
    // Of the same length, so that offsets stay.
    expect(from.length).toBe(to.length);
    writeFileSync(at("changed.tif"), Buffer.from(text.replace(from, to), "latin1"));
    return (await digestOf(at("changed.tif"))).replaceAll("changed.tif", file);
  };
  imagej(at("ij.tif"), picture, { told: "mm" });
  const own = await digestOf(at("ij.tif"));
  for (const [from, to] of [
    ["slices=2", "frames=2"],
    ["unit=mm", "unit=cm"],
    ["spacing=2", "spacing=3"],
    ["xorigin=-2", "xorigin=-3"],
    ["yorigin=-4", "yorigin=-5"],
    ["zorigin=-15", "zorigin=-16"],
  ]) {
    expect(await change("ij.tif", from, to), from).not.toBe(own);
  }
  ometiff(at("ome.tif"), picture, { told: "mm" });
  const ome = await digestOf(at("ome.tif"));
  for (const [from, to] of [
    ['SizeZ="2"', 'SizeZ="1"'],
    ['DimensionOrder="XYZTC"', 'DimensionOrder="XYZTX"'],
    ['PhysicalSizeX="0.5"', 'PhysicalSizeX="0.6"'],
    ['PhysicalSizeY="0.5"', 'PhysicalSizeY="0.6"'],
    ['PhysicalSizeZ="2"', 'PhysicalSizeZ="4"'],
    ['PhysicalSizeXUnit="mm"', 'PhysicalSizeXUnit="cm"'],
    ['PhysicalSizeYUnit="mm"', 'PhysicalSizeYUnit="cm"'],
    ['PhysicalSizeZUnit="mm"', 'PhysicalSizeZUnit="cm"'],
    ['PositionX="10"', 'PositionX="11"'],
    ['PositionY="20"', 'PositionY="21"'],
    ['PositionZ="30"', 'PositionZ="31"'],
    ['PositionXUnit="mm"', 'PositionXUnit="cm"'],
    ['PositionYUnit="mm"', 'PositionYUnit="cm"'],
    ['PositionZUnit="mm"', 'PositionZUnit="cm"'],
  ]) {
    expect(await change("ome.tif", from, to), from).not.toBe(ome);
  }
  for (const [from, to] of [
    ['Type="uint8"', 'Type="int16"'],
    ['SizeX="4"', 'SizeX="9"'],
    ['ID="Channel:0:0"', 'ID="Channel:0:7"'],
  ]) {
    expect(await change("ome.tif", from, to), from).toBe(ome);
  }
});
