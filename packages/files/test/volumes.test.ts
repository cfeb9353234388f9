// Volumes of Slicer, ITK, FreeSurfer, SPM and DICOM, written by SimpleITK, pynrrd, nibabel and pydicom: values, sides, units and places are those that these
// libraries read. What is written is read again, with the same place.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bufferBytes, fillOf, MemoryOutput, openNpy, type Space, spaceOf, spacingOf } from "@skerry/files";
import { lengthUnitOf, WRITERS } from "@skerry/files/internal";
import { openPicture, rasterOf } from "@skerry/files/node";
import { afterAll, describe, expect, test } from "vitest";
import { golden } from "../../skerry/test/support/golden.js";
import { headerOf } from "../src/node/readers.js";

interface Volume {
  readonly name: string;
  /** Base64. */
  readonly files: Readonly<Record<string, string>>;
  readonly first: string;
  readonly taken: { readonly time?: number; readonly channel?: number };
  readonly shape: readonly number[];
  readonly values: readonly number[];
  readonly spacing: readonly number[] | null;
  readonly unit: string | null;
  readonly affine: readonly (readonly number[])[] | null;
}

const script = readFileSync(new URL("render-volumes.py", import.meta.url), "utf8");
const made = golden("volumes", { modules: "SimpleITK, nrrd, nibabel, pydicom", script, input: "" });
const VOLUMES = JSON.parse(made.toString()) as readonly Volume[];

const root = mkdtempSync(join(tmpdir(), "skerry-volumes-"));
afterAll(() => rmSync(root, { recursive: true }));

const near = (values: readonly number[]): unknown =>
  values.map((value) => expect.toSatisfy((n: number) => Math.abs(n - value) <= 2e-5 * Math.max(1, Math.abs(value))));

test.each(VOLUMES.map((volume) => [volume.name, volume] as const))("%s, as others read it", async (_, volume) => {
  const folder = mkdtempSync(join(root, "v"));
  for (const [name, bytes] of Object.entries(volume.files))
    writeFileSync(join(folder, name), Buffer.from(bytes, "base64"));
  const path = join(folder, volume.first);
  const picture = await openPicture(path, { ...volume.taken, ids: true });
  const { data, width, height, depth = 1 } = await rasterOf(picture);
  await picture.close();
  expect([depth, height, width].slice(-volume.shape.length)).toEqual([...volume.shape]);
  const values = picture.ids ? Array.from(data, (id) => Number(picture.ids?.[id - 1] ?? 0)) : Array.from(data);
  expect(values).toEqual(near(volume.values));
  const { space } = picture;
  if (volume.spacing) expect(spacingOf(space)?.slice(0, volume.spacing.length)).toEqual(near(volume.spacing));
  if (volume.unit !== null || volume.spacing) expect(lengthUnitOf(space) ?? null).toBe(volume.unit);
  if (volume.affine) expect(space.toWorld?.map((row) => [...row])).toEqual(volume.affine.map(near));
  // The header alone says the same, where it is enough.
  expect([undefined, space]).toContainEqual(await headerOf(path, volume.taken));
});

describe("what is written", () => {
  const size = { width: 4, height: 3, depth: 2 };
  const oblique: Space = spaceOf({
    size,
    spacing: [0.5, 0.75, 2.25],
    unit: "mm",
    toWorld: [
      [0.4, -0.45, 0, -12.5],
      [0.3, 0.6, 0, 7.25],
      [0, 0, 2.25, 100],
    ],
    crs: { kind: "patient", version: 1, sform: 1 },
  });
  const spaces: readonly (readonly [string, Space])[] = [
    ["a patient's place", oblique],
    ["sides alone", spaceOf({ size, spacing: [0.5, 0.75, 2.25], unit: "mm" })],
    ["sides without a unit", spaceOf({ size, spacing: [0.5, 0.75, 2.25] })],
    ["nothing", spaceOf({ size })],
  ];
  const cases = [".nrrd", ".mha"].flatMap((ending) =>
    (["u8", "u16", "i16", "u32", "i32", "f32"] as const).flatMap((type) =>
      spaces.map(([what, space]) => [ending, type, what, space] as const),
    ),
  );

  test.each(cases)("as %s of %s, with %s, is read again", async (ending, type, _, space) => {
    const [writer] = WRITERS[ending];
    const arrays = {
      u8: Uint8Array,
      u16: Uint16Array,
      i16: Int16Array,
      u32: Uint32Array,
      i32: Int32Array,
      f32: Float32Array,
    };
    const data = new arrays[type](24).map((_, i) => (type.startsWith("u") ? 9 * i : 9 * i - 100));
    const file = new MemoryOutput();
    await writer.write(file, { ...size, type, space }, fillOf(data, size));
    const path = join(root, `again${ending}`);
    writeFileSync(path, file.bytes());
    const picture = await openPicture(path);
    expect((await rasterOf(picture)).data).toEqual(data);
    await picture.close();
    const sides = spacingOf(picture.space);
    // A MetaImage has sides in any case.
    expect(sides).toEqual(spacingOf(space) ?? (ending === ".mha" ? [1, 1, 1] : undefined));
    expect(lengthUnitOf(picture.space)).toBe(lengthUnitOf(space));
    if (space.toWorld)
      expect(picture.space.toWorld?.map((row) => [...row])).toEqual(space.toWorld.map((row) => near(row)));
    else expect(picture.space.toWorld).toBeUndefined();
  });
});

