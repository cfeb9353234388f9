// Headers of every legal form, written by nibabel, pydicom, GDAL and tifffile: the sides of a pixel, their unit and the place are those that these
// libraries read, and so are the values at each place.

import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { spacingOf } from "@skerry/files";
import { lengthUnitOf } from "@skerry/files/internal";
import { openPicture, rasterOf } from "@skerry/files/node";
import { afterAll, expect, test } from "vitest";
import { golden } from "../../skerry/test/support/golden.js";

interface Header {
  readonly name: string;
  /** Base64. */
  readonly files: Readonly<Record<string, string>>;
  readonly spacing: readonly number[] | null;
  readonly unit: string | null;
  readonly affine: readonly (readonly number[])[] | null;
}

const script = readFileSync(new URL("render-headers.py", import.meta.url), "utf8");
const made = golden("headers", { modules: "nibabel, pydicom, osgeo, tifffile", script, input: "" });
const HEADERS = JSON.parse(made.toString()) as readonly Header[];

const folder = mkdtempSync(join(tmpdir(), "skerry-headers-"));
afterAll(() => rmSync(folder, { recursive: true }));

test("the table has all formats", () => {
  const formats = HEADERS.map(({ name }) => name.split(/[ -]/)[0]);
  expect([...new Set(formats)]).toEqual(["NIfTI", "DICOM", "GeoTIFF", "OME", "ImageJ"]);
  expect(HEADERS.length).toBeGreaterThan(100);
});

test.each(HEADERS.map((header) => [header.name, header] as const))("%s, as others read it", async (name, header) => {
  const own = join(folder, `${HEADERS.indexOf(header)}`);
  for (const [path, bytes] of Object.entries(header.files)) {
    mkdirSync(dirname(join(own, path)), { recursive: true });
    writeFileSync(join(own, path), Buffer.from(bytes, "base64"));
  }
  const [first] = Object.keys(header.files);
  const picture = await openPicture(join(own, first.includes("/") ? dirname(first) : first));
  const { data } = await rasterOf(picture);
  await picture.close();
  const near = (values: readonly number[]): unknown =>
    values.map((value) => expect.toSatisfy((n: number) => Math.abs(n - value) <= 2e-5 * Math.max(1, Math.abs(value))));
  const { space } = picture;
  if (header.spacing) expect(spacingOf(space)?.slice(0, header.spacing.length)).toEqual(near(header.spacing));
  else expect(spacingOf(space)).toBeUndefined();
  // A folder of slices is read along their normal, which is the order in which the others were written, too.
  expect(lengthUnitOf(space) ?? null).toBe(header.unit);
  const rows = name.startsWith("GeoTIFF") ? 2 : 3;
  if (header.affine)
    expect(space.toWorld?.slice(0, rows).map((row) => [...row])).toEqual(header.affine.slice(0, rows).map(near));
  else expect(space.toWorld).toBeUndefined();
  expect(Array.from(data)).toEqual(Array.from({ length: data.length }, (_, i) => i));
});
