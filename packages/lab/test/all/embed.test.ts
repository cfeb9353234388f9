// The page within another page: pictures and recipes come in by messages, results and recipes go out, and nobody else is heard.

import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { MemoryOutput, writeNpy } from "@skerry/files";
import type { Page } from "playwright-core";
import { open } from "skerry";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Bench, noBrowser } from "../page.js";

interface Message {
  readonly id?: number;
  readonly ready?: boolean;
  readonly error?: { readonly name: string; readonly message: string };
  readonly picture?: { readonly width: number; readonly height: number };
  readonly recipe?: { readonly operation: string; readonly options?: Record<string, unknown> };
  readonly count?: number;
  readonly facts?: Record<string, unknown>;
  readonly arrays?: readonly { readonly name: string; readonly shape: number[]; readonly data: Uint32Array }[];
}

/** The globals of the page around the lab: what it heard, and how it asks. */
interface Around {
  readonly heard: readonly Message[];
  readonly ask: (message: object) => Promise<Message>;
}

/** A page around the lab, on an origin of its own. `ask` sends a message and resolves to its answer. */
const AROUND = (address: string) => `<!doctype html><meta charset="utf-8"><title>around</title>
<iframe src="${address}" style="width: 100%; height: 560px"></iframe>
<script>
  globalThis.heard = [];
  const waiting = new Map();
  const frame = document.querySelector("iframe");
  addEventListener("message", ({ data, source, origin }) => {
    if (source !== frame.contentWindow || origin !== new URL(frame.src).origin) return;
    heard.push(data);
    waiting.get(data.id)?.(data);
  });
  let id = 0;
  globalThis.ask = (message) => new Promise((resolve) => {
    waiting.set(++id, resolve);
    frame.contentWindow.postMessage({ skerry: 1, id, ...message }, "*");
  });
</script>`;

const [WIDTH, HEIGHT] = [90, 70];
/** Squares of 8 x 8 in a grid, brighter to the right. */
const pixels = Uint8Array.from({ length: WIDTH * HEIGHT }, (_, i) => {
  const [x, y] = [i % WIDTH, Math.floor(i / WIDTH)];
  return x % 15 < 8 && y % 14 < 8 ? 100 + x : 10;
});
let file: Uint8Array;

