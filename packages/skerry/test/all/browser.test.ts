// The built library in Debian's Chromium: bundled by esbuild with no configuration, on a cross-origin isolated
// page (threads over shared memory), on an ordinary one (one worker), and through navigator.gpu (SwiftShader), with
// the answers that Node gives.

import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { build } from "esbuild";
import { type Browser, chromium } from "playwright-core";
import { type Engine, open, paint, type Regions, recolour } from "skerry";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { noise } from "../support/shapes.js";

const executable = process.env.CHROMIUM ?? "/usr/bin/chromium";
const required = process.env.SKERRY_REQUIRE_BROWSER === "1";
const picture = noise(1300, 900, 0.6, 2, 9);

/** Numbers of objects by the calls between pixels and objects, run by the page and by Node. */
async function objectsOf(
  engine: Engine,
  picture: { data: Uint8Array; width: number; height: number },
): Promise<number[]> {
  const { width, height } = picture;
  const grey = { width, height, data: picture.data.map((v, i) => v * (60 + (i % 190))) };
  const soft = await engine.smooth(grey, { sigma: 1.5 });
  const even = await engine.flatten(soft, { radius: 20 });
  const whole = await engine.components(soft, {
    threshold: "otsu",
    close: 2,
    open: 1,
    fillHoles: "slices",
    connectivity: 8,
  });
  const within = await whole.mask();
  const local = await engine.components(even, { threshold: { local: { radius: 9, method: "sauvola" } }, within });
  const parts = await whole.split({ h: 0.5, minArea: 9 });
  const grown = await parts.expand(3);
  const labelled = await engine.labelled({ ...(await grown.labels()), depth: 1 });
  const left = await labelled.absorb({ minArea: 50 });
  const basins = await engine.watershed(grey, {
    markers: {
      points: [
        [5, 5],
        [900, 700],
      ],
      width,
      height,
    },
    within,
  });
  const rgb = {
    width,
    height,
    channels: 3,
    data: Uint8Array.from({ length: 3 * grey.data.length }, (_, i) => 255 - grey.data[(i / 3) | 0]),
  };
  const [stain] = await engine.unmix(rgb);
  const nuclei = await engine.components(stain, { threshold: "li" });
  const outlines = await parts.outlines({ tolerance: 1 });
  const halves = await whole.split({ h: 1 });
  const eroded = await whole.erode(1, { border: "extend" });
  const dilated = await whole.dilate(8);
  const edited = await parts.edit([
    {
      cut: [
        [0, 300],
        [1000, 420],
      ],
    },
    { erase: [[500, 200]], radius: 40 },
    { draw: [[500, 200]], radius: 20 },
    { drop: [9, 9] },
  ]);
  const { otsu } = await engine.histogram(grey, { within });
  const ring = await engine.difference(await engine.dilate(within, 3), [whole, await engine.erode(within, 2)]);
  const shell = await engine.components(await engine.union([ring, await engine.intersection([whole, within])]));
  const shapes = await parts.regions({
    properties: [
      ...(["perimeter", "crofton", "circularity", "convexArea", "feretDiameter", "minimumRectangle"] as const),
      ...(["convexHull", "holes", "median", "quantiles", "histogram"] as const),
    ],
    intensity: [grey, rgb],
    perChannel: true,
    bins: 9,
  });
  const { convexHull, histogram, ...rest } = shapes as Required<Regions>;
  const numbers = [...Object.values(rest), convexHull.points, histogram.counts].filter(ArrayBuffer.isView);
  const measured = (numbers as unknown as number[][]).flatMap((array) => [...array]);
  const digits = measured.reduce((sum, n, i) => (Number.isNaN(n) ? sum : (sum * 31 + n * (1 + (i % 7))) % 1e9), 0);
  const found = [whole, local, parts, halves, grown, labelled, left, basins, nuclei, eroded, dilated, edited];
  const shape = outlines.points.reduce((sum, n, i) => (sum * 31 + n * (i + 1)) % 1e9, outlines.count);
  return [...found.flatMap(({ count, foreground }) => [count, foreground]), otsu, shape, shell.foreground, digits];
}