test("files that are cut, or whose headers lie, are refused with a sentence, and nothing else", async () => {
  const folder = mkdtempSync(join(root, "cut"));
  const kinds = VOLUMES.filter(({ name }) => /uint16|detached|MGH|pair|Analyze|time|DICOM/.test(name));
  for (const { files, first, taken, values } of kinds) {
    for (const [name, text] of Object.entries(files)) {
      const bytes = Buffer.from(text, "base64");
      for (const length of [0, 1, 9, 40, 283, 348, Math.floor(bytes.length / 2), bytes.length - 1]) {
        if (length >= bytes.length) continue;
        for (const [other, all] of Object.entries(files))
          writeFileSync(join(folder, other), Buffer.from(all, "base64"));
        writeFileSync(join(folder, name), bytes.subarray(0, length));
        const read = async (): Promise<number[]> => {
          const picture = await openPicture(join(folder, first), taken);
          return Array.from((await rasterOf(picture).finally(() => picture.close())).data);
        };
        const outcome: unknown = await read().catch((reason) => reason.constructor.name);
        // Behind the values a file may have a checksum, or more of its own.
        if (Array.isArray(outcome)) expect([name, length, outcome]).toEqual([name, length, near(values)]);
        else expect([name, length, outcome]).toEqual([name, length, expect.stringMatching(/^(FileError|UsageError)$/)]);
      }
    }
  }
});

test("half floats of NumPy are read as they are", async () => {
  const values = [0, 1, -2, 1.5, 65504, 2 ** -24, Number.POSITIVE_INFINITY, -0.333251953125];
  const bits = [0, 0x3c00, 0xc000, 0x3e00, 0x7bff, 1, 0x7c00, 0xb555];
  const header = "{'descr': '<f2', 'fortran_order': False, 'shape': (2, 4), }".padEnd(117, " ");
  const start = Buffer.concat([
    Buffer.from("\x93NUMPY\x01\x00", "latin1"),
    Buffer.from([118, 0]),
    Buffer.from(`${header}\n`),
  ]);
  const { pixels, stored } = await openNpy(
    bufferBytes(Buffer.concat([start, Buffer.from(new Uint16Array(bits).buffer)])),
    "half.npy",
  );
  expect([stored, "type" in pixels && pixels.type]).toEqual(["float16", "f32"]);
  const { data } = await rasterOf({ pixels, input: "half.npy" } as never);
  expect(Array.from(data)).toEqual(values);
});

test("docs/fields.md lists the fields that the readers of text headers ask for", () => {
  const folder = new URL("../src/formats/volumes/", import.meta.url);
  const docs = readFileSync(new URL("../../../docs/fields.md", import.meta.url), "utf8");
  const listed = (title: string): string[] =>
    [...(docs.split(`\n## ${title}\n`)[1]?.split("\n## ")[0] ?? "").matchAll(/^\| `([^`]+)` \| (read|refused)/gm)].map(
      ([, name]) => name,
    );
  const asked = (file: string, pattern: RegExp): string[] => {
    const calls = [...readFileSync(new URL(file, folder), "utf8").matchAll(pattern)];
    return calls.flatMap(([, names]) => [...names.matchAll(/"([^"]+)"/g)].map(([, name]) => name));
  };
  expect([...new Set(asked("nrrd.ts", /\bfield\(([^)]*)\)/g))].sort()).toEqual(listed("NRRD").sort());
  const keys = asked("meta-image.ts", /\b(?:value|numbers)\(([^)]*)\)/g);
  expect([...new Set(keys)].sort()).toEqual(listed("MetaImage").sort());
});
