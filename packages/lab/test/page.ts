// What the tests of the page share: a server, a browser, pages in three modes, and the reader's hands.

import { type ChildProcess, spawn } from "node:child_process";
import { createReadStream, existsSync } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { extname, join, resolve } from "node:path";
import { type Browser, type BrowserContextOptions, chromium, firefox, type Locator, type Page } from "playwright-core";
import sharp from "sharp";
import type { Engine, Raster } from "skerry";
import { expect } from "vitest";

const executable = process.env.CHROMIUM ?? "/usr/bin/chromium";
export const root = resolve(import.meta.dirname, "../../..");
export const skerry = resolve(root, "packages/cli/bin/skerry.js");
/** Whether there is no browser, and none is required. */
export const noBrowser = !existsSync(executable) && process.env.SKERRY_REQUIRE_BROWSER !== "1";

/** The Firefox that FIREFOX names, driven by WebDriver BiDi. It has WebGL2 on a display, where xvfb-run serves as one. */
export const firefoxPath = process.env.FIREFOX;

/** How the page runs: threads, one worker, WebGPU in software. */
export type Mode = "isolated" | "one worker" | "gpu";

/** A server and a browser for a file of tests. */
export class Bench {
  readonly browser: Browser;
  readonly address: string;
  readonly #served: ChildProcess;
  readonly #plain: Server;
  readonly plainAddress: string;

  private constructor(browser: Browser, served: ChildProcess, address: string, plain: Server) {
    this.browser = browser;
    this.#served = served;
    this.address = address;
    this.#plain = plain;
    this.plainAddress = `http://127.0.0.1:${(plain.address() as AddressInfo).port}/`;
  }

  static async start(files: readonly string[] = [], kind: "Chromium" | "Firefox" = "Chromium"): Promise<Bench> {
    const served = spawn(process.execPath, [skerry, "lab", ...files, "--no-open"]);
    const address = await new Promise<string>((done) => {
      served.stdout?.once("data", (line) => done(String(line).trim()));
    });
    const browser = await (kind === "Firefox" ? launchFirefox() : launchChromium());
    return new Bench(browser, served, address, await servePlain());
  }

  /** A page in a context of its own. */
  async open(mode: Mode = "isolated", search = "", options: BrowserContextOptions = {}): Promise<Opened> {
    const context = await this.browser.newContext({
      viewport: { width: 1120, height: 640 },
      acceptDownloads: true,
      // Requests of service workers do not come to route(); the tests of offline use allow them.
      serviceWorkers: "block",
      ...options,
    });
    // In software each kernel compiles for seconds.
    if (mode === "gpu") context.setDefaultTimeout(120_000);
    const page = await context.newPage();
    const errors: string[] = [];
    const requests: string[] = [];
    page.on("pageerror", (error) => errors.push(error.message));
    page.on("request", (request) => requests.push(`${request.method()} ${request.url()}`));
    const address = mode === "one worker" ? this.plainAddress : this.address;
    const device = mode === "gpu" ? "device=gpu" : "device=cpu";
    const [path, hash = ""] = search.split("#");
    const query = [path, device].filter(Boolean).join("&");
    return new Opened(page, errors, requests, `${address.split("?")[0]}?${query}${hash && `#${hash}`}`);
  }

  async close(): Promise<void> {
    await this.browser.close();
    this.#served.kill();
    this.#plain.close();
  }
}

async function downloaded(page: Page, button: Locator): Promise<Buffer> {
  const [download] = await Promise.all([page.waitForEvent("download"), button.click()]);
  return readFile(await download.path());
}

async function handed(page: Page, button: Locator): Promise<Buffer> {
  const whenHanded = await page.evaluateHandle(() => ({
    bytes: new Promise<number[]>((done) => {
      const plain = URL.createObjectURL;
      URL.createObjectURL = (blob) => {
        URL.createObjectURL = plain;
        void (blob as Blob).arrayBuffer().then((buffer) => done([...new Uint8Array(buffer)]));
        return plain.call(URL, blob);
      };
    }),
  }));
  await button.click();
  return Buffer.from(await whenHanded.evaluate(({ bytes }) => bytes));
}

const launchFirefox = (): Promise<Browser> =>
  firefox.launch({
    channel: "moz-firefox",
    executablePath: firefoxPath as string,
    headless: process.env.DISPLAY === undefined,
    firefoxUserPrefs: { "webgl.force-enabled": true },
  });

function launchChromium(): Promise<Browser> {
  return chromium.launch({
    executablePath: executable,
    // Software draws a frame in a part of the time that the limit leaves for it.
    args: [
      "--no-sandbox",
      "--use-angle=swiftshader",
      "--enable-unsafe-webgpu",
      "--use-webgpu-adapter=swiftshader",
      // A kernel that compiles for long is no GPU that hangs.
      "--disable-frame-rate-limit",
      "--disable-gpu-watchdog",
    ],
  });
}

/** The built page as any static host serves it: no header but a type. */
function servePlain(): Promise<Server> {
  const types: Record<string, string> = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css" };
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? "/", "http://localhost");
    const path = join(root, "packages/lab/dist", pathname === "/" ? "index.html" : pathname);
    if (!existsSync(path)) {
      response.writeHead(404).end();
      return;
    }
    response.setHeader("Content-Type", types[extname(path)] ?? "application/octet-stream");
    createReadStream(path).pipe(response);
  });
  return new Promise((done) => server.listen(0, "127.0.0.1", () => done(server)));
}

