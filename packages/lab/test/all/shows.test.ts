// What the page shows of the settings themselves: the channel that is thresholded, black and white of deep pictures, counts at each
// radius of a local threshold, errors of the engine beside their field, and the sheet of a phone.

import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Bench, blobs, noBrowser, type Opened, pngOf } from "../page.js";

/** Bytes of a PNG of four squares: red, green, blue and white on black. */
const squares = (): Promise<Buffer> => {
  const [width, height] = [64, 48];
  const data = new Uint8Array(width * height * 3);
  const colours = [
    [200, 0, 0],
    [0, 200, 0],
    [0, 0, 200],
    [200, 200, 200],
  ];
  for (const [i, colour] of colours.entries()) {
    for (let y = 10; y < 38; y++) for (let x = 4 + i * 15; x < 15 + i * 15; x++) data.set(colour, 3 * (y * width + x));
  }
  return sharp(data, { raw: { width, height, channels: 3 } })
    .png()
    .toBuffer();
};

describe.skipIf(noBrowser)("what the page shows", () => {
  let bench: Bench;
  beforeAll(async () => {
    bench = await Bench.start();
  });
  afterAll(() => bench?.close());

  /** Red, green and blue of the canvas at a pixel of the picture. */
  const seen = async (lab: Opened, x: number, y: number): Promise<number[]> => {
    await lab.settled();
    const [left, top] = await lab.at(x, y, { width: 64, height: 48 });
    return lab.page.evaluate(
      async ([px, py]) => {
        // A setting that changes only what is shown is drawn with the next frame.
        for (let i = 0; i < 2; i++) await new Promise((next) => requestAnimationFrame(next));
        const canvas = document.querySelector("canvas.picture") as HTMLCanvasElement;
        const box = canvas.getBoundingClientRect();
        const gl = canvas.getContext("webgl2") as WebGL2RenderingContext;
        const own = new Uint8Array(4);
        const [column, row] = [Math.floor(px - box.left), canvas.height - 1 - Math.floor(py - box.top)];
        gl.readPixels(column, row, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, own);
        return [...own.subarray(0, 3)];
      },
      [left, top] as const,
    );
  };

  test("a line scan tells each object as it ends, again and again, until it is stopped", async () => {
    const lab = await (await bench.open()).go();
    await lab.settled();
    await lab.opens("squares.png", await squares());
    await lab.page.locator("[data-dialog='As a line scan']").click();
    await lab.page.getByRole("button", { name: "Start" }).click();
    const dialog = lab.page.locator("dialog[open]");
    // Four squares per picture of 48 lines.
    await lab.page.waitForFunction(() =>
      /^8 objects/.test(document.querySelector("dialog[open] output")?.textContent ?? ""),
    );
    await lab.page.getByRole("button", { name: "Stop" }).click();
    await dialog.getByRole("button", { name: "Start" }).waitFor();
    // Squares end in line 38 of every 48.
    for (const text of await dialog.locator("li").allTextContents()) {
      const [, area, line] = /: (\d+) px, ended in line (\d+)$/.exec(text) ?? [];
      expect([area, Number(line) % 48]).toEqual(["308", 38]);
    }
    await lab.close();
  });

  test("the channel that is thresholded instead of the colours", async () => {
    const lab = await (await bench.open()).go();
    await lab.settled();
    await lab.opens("squares.png", await squares());
    await lab.page.getByRole("button", { name: "Original" }).click();
    expect(await seen(lab, 9, 24)).toEqual([200, 0, 0]);
    await lab.page.getByRole("button", { name: "Channel" }).click();
    await lab.page.getByLabel("Channel").selectOption("red");
    expect(await seen(lab, 9, 24)).toEqual([200, 200, 200]);
    expect(await seen(lab, 24, 24)).toEqual([0, 0, 0]);
    await lab.page.getByLabel("Channel").selectOption("luma");
    // (150 x 200 + 128) / 256 of Rec. 601.
    expect(await seen(lab, 24, 24)).toEqual([117, 117, 117]);
    await lab.page.getByLabel("Channel").selectOption("eosin");
    const [white] = await seen(lab, 54, 24);
    const [red] = await seen(lab, 9, 24);
    expect(red).toBeGreaterThan((white ?? 255) + 30);
    await lab.page.getByRole("button", { name: "Channel" }).click();
    expect(await seen(lab, 24, 24)).toEqual([0, 200, 0]);
    await lab.close();
  }, 60_000);

  test("black and white of a picture of 16 bits are handles on its histogram", async () => {
    const lab = await (await bench.open()).go();
    await lab.settled();
    const grey = blobs(64, 48);
    const data = Uint16Array.from(grey.data, (value) => value * 100);
    const png = await sharp(data, { raw: { width: 64, height: 48, channels: 1 } })
      .toColourspace("grey16")
      .png()
      .toBuffer();
    await lab.opens("deep.png", png);
    const white = lab.page.getByLabel("Shown as white");
    const before = Number(await lab.page.getByLabel("to", { exact: true }).inputValue());
    const count = await lab.count();
    await white.focus();
    for (let i = 0; i < 20; i++) await lab.page.keyboard.press("ArrowLeft");
    expect(Number(await lab.page.getByLabel("to", { exact: true }).inputValue())).toBeLessThan(before);
    // What is shown has nothing to do with what is found.
    await lab.settled();
    expect(await lab.count()).toBe(count);
    await lab.close();
  }, 60_000);

  test("a local threshold has a chart of its radii, whose numbers are those that follow", async () => {
    const lab = await (await bench.open()).go();
    await lab.settled();
    await lab.opens("blobs.png", await pngOf(blobs(224, 160)));
    await lab.page.getByLabel("How the threshold is chosen").selectOption("local");
    await lab.settled();
    const chart = lab.page.locator(".levels", { hasText: "Number of objects at each radius" });
    const wanted = lab.page.locator(".levels output", { hasText: "objects at 61 px" });
    await expect
      .poll(
        async () => {
          await chart.locator(".chart").hover({ position: { x: 0, y: 10 } });
          const box = await chart.locator(".chart").boundingBox();
          await chart.locator(".chart").hover({ position: { x: ((box?.width ?? 0) * 60.5) / 100, y: 10 } });
          return wanted.count();
        },
        { timeout: 30_000 },
      )
      .toBe(1);
    const told = Number(((await wanted.textContent()) ?? "").replace(/ objects.*|\D/g, ""));
    await lab.page.getByRole("spinbutton", { name: "Radius" }).fill("61");
    await lab.settled();
    expect(await lab.count()).toBe(told);
    await lab.close();
  }, 60_000);

  test("other settings are small pictures: a press takes one, undo takes it back, Auto takes the first", async () => {
    const lab = await (await bench.open()).go();
    await lab.settled();
    await lab.opens("coins.png", readFileSync(resolve(import.meta.dirname, "../../../../samples/coins.png")));
    await expect.poll(lab.count).toBe(154);
    const offers = lab.page.locator(".suggested .offer");
    await expect.poll(() => offers.count(), { timeout: 30_000 }).toBeGreaterThan(1);
    const told = await offers.locator("span").allTextContents();
    expect(told).toContain("24");
    for (const at of [1, 0]) {
      await offers.nth(at).click();
      await lab.settled();
      await expect.poll(lab.count).toBe(Number(told[at]));
      expect(await offers.nth(at).getAttribute("aria-pressed")).toBe("true");
      await lab.page.getByRole("button", { name: "Undo" }).click();
      await lab.settled();
      await expect.poll(lab.count).toBe(154);
    }
    await lab.page.getByRole("button", { name: "Auto", exact: true }).click();
    await lab.settled();
    await expect.poll(lab.count).toBe(Number(told[0]));
    // The second call on a picture is a warm one, whose time stands beside the first.
    expect(await lab.page.getByTestId("stages").textContent()).toMatch(/^[\d.]+ m?s the first time; [\d.]+ m?s now: /);
    await lab.close();
  }, 90_000);

  test("an error of the engine stands beside its field, and goes with the next result", async () => {
    const lab = await (await bench.open()).go();
    await lab.settled();
    await lab.opens("blobs.png", await pngOf(blobs(224, 160)));
    await lab.step("Largest size", "500");
    await lab.settled();
    await lab.page.locator('input[name="minArea"]').fill("600");
    const told = lab.page.locator('[data-caused="minArea"]');
    await told.waitFor();
    expect(await told.textContent()).toMatch(/^Expected minArea to be at most maxArea/);
    expect(await lab.page.locator(".failure").isVisible()).toBe(false);
    await lab.page.locator('input[name="minArea"]').fill("20");
    await lab.settled();
    expect(await told.count()).toBe(0);
    await lab.close();
  }, 60_000);

  test("the sheet of a phone is dragged, rests at three heights, and leaves the picture as it is", async () => {
    const phone = { hasTouch: true, isMobile: true, viewport: { width: 390, height: 760 } };
    const lab = await (await bench.open("isolated", "", phone)).go();
    await lab.settled();
    const canvas = await lab.page.locator("canvas.picture").boundingBox();
    const height = async (): Promise<number> => (await lab.page.locator("aside").boundingBox())?.height ?? 0;
    const rest = (): Promise<string | null> => lab.page.locator("aside").getAttribute("data-sheet");
    expect(await rest()).toBe("1");
    const grip = await lab.page.locator(".grip").boundingBox();
    const [x, y] = [195, (grip?.y ?? 0) + 20];
    await lab.page.mouse.move(x, y);
    await lab.page.mouse.down();
    await lab.page.mouse.move(x, y - 120, { steps: 4 });
    expect(await height()).toBeGreaterThan(380);
    await lab.page.mouse.move(x, y - 260, { steps: 4 });
    await lab.page.mouse.up();
    expect(await rest()).toBe("2");
    await expect.poll(height).toBeCloseTo(0.76 * 760, 1);
    expect(await lab.page.locator("canvas.picture").boundingBox()).toEqual(canvas);
    await lab.page.locator(".grip").click();
    expect(await rest()).toBe("0");
    await expect.poll(height).toBe(116);
    await lab.close();
  }, 60_000);
});
