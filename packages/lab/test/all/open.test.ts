// Pictures as they come in: equal to what the command line reads through sharp, value for value.

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { MemoryOutput, writeNpy, writePng } from "@skerry/files";
import sharp, { type Sharp } from "sharp";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Bench, blobs, noBrowser, type Opened } from "../page.js";

const [width, height] = [61, 43];
const next = (() => {
  let state = 3;
  return (): number => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state >>> 24;
  };
})();
const values = (channels: number): Uint8Array => new Uint8Array(width * height * channels).map(next);

async function written(write: (file: MemoryOutput) => Promise<unknown>): Promise<Buffer> {
  const file = new MemoryOutput();
  await write(file);
  return Buffer.from(file.bytes());
}

describe.skipIf(noBrowser)("opening", () => {
  let bench: Bench;
  let lab: Opened;
  let folder: string;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "skerry-open-"));
    writeFileSync(
      join(folder, "named.png"),
      await sharp(values(1), { raw: { width, height, channels: 1 } })
        .png()
        .toBuffer(),
    );
    bench = await Bench.start([join(folder, "named.png"), join(folder, "named.png")]);
    lab = await (await bench.open()).go();
    await lab.settled();
  });
  afterAll(async () => {
    await lab?.close();
    await bench?.close();
    if (folder) rmSync(folder, { recursive: true });
  });

  /** The pixels that the page holds: the painted picture is the picture itself where nothing is painted. */
  const held = async (
    name: string,
    bytes: Buffer,
  ): Promise<{ data: Buffer; channels: number; width: number; height: number }> => {
    await lab.opens(name, bytes);
    if ((await lab.page.getByRole("button", { name: "Fill", exact: true }).getAttribute("aria-pressed")) !== "true") {
      await lab.page.getByRole("button", { name: "Fill", exact: true }).click();
      await lab.settled();
    }
    const png = await lab.saves("painted");
    const image = sharp(png);
    const { depth } = await image.metadata();
    const raw = image
      .toColourspace(depth === "ushort" ? "rgb16" : "srgb")
      .raw({ depth: depth === "ushort" ? "ushort" : "uchar" });
    const { data, info } = await raw.toBuffer({ resolveWithObject: true });
    return { data, channels: info.channels, width: info.width, height: info.height };
  };

  /** What sharp reads of the same bytes, as red, green, blue and, where there is one, alpha. */
  const read = async (bytes: Buffer, change: (image: Sharp) => Sharp = (image) => image): Promise<Buffer> => {
    const image = change(sharp(bytes, { ignoreIcc: true }).autoOrient());
    const { depth } = await sharp(bytes).metadata();
    return image
      .toColourspace(depth === "ushort" ? "rgb16" : "srgb")
      .raw({ depth: depth === "ushort" ? "ushort" : "uchar" })
      .toBuffer();
  };

  const raw = (channels: 1 | 3 | 4): Sharp => sharp(values(channels), { raw: { width, height, channels } });

  test.each<[string, () => Promise<Buffer>]>([
    ["rgb.png", () => raw(3).png().toBuffer()],
    ["grey.png", () => raw(1).toColourspace("b-w").png().toBuffer()],
    ["palette.png", () => raw(3).png({ palette: true, colours: 16 }).toBuffer()],
    ["profile.png", () => raw(3).withIccProfile("p3").png().toBuffer()],
    ["gamma.png", async () => withGamma(await raw(3).png().toBuffer())],
    ["lossless.webp", () => raw(3).webp({ lossless: true }).toBuffer()],
    ["one.gif", () => raw(3).gif().toBuffer()],
  ])("%s is what sharp reads", async (name, make) => {
    const bytes = await make();
    const { data, channels } = await held(name, bytes);
    expect(channels === 4 ? withoutAlpha(data) : data).toEqual(await read(bytes, (image) => image.removeAlpha()));
  });

  test.each(["gif", "webp"] as const)("a %s of several frames says that the first is read", async (kind) => {
    const pixels = Buffer.concat([values(3), values(3)]);
    const frames = sharp(pixels, { raw: { width, height: 2 * height, channels: 3, pageHeight: height } });
    await lab.opens(`frames.${kind}`, await frames.toFormat(kind, { lossless: true }).toBuffer());
    await lab.page
      .getByText(`frames.${kind} has ${kind === "gif" ? 2 : "several"} frames; the page reads the first`)
      .waitFor();
  });

  test("colours under transparency of 1 to 255 stay as they are", async () => {
    const rgba = values(4).map((value, i) => (i % 4 === 3 ? Math.max(1, value) : value));
    const bytes = await sharp(rgba, { raw: { width, height, channels: 4 } })
      .png()
      .toBuffer();
    const { data, channels } = await held("alpha.png", bytes);
    expect(channels).toBe(4);
    expect(data).toEqual(Buffer.from(rgba));
  });

  test("pictures larger than a texture, with transparency, are read tile by tile", async () => {
    const [wide, low] = [4200, 9];
    const rgba = new Uint8Array(wide * low * 4).map(next).map((value, i) => (i % 4 === 3 ? Math.max(1, value) : value));
    const bytes = await sharp(rgba, { raw: { width: wide, height: low, channels: 4 } })
      .png()
      .toBuffer();
    expect((await held("wide.png", bytes)).data.equals(Buffer.from(rgba))).toBe(true);
  });

  test("16-bit grey and colour, every bit", async () => {
    const grey = new Uint16Array(width * height).map(() => next() * 256 + next());
    const one = await written((file) => writePng(file, { width, height, channels: 1, data: grey }));
    const rgb = new Uint16Array(grey.length * 3).map((_, i) => grey[Math.floor(i / 3)]);
    const found = await held("grey16.png", one);
    expect(
      new Uint16Array(found.data.buffer.slice(found.data.byteOffset, found.data.byteOffset + found.data.length)),
    ).toEqual(rgb);
    const deep = new Uint16Array(width * height * 3).map(() => next() * 256 + next());
    const three = await written((file) => writePng(file, { width, height, channels: 3, data: deep }));
    const colour = await held("colour16.png", three);
    expect(
      new Uint16Array(colour.data.buffer.slice(colour.data.byteOffset, colour.data.byteOffset + colour.data.length)),
    ).toEqual(deep);
  });

  test("JPEGs are turned as their EXIF says, to within a level", async () => {
    const { data } = blobs(width, height);
    const smooth = sharp(data, { raw: { width, height, channels: 1 } }).blur(2);
    const bytes = await smooth.withMetadata({ orientation: 6 }).jpeg({ quality: 95 }).toBuffer();
    const found = await held("turned.jpg", bytes);
    expect([found.width, found.height]).toEqual([height, width]);
    const expected = await read(bytes);
    const apart = found.data.reduce((most, value, i) => Math.max(most, Math.abs(value - expected[i])), 0);
    expect(apart).toBeLessThanOrEqual(1);
  });

  test("TIFFs of 8, 16 and 32 bits, PGM of 16, and 2-D arrays", async () => {
    const eight = await raw(1).toColourspace("b-w").tiff({ compression: "lzw" }).toBuffer();
    expect((await held("eight.tif", eight)).data).toEqual(await read(eight));
    const deep = new Uint16Array(width * height).map(() => next() * 256 + next());
    const sixteen = await sharp(deep, { raw: { width, height, channels: 1 } })
      .toColourspace("grey16")
      .tiff({ compression: "deflate" })
      .toBuffer();
    const found = await held("sixteen.tif", sixteen);
    const expected = new Uint16Array(deep.length * 3).map((_, i) => deep[Math.floor(i / 3)]);
    expect(
      new Uint16Array(found.data.buffer.slice(found.data.byteOffset, found.data.byteOffset + found.data.length)),
    ).toEqual(expected);
    const pgm = Buffer.concat([Buffer.from(`P5\n${width} ${height}\n65535\n`), Buffer.from(deep.buffer).swap16()]);
    expect((await held("sixteen.pgm", pgm)).data).toEqual(found.data);
    // Floats: by their count over a threshold, in the objects tool.
    await lab.page.getByRole("button", { name: "Objects", exact: true }).click();
    const floats = new Float32Array(width * height).map((_, i) => (i % 7 === 0 ? 1.5 : -0.25));
    const npy = await written((file) => writeNpy(file, floats, { width, height, depth: 1 }));
    await lab.opens("floats.npy", npy);
    await lab.page.getByRole("spinbutton", { name: "Threshold", exact: true }).fill("0.5");
    await lab.settled();
    const expectedCount = floats.filter((value) => value > 0.5).length;
    const covered = (await lab.page.locator(".numbers").textContent()) ?? "";
    expect(covered).toContain(`${((100 * expectedCount) / floats.length).toFixed(1)} % covered`);
    expect(await lab.page.getByLabel("Shown from").inputValue()).toBe("-0.25");
  }, 60_000);

  test("skerry lab FILE opens it, and offers the others", async () => {
    const search = bench.address.split("?")[1];
    const named = await (await bench.open("isolated", search)).go();
    await expect.poll(() => named.page.locator(".source").textContent()).toBe("named.png");
    await named.settled();
    expect(await named.page.getByRole("button", { name: "named.png", exact: true }).count()).toBe(2);
    await named.close();
  });

  test("a picture at another address is fetched after a click that names its host", async () => {
    const png = await raw(1).png().toBuffer();
    for (const address of ["http://[", "javascript:alert(1)", "file:///etc/passwd", "data:image/png;base64,AA"]) {
      const wrong = await bench.open("isolated", `open=${encodeURIComponent(address)}`);
      const errors: string[] = [];
      wrong.page.on("pageerror", ({ message }) => errors.push(message));
      await wrong.go();
      await expect
        .poll(() => wrong.page.getByRole("alert").textContent(), { timeout: 20_000 })
        .toContain("Expected ?open= to be a web address");
      expect(await wrong.page.getByRole("alert").getByRole("button").count()).toBeLessThanOrEqual(1);
      expect(errors).toEqual([]);
      await wrong.close();
    }
    const other = await bench.open("isolated", "open=https%3A%2F%2Fpictures.example%2Fa.png");
    await other.page.route("https://pictures.example/**", (route) =>
      route.fulfill({
        body: png,
        contentType: "image/png",
        headers: { "access-control-allow-origin": "*", "cross-origin-resource-policy": "cross-origin" },
      }),
    );
    await other.go();
    await expect
      .poll(() => other.page.getByRole("alert").textContent())
      .toContain("Fetch the picture from pictures.example?");
    expect(other.requests.some((request) => request.startsWith("GET https://pictures.example"))).toBe(false);
    await other.page.getByRole("button", { name: "Fetch" }).click();
    await expect.poll(() => other.page.locator(".source").textContent()).toBe("a.png");
    await other.close();
  });
});

const withoutAlpha = (rgba: Buffer): Buffer => Buffer.from(rgba.filter((_, i) => i % 4 < 3));

/** A gAMA chunk of 1 / 1.8 before the pixels. */
function withGamma(png: Buffer): Buffer {
  const chunk = Buffer.alloc(16);
  chunk.writeUInt32BE(4, 0);
  chunk.write("gAMA", 4, "latin1");
  chunk.writeUInt32BE(55556, 8);
  let crc = 0xffffffff;
  for (const byte of chunk.subarray(4, 12)) {
    crc ^= byte;
    for (let k = 0; k < 8; k++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  }
  chunk.writeInt32BE(~crc, 12);
  return Buffer.concat([png.subarray(0, 33), chunk, png.subarray(33)]);
}