describe.skipIf(noBrowser)("the page within another page", () => {
  let bench: Bench;
  let server: Server;
  let around: string;
  let search = "";
  beforeAll(async () => {
    const output = new MemoryOutput();
    await writeNpy(output, pixels, { width: WIDTH, height: HEIGHT, depth: 1 });
    file = output.bytes();
    bench = await Bench.start();
    server = createServer((_, response) => {
      response.setHeader("Content-Type", "text/html");
      response.end(AROUND(`${bench.plainAddress}?device=cpu&${search}`));
    });
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
    around = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(async () => {
    server?.close();
    await bench?.close();
  });

  async function begun(): Promise<Page> {
    const page = await (await bench.browser.newContext({ viewport: { width: 1120, height: 640 } })).newPage();
    await page.goto(around);
    return page;
  }
  const ask = (page: Page, message: object): Promise<Message> =>
    page.evaluate(
      ([sent, bytes]) =>
        (globalThis as unknown as Around).ask(bytes ? { ...sent, file: Uint8Array.from(bytes) } : sent),
      [
        { ...message, file: undefined },
        "file" in message ? Array.from(message.file as Uint8Array) : undefined,
      ] as const,
    );
  const heard = (page: Page): Promise<readonly Message[]> =>
    page.evaluate(() => (globalThis as unknown as Around).heard);

  test("a picture and a recipe come in; labels, a table, outlines and the recipe go out", async () => {
    search = `embed=${encodeURIComponent(around)}`;
    const page = await begun();
    await expect.poll(async () => (await heard(page)).some(({ ready }) => ready), { timeout: 20_000 }).toBe(true);
    // Nothing is shown before the first picture, no sample either.
    await expect(ask(page, { results: ["labels"] })).resolves.toMatchObject({ error: { name: "Error" } });
    const { picture } = await ask(page, { name: "grid.npy", file });
    expect(picture).toEqual({ name: "grid.npy", width: WIDTH, height: HEIGHT, channels: 1, notes: [] });
    const recipe = { skerry: 1, operation: "components", options: { threshold: { above: 150 }, connectivity: 8 } };
    const taken = await ask(page, { recipe });
    expect(taken.recipe).toMatchObject({ operation: "components", options: { threshold: { above: 150 } } });
    const { arrays = [], facts } = await ask(page, { results: ["labels", "regions", "outlines", "mask"] });
    await using engine = await open({ device: "cpu", threads: 1 });
    const found = await engine.components(
      { data: pixels, width: WIDTH, height: HEIGHT },
      { threshold: { above: 150 }, connectivity: 8 },
    );
    expect(facts).toEqual({ count: found.count, foreground: found.foreground, width: WIDTH });
    const labels = await page.evaluate(() => {
      const answers = (globalThis as unknown as Around).heard;
      const last = answers.findLast(({ arrays }) => arrays);
      return Array.from(last?.arrays?.find(({ name }) => name === "labels")?.data ?? []);
    });
    expect(labels).toEqual(Array.from((await found.labels()).data));
    expect(arrays.find(({ name }) => name === "labels")).toMatchObject({ type: "u32", shape: [HEIGHT, WIDTH] });
    expect(arrays.find(({ name }) => name === "regions.area")).toMatchObject({ shape: [found.count] });
    expect(arrays.find(({ name }) => name === "outlines.label")).toMatchObject({ shape: [found.count] });
    const told = (await heard(page)).findLast(({ id, recipe: own }) => id === undefined && own);
    expect(told).toMatchObject({ count: found.count, recipe: { options: { threshold: { above: 150 } } } });
    // The page around hears of what its user changes within.
    const lab = page.frameLocator("iframe");
    // Its user is told where results go.
    expect(await lab.locator("footer .stays").textContent()).toBe(`Results go to ${around}`);
    await lab.getByRole("spinbutton", { name: "Threshold", exact: true }).fill("50");
    await expect.poll(async () => (await heard(page)).findLast(({ id }) => id === undefined)?.count).toBe(30);
    // What was done to a picture is kept nowhere: the next page around may be another one.
    await ask(page, { name: "other.npy", file: file.map((byte, i) => (i > 200 ? byte >> 1 : byte)) });
    const kept = await page.frames()[1]?.evaluate(
      () =>
        new Promise<unknown>((resolve) => {
          const request = indexedDB.open("keyval-store");
          request.onsuccess = () => {
            const { result } = request;
            if (!result.objectStoreNames.contains("keyval")) return resolve([]);
            const keys = result.transaction("keyval").objectStore("keyval").getAllKeys();
            keys.onsuccess = () => resolve(keys.result);
          };
        }),
    );
    expect(kept).toEqual([]);
    expect(await page.frames()[1]?.evaluate(() => [localStorage.length, sessionStorage.length])).toEqual([0, 0]);
    await page.context().close();
  });

  test("what is wrong is answered", async () => {
    search = `embed=${encodeURIComponent(around)}`;
    const page = await begun();
    await expect.poll(async () => (await heard(page)).some(({ ready }) => ready), { timeout: 20_000 }).toBe(true);
    for (const [message, text] of [
      [{ name: "broken.npy", file: file.slice(0, 200) }, "broken.npy"],
      [{ file }, "Expected name"],
      [{ recipe: { skerry: 1, operation: "nothing" } }, "operation"],
      [{ results: ["everything"] }, "Expected results out of labels"],
      [{}, "Expected a message with file, recipe or results"],
    ] as const) {
      expect((await ask(page, message)).error?.message).toContain(text);
    }
    await page.context().close();
  });

  test("another origin than the address names is not heard, and told nothing", async () => {
    search = `embed=${encodeURIComponent("https://other.example")}`;
    const page = await begun();
    await page.frameLocator("iframe").getByTestId("count").waitFor();
    await page.waitForTimeout(1000);
    await page.evaluate(() => {
      void (globalThis as unknown as Around).ask({ recipe: { skerry: 1, operation: "components" } });
    });
    await page.waitForTimeout(500);
    expect(await heard(page)).toEqual([]);
    await page.context().close();
  });

  test("an address that names no origin says so", async () => {
    const page = await bench.open("one worker", "embed=none");
    await page.go();
    await expect.poll(() => page.page.locator(".failure").textContent()).toContain("Expected ?embed= to be the origin");
    await page.page.context().close();
  });
});
