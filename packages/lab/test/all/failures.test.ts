// What goes wrong is a sentence with a next step, and the page goes on.

import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Bench, blobs, noBrowser, type Opened, pngOf } from "../page.js";

describe.skipIf(noBrowser)("failures", () => {
  let bench: Bench;
  let lab: Opened;
  let small: Buffer;
  beforeAll(async () => {
    bench = await Bench.start();
    small = await pngOf(blobs(96, 64));
    lab = await (await bench.open()).go();
    await lab.settled();
  });
  afterAll(async () => {
    await lab?.close();
    await bench?.close();
  });

  const told = (of: Opened, sentence: string): Promise<void> =>
    expect
      .poll(
        () =>
          of.page
            .getByRole("alert")
            .textContent({ timeout: 500 })
            .catch(() => ""),
        { timeout: 20_000 },
      )
      .toContain(sentence);

  /** The page goes on: another picture opens, and its objects are counted. */
  const goesOn = async (of: Opened, name = "next.png"): Promise<void> => {
    await of.opens(name, small);
    expect(await of.count()).toBeGreaterThan(0);
  };

  test("a link that the page cannot take says so beside the sample that it opens", async () => {
    const other = await (await bench.open("isolated", "#v=9&source=coins.png&tool=objects")).go();
    await told(other, "The address holds no settings that this page knows.");
    await goesOn(other);
    await other.close();
  });

  test.each<[string, string, () => Promise<Buffer>]>([
    ["notes.txt", "notes.txt could not be read as an image. Open a PNG", async () => Buffer.from("no image")],
    ["empty.png", "empty.png has 0 bytes. Open another file.", async () => Buffer.alloc(0)],
    [
      "cut.png",
      "cut.png is damaged: its picture ends too early",
      async () => (await pngOf(blobs(96, 64))).subarray(0, 900),
    ],
    [
      "webp.tif",
      "to be packed by Deflate, LZW, PackBits, JPEG, zstd or LERC, or not at all, got WebP; convert it",
      () =>
        sharp(Buffer.alloc(64 * 64 * 3), { raw: { width: 64, height: 64, channels: 3 } })
          .tiff({ compression: "webp" })
          .toBuffer(),
    ],
    [
      "cut.npy",
      "the file is truncated",
      async () =>
        Buffer.concat([
          Buffer.from("\x93NUMPY\x01\x00\x76\x00", "latin1"),
          Buffer.from(`${"{'descr': '<f4', 'fortran_order': False, 'shape': (40, 40), }".padEnd(117)}\n`),
        ]),
    ],
  ])("%s", async (name, sentence, make) => {
    await lab.choose(name, await make());
    await told(lab, sentence);
    await goesOn(lab, `after-${name}.png`);
  });

  test("20 000 x 20 000 pixels: how much memory, and a lower scale if asked", async () => {
    const header = Buffer.from(small);
    header.writeUInt32BE(20_000, 16);
    header.writeUInt32BE(20_000, 20);
    await lab.choose("huge.png", header);
    await told(lab, "huge.png has 20000 x 20000 pixels, which would take 1600 MB to decode.");
    const [width, height] = [12_000, 11_400];
    const wide = await sharp({ create: { width, height, channels: 3, background: "#000" } })
      .composite([
        { input: { create: { width: 4000, height: 4000, channels: 3, background: "#fff" } }, left: 100, top: 100 },
      ])
      .png({ compressionLevel: 1 })
      .toBuffer();
    await lab.choose("wide.png", wide);
    await told(lab, "wide.png has 12000 x 11400 pixels");
    await lab.page.getByRole("button", { name: "Open at 1/4 of its scale" }).click();
    await expect.poll(() => lab.page.locator(".source").textContent(), { timeout: 30_000 }).toBe("wide.png");
    await lab.settled();
    await told(lab, "Opened at 1/4 of its scale.");
    expect(await lab.count()).toBe(1);
    await goesOn(lab, "after-wide.png");
  }, 120_000);

  test("no WebGL2", async () => {
    const bare = await bench.open();
    await bare.page.addInitScript(() => {
      const own = HTMLCanvasElement.prototype.getContext;
      HTMLCanvasElement.prototype.getContext = function (this: HTMLCanvasElement, kind: string, ...rest: unknown[]) {
        return kind === "webgl2" ? null : Reflect.apply(own, this, [kind, ...rest]);
      } as typeof own;
    });
    await bare.go();
    await told(bare, "This browser has no WebGL2, which the page draws with. Try another browser.");
    await bare.close();
  });

  test("WebAssembly blocked by policy", async () => {
    const bare = await bench.open();
    await bare.page.route("**/", async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, body: (await response.text()).replace(" 'wasm-unsafe-eval'", "") });
    });
    await bare.page.route("**/?*", async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, body: (await response.text()).replace(" 'wasm-unsafe-eval'", "") });
    });
    await bare.go();
    await told(bare, "The engine could not start: WebAssembly could not be compiled");
    await bare.page.context().close();
  });

  test("a worker that ends", async () => {
    const own = await bench.open();
    await own.page.addInitScript(() => {
      const workers: Worker[] = [];
      Object.assign(window, { workers });
      window.Worker = class extends Worker {
        constructor(...given: ConstructorParameters<typeof Worker>) {
          super(...given);
          workers.push(this);
        }
      };
    });
    await own.go();
    await own.settled();
    await own.page.evaluate(() => {
      for (const worker of (window as unknown as { workers: Worker[] }).workers)
        worker.dispatchEvent(new ErrorEvent("error", { message: "gone" }));
    });
    await own.page.getByLabel("Fill holes").check();
    await told(own, "The device was lost. The engine was started again");
    await own.settled();
    await goesOn(own);
    await own.close();
  }, 60_000);

  test("memory that cannot grow", async () => {
    const own = await bench.open();
    await own.page.addInitScript(() => {
      const grow = WebAssembly.Memory.prototype.grow;
      let allowed = true;
      Object.assign(window, {
        allow: (wanted: boolean) => {
          allowed = wanted;
        },
      });
      WebAssembly.Memory.prototype.grow = function (pages: number) {
        if (!allowed) throw new RangeError("WebAssembly.Memory.grow(): Maximum memory size exceeded");
        return Reflect.apply(grow, this, [pages]);
      };
    });
    await own.go();
    await own.settled();
    await own.page.evaluate("allow(false)");
    const large = await sharp({ create: { width: 6000, height: 5000, channels: 3, background: "#456" } })
      .png()
      .toBuffer();
    await own.choose("large.png", large);
    await told(own, "There is not enough memory for this call.");
    await own.page.evaluate("allow(true)");
    await goesOn(own);
    await own.close();
  }, 60_000);

  test("a sample that cannot be fetched", async () => {
    const own = await bench.open();
    await own.page.route("**/samples/hubble*", (route) => route.abort());
    await own.go();
    await told(own, "The sample galaxies could not be fetched.");
    await goesOn(own);
    await own.close();
  });

  test("a GPU that is lost", async () => {
    const own = await bench.open("gpu");
    await own.page.addInitScript(() => {
      const devices: GPUDevice[] = [];
      Object.assign(window, { devices });
      const request = GPUAdapter.prototype.requestDevice;
      GPUAdapter.prototype.requestDevice = async function (this: GPUAdapter, ...given: unknown[]) {
        const device = (await Reflect.apply(request, this, given)) as GPUDevice;
        devices.push(device);
        return device;
      } as typeof request;
    });
    await own.page.route("**/samples/hubble*", (route) => route.fulfill({ body: small, contentType: "image/png" }));
    await own.go();
    await own.settled(120_000);
    await own.page.evaluate(() => {
      for (const device of (window as unknown as { devices: GPUDevice[] }).devices) device.destroy();
    });
    await own.page.getByLabel("Fill holes").check();
    await told(own, "The device was lost. The engine was started again");
    await own.settled(120_000);
    expect(await own.count()).toBeGreaterThan(0);
    await own.close();
  }, 240_000);

  test("a call that takes long shows how far it is, and can be cancelled", async () => {
    const own = await bench.open();
    await own.go();
    await own.settled();
    const side = 6600;
    let state = 1;
    const noise = Buffer.alloc(side * side);
    for (let i = 0; i < noise.length; i++) {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      noise[i] = state >>> 24;
    }
    await own.choose(
      "noise.png",
      await sharp(noise, { raw: { width: side, height: side, channels: 1 } })
        .toColourspace("b-w")
        .png({ compressionLevel: 0 })
        .toBuffer(),
    );
    await expect.poll(() => own.page.locator(".source").textContent(), { timeout: 60_000 }).toBe("noise.png");
    const cancel = own.page.getByRole("button", { name: "Cancel" });
    await cancel.waitFor({ timeout: 30_000 });
    expect(await own.page.locator("progress").count()).toBe(1);
    await cancel.click();
    await told(own, "Cancelled.");
    await goesOn(own);
    await own.close();
  }, 120_000);
});