/** What the page runs; it leaves its result, or its error, in `window.answer`. */
const PAGE = `
import { open } from "skerry";
const objectsOf = ${objectsOf};
window.answer = (async () => {
  if (location.pathname === "/blocked") return { refused: await open({ device: "cpu" }).then(() => "", (error) => error.name + ": " + error.message) };
  const { width, height } = ${JSON.stringify({ width: picture.width, height: picture.height })};
  const data = new Uint8Array(await (await fetch("/picture")).arrayBuffer());
  const device = location.pathname === "/gpu" ? "gpu" : "auto";
  const engine = await open({ device });
  const image = new ImageData(width, height);
  for (let i = 0; i < data.length; i++) image.data.fill(data[i] * 255, 4 * i, 4 * i + 3);
  const blobs = await engine.components(image, { threshold: { above: 100 }, connectivity: 8, fillHoles: true });
  const { data: labels } = await blobs.labels();
  const { area } = await blobs.regions({ properties: "all", intensity: image });
  const painted = await engine.paint(image, blobs, [1, 2, 3]);
  const patch = await engine.fill(image, { seeds: [[0, 0]], tolerance: 3 });
  const segmentation = await engine.kmeans(image, { k: 2 });
  const recoloured = await engine.recolour(segmentation);
  const wand = await (await engine.wand(image, { seeds: [[0, 0]] })).at(3);
  const map = await engine.distance(image, { threshold: { above: 100 }, squared: true });
  const { k } = await engine.pickK(image, { max: 3 });
  const { otsu } = await engine.histogram(image);
  const green = (await engine.components(await engine.channel(image, "green"), { threshold: { above: 100 } })).foreground;
  const loaded = await engine.load(image);
  const again = (await engine.components(loaded, { threshold: "otsu" })).count;
  const li = await engine.components(image, { threshold: "li" });
  const triangle = await engine.components(image, { threshold: "triangle", polarity: "dark" });
  const own = engine.allocate("u8", data.length);
  own.set(data);
  const direct = await engine.components({ data: own, width, height }, { connectivity: 8 });
  const written = await direct.labels({ into: engine.allocate("u32", data.length) });
  engine.free(own);
  const last = written.data.reduce((a, b) => Math.max(a, b), 0);
  const objects = await objectsOf(engine, { data, width, height });
  let hash = 0;
  for (const array of [painted.data, segmentation.data, recoloured.data, map.data]) for (const v of array) hash = (Math.imul(hash, 31) + v) | 0;
  const others = [painted.width, patch.foreground, wand.foreground, again, k, otsu, green, hash, last, li.count, triangle.foreground, ...objects];
  const { shared, threads, gpu } = engine.describe();
  await engine.close();
  const digest = [...new Uint8Array(await crypto.subtle.digest("SHA-256", labels))];
  return { others, count: blobs.count, digest, area: [...area], shared, threads, gpu, on: blobs.device, isolated: crossOriginIsolated };
})();
`;