/** A page, and what its reader does with it. */
export class Opened {
  readonly page: Page;
  readonly errors: string[];
  readonly requests: string[];
  readonly address: string;

  constructor(page: Page, errors: string[], requests: string[], address: string) {
    this.page = page;
    this.errors = errors;
    this.requests = requests;
    this.address = address;
  }

  async go(): Promise<this> {
    await this.page.goto(this.address);
    return this;
  }

  count = async (): Promise<number> => {
    const text = (await this.page.getByTestId("count").textContent()) ?? "";
    return text.includes("…") ? Number.NaN : Number(text.replace(/\D/g, ""));
  };

  async until(expected: number, timeout = 20_000): Promise<void> {
    await expect.poll(this.count, { timeout, interval: 30 }).toBe(expected);
  }

  /** Chooses a file. Bytes of a large one through the browser's protocol would take a slow machine half a minute, so it is a file. */
  async choose(name: string, bytes: Uint8Array): Promise<void> {
    const folder = await mkdtemp(join(tmpdir(), "skerry-page-"));
    await writeFile(join(folder, name), bytes);
    await this.page.locator('header input[type="file"]').setInputFiles(join(folder, name));
    this.page.once("close", () => rm(folder, { recursive: true, force: true }));
  }

  /** Chooses a file and waits until it is shown. */
  async opens(name: string, buffer: Uint8Array): Promise<void> {
    await this.choose(name, buffer);
    const shown = (wanted: string) => document.querySelector(".source")?.textContent === wanted;
    await this.page.waitForFunction(shown, name, { timeout: 20_000 });
    await this.settled();
  }

  /** Waits until the result belongs to the settings. */
  async settled(timeout = 60_000): Promise<void> {
    await this.page.waitForFunction(() => document.documentElement.dataset.settled === "true", undefined, { timeout });
  }

  /** The place of the window at which a pixel of the picture lies, while the whole picture is shown. */
  async at(x: number, y: number, { width, height }: { width: number; height: number }): Promise<[number, number]> {
    const { left, top, right, bottom, bars } = await this.page.locator("canvas.picture").evaluate((canvas) => {
      const { left, top, right, bottom } = canvas.getBoundingClientRect();
      const bars = [...document.querySelectorAll("[data-bar]")].map((bar) => bar.getBoundingClientRect().toJSON());
      return { left, top, right, bottom, bars: bars as DOMRect[] };
    });
    const high = bottom - top;
    const above = Math.max(
      0,
      ...bars.filter((bar) => bar.top - top <= bottom - bar.bottom).map((bar) => bar.bottom - top + 8),
    );
    const below = Math.max(
      0,
      ...bars.filter((bar) => bar.top - top > bottom - bar.bottom).map((bar) => bottom - bar.top + 8),
    );
    const free = above + below > high / 2 ? high : high - above - below;
    const scale = Math.min((right - left) / width, free / height);
    const isMiddle = free === high || height * scale <= high - 2 * Math.max(above, below);
    const middle = isMiddle ? top + high / 2 : top + above + free / 2;
    return [(left + right) / 2 + (x + 0.5 - width / 2) * scale, middle + (y + 0.5 - height / 2) * scale];
  }

