// DICOM whose frames are packed, by GDCM and pydicom: values are those that were packed, or that others unpack. Cut and damaged codestreams
// are refused.

import { readDicom } from "@skerry/files/internal";
import { describe, expect, test } from "vitest";
import { DICOMS } from "./support/dicoms.js";

const read = (bytes: Uint8Array) => readDicom([{ name: "a.dcm", contents: async () => bytes }], "a.dcm");

describe("packed frames", () => {
  test("are of every kind", () => {
    const kinds = ["JPEG", "lossless JPEG", "JPEG-LS", "JPEG 2000", "none"];
    expect([...new Set(DICOMS.map(({ kind }) => kind))]).toEqual(kinds);
  });

  test.each(DICOMS.map((file) => [file.name, file] as const))(
    "%s",
    async (name, { file, kind, lossy, jpeg, shape, values }) => {
      const bytes = new Uint8Array(Buffer.from(file, "base64"));
      // The decoder cuts them at 0.
      if (name === "JPEG 2000 of 8 bits signed") return void (await expect(read(bytes)).rejects.toThrow(/not read\.$/));
      const { raster, compression, notes } = await read(bytes);
      expect(compression).toBe(kind);
      expect([raster.depth, raster.height, raster.width]).toEqual([...shape]);
      let most = 0;
      for (const [i, value] of values.entries()) most = Math.max(most, Math.abs(raster.data[i] - value));
      expect(most).toBeLessThanOrEqual(jpeg ? 1 : 0);
      expect(notes.some((note) => note.includes("with loss"))).toBe(lossy);
    },
  );

  test("that are cut or damaged are refused, and the next file is read", async () => {
    for (const { file, kind } of DICOMS.filter(
      ({ shape, name }) => shape[0] === 1 && !name.endsWith("8 bits signed"),
    )) {
      const whole = new Uint8Array(Buffer.from(file, "base64"));
      const cut = whole.slice();
      // The last bytes of the codestream become zeros, its end with them.
      const end = Buffer.from(whole).lastIndexOf(Buffer.from([0xff, 0xd9])) + 2;
      cut.fill(0, end - 100, end);
      await expect(read(cut), kind).rejects.toThrow(/^Could not read frame 0 of a\.dcm: its .* is cut off\.$/);
      const damaged = whole.slice();
      for (let i = end - 200; i < end - 2; i += 7) damaged[i] ^= 0x55;
      // Some damage is not seen by a decoder; none throws anything but a sentence.
      const error = await read(damaged).then(
        () => undefined,
        (reason: Error) => reason,
      );
      if (error)
        expect([kind, error.message]).toEqual([kind, expect.stringMatching(/^(Could not read|Expected) .*a\.dcm/)]);
      expect((await read(whole)).raster.data.length).toBeGreaterThan(0);
    }
  });
});