describe.skipIf(!existsSync(executable) && !required)("in a browser", () => {
  let server: Server;
  let browser: Browser;
  let origin: string;

  beforeAll(async () => {
    const bundle = await build({
      stdin: { contents: PAGE, resolveDir: import.meta.dirname },
      bundle: true,
      format: "esm",
      // Without the paths of tsconfig.json, which are for the compiler: they lead to the sources for Node.
      write: false,
      logLevel: "error",
      tsconfigRaw: {},
    });
    const script = bundle.outputFiles[0]?.contents ?? new Uint8Array();
    server = createServer(({ url = "" }, response) => {
      if (url.startsWith("/blocked")) response.setHeader("Content-Security-Policy", "worker-src 'none'");
      if (url.startsWith("/isolated")) {
        response.setHeader("Cross-Origin-Opener-Policy", "same-origin");
        response.setHeader("Cross-Origin-Embedder-Policy", "require-corp");
      }
      response.setHeader("Cross-Origin-Resource-Policy", "same-origin");
      response.setHeader("Content-Type", url === "/script.js" ? "text/javascript" : "text/html");
      if (url === "/script.js") response.end(script);
      else if (url === "/picture") response.end(picture.data);
      else response.end('<!doctype html><script type="module" src="/script.js"></script>');
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    browser = await chromium.launch({
      executablePath: executable,
      args: [
        "--no-sandbox",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-sync",
      ].concat(
        // A WebGPU adapter in software, which has to be asked for.
        ["--enable-unsafe-webgpu", "--use-webgpu-adapter=swiftshader"],
      ),
    });
  });
  afterAll(async () => {
    await browser?.close();
    server?.close();
  });

  test.each([
    ["isolated: threads over shared memory", "/isolated", true, "cpu"],
    ["ordinary: one worker", "/ordinary", false, "cpu"],
    ["WebGPU", "/gpu", false, "gpu"],
  ])(
    "%s",
    async (_, path, isolated, on) => {
      const page = await browser.newPage();
      const errors: string[] = [];
      page.on("pageerror", (error) => errors.push(error.message));
      await page.goto(origin + path);
      const answer = (await page.evaluate("window.answer")) as Answer;
      expect(errors).toEqual([]);
      expect([answer.isolated, answer.shared, answer.on]).toEqual([isolated, isolated, on]);
      if (on === "gpu") expect(answer.gpu).toMatchObject({ bufferBytes: expect.any(Number) });
      const engine = await open({ device: "cpu", threads: 1 });
      const data = picture.data.map((v) => v * 255);
      const expected = await engine.components(
        { ...picture, data },
        { threshold: { above: 100 }, connectivity: 8, fillHoles: true },
      );
      expect(answer.count).toBe(expected.count);
      const { data: labels } = await expected.labels();
      expect(Buffer.from(answer.digest)).toEqual(createHash("sha256").update(labels).digest());
      expect(answer.area).toEqual([...((await expected.regions()).area ?? [])]);
      // The other calls that take an ImageData, whose fields are getters.
      const rgba = new Uint8ClampedArray(data.length * 4);
      for (const [i, value] of data.entries()) rgba.fill(value, 4 * i, 4 * i + 3);
      const image = { data: rgba, width: picture.width, height: picture.height };
      const painted = await paint(image, expected, [1, 2, 3]);
      const seeds = [[0, 0]] as const;
      const patch = await engine.fill(image, { seeds, tolerance: 3 });
      const segmentation = await engine.kmeans(image, { k: 2 });
      const recoloured = await recolour(segmentation);
      const map = await engine.distance(image, { threshold: { above: 100 }, squared: true });
      const { count } = await engine.components(image, { threshold: "otsu" });
      const { k } = await engine.pickK(image, { max: 3 });
      const { otsu } = await engine.histogram(image);
      const li = await engine.components(image, { threshold: "li" });
      const triangle = await engine.components(image, { threshold: "triangle", polarity: "dark" });
      const { count: allocated } = await engine.components(picture, { connectivity: 8 });
      const green = data.filter((v) => v > 100).length;
      let hash = 0;
      for (const array of [painted.data, segmentation.data, recoloured.data, map.data]) {
        for (const v of array) hash = (Math.imul(hash, 31) + v) | 0;
      }
      expect(answer.others).toEqual([
        picture.width,
        patch.foreground,
        patch.foreground,
        count,
        k,
        otsu,
        green,
        hash,
        allocated,
        li.count,
        triangle.foreground,
        ...(await objectsOf(engine, picture)),
      ]);
      await engine.close();
      await page.close();
      // SwiftShader takes most of a minute to compile the kernels where two cores do everything.
    },
    180_000,
  );

  test("a content security policy that blocks workers is named", async () => {
    const page = await browser.newPage();
    await page.goto(`${origin}/blocked`);
    const { refused } = (await page.evaluate("window.answer")) as { refused: string };
    expect(refused).toMatch(/^Unsupported: A worker could not be started/);
    expect(refused).toContain("worker-src blob:");
    await page.close();
  });
});

interface Answer {
  others: number[];
  count: number;
  digest: number[];
  area: number[];
  shared: boolean;
  isolated: boolean;
  on: string;
  gpu?: object;
}