  /** What the save dialog gives for one of its buttons. */
  async saves(what: string): Promise<Buffer> {
    await this.page.locator('[data-dialog="Save"]').click();
    const button = this.page.locator(`[data-save="${what}"]`);
    // WebDriver BiDi has no downloads yet: what the page hands over is read there.
    const isFirefox = this.page.context().browser()?.browserType().name() === "firefox";
    const bytes = isFirefox ? await handed(this.page, button) : await downloaded(this.page, button);
    await this.page.locator("dialog[open]").getByRole("button", { name: "Close" }).click();
    return bytes;
  }

  /** The copied code and the copied command. */
  async code(): Promise<{ typescript: string; command: string }> {
    await this.page.getByRole("button", { name: "Code", exact: true }).click();
    await this.page.getByTestId("TypeScript").waitFor();
    const typescript = (await this.page.getByTestId("TypeScript").textContent()) ?? "";
    const command = (await this.page.getByTestId("Command line").textContent()) ?? "";
    await this.page.locator("dialog[open]").getByRole("button", { name: "Close" }).click();
    return { typescript, command };
  }

  /** Adds a step, or sets one that is there. */
  async step(name: string, value: string): Promise<void> {
    const field = this.page.getByRole("spinbutton", { name, exact: true });
    if ((await field.count()) === 0) {
      const details = this.page.locator("details.additions");
      if (!(await details.evaluate((node) => (node as HTMLDetailsElement).open)))
        await details.locator("summary").click();
      const chip = this.page.getByRole("button", { name: `+ ${name}`, exact: true });
      await ((await chip.count()) > 0 ? chip.click() : this.page.getByLabel(name, { exact: true }).check());
    }
    await field.fill(value);
  }

  async close(): Promise<void> {
    expect(this.errors).toEqual([]);
    await this.page.context().close();
  }
}

/**
 * Runs code that was copied from the page, but for its imports, which modules alone have, and the lines that read the file; gives one of
 * its values. people.test.ts runs it as it stands.
 */
export async function runCopied<T>(typescript: string, name: string, given: Record<string, unknown>): Promise<T> {
  const body = typescript
    .replace(/^import.*$/gm, "")
    .replace(/^const picture = .*\nconst \{ data, info \}.*\nconst image = .*$/m, "")
    .replace(/^await engine\.close\(\);$/m, "")
    .replace(/console\.log\(.*\);/, `return ${name};`);
  const run = new Function(...Object.keys(given), `return (async () => { ${body} })()`);
  return run(...Object.values(given)) as Promise<T>;
}

/** Grey noise, smoothed by its neighbours: some dozens of objects of many sizes. */
export function blobs(width: number, height: number, seed = 7): Raster & { data: Uint8Array } {
  let state = seed;
  const next = (): number => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
  const spots = Array.from({ length: 60 }, () => [next() * width, next() * height, 2 + next() * 9, 60 + next() * 190]);
  const data = new Uint8Array(width * height);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      let value = 20 + 12 * next();
      for (const [sx, sy, r, v] of spots as [number, number, number, number][]) {
        value = Math.max(value, v * Math.exp(-((x - sx) ** 2 + (y - sy) ** 2) / (r * r)));
      }
      data[y * width + x] = value;
    }
  }
  return { data, width, height };
}

export function pngOf({ data, width, height }: Raster, channels: 1 | 3 | 4 = 1): Promise<Buffer> {
  const image = sharp(data as Uint8Array, { raw: { width, height, channels } });
  return (channels === 1 ? image.toColourspace("b-w") : image).png().toBuffer();
}

export type { Engine };
