// OME-Zarr of 2048 x 2048 x 2048 voxels behind a line of 10 Mbit/s: the time from the first byte of a chunk to the first picture on the page,
// and the chunks that a fill of a ball of a thousandth of the volume reads by the command. `node packages/lab/bench/slow-line.mjs`; a bench,
// no test.
//
// The volume is made chunk by chunk as it is asked for: grain, and a ball in its middle; six levels, chunks of 64 x 64 x 64, packed by zlib.

import { spawn } from "node:child_process";
import { createServer } from "node:http";
import { cpus } from "node:os";
import { fileURLToPath } from "node:url";
import { deflateSync } from "node:zlib";
import { random } from "@skerry/scenes";
import { address, browser, served, settled } from "./page.mjs";

const [SIDE, CHUNK, LEVELS] = [2048, 64, 6];
const BYTES_PER_SECOND = 10e6 / 8;
/** The radius of a ball of a thousandth of the volume. */
const RADIUS = Math.cbrt((0.001 * SIDE ** 3 * 3) / (4 * Math.PI));

const grain = Uint8Array.from(
  { length: CHUNK ** 3 },
  (
    (next) => () =>
      40 + (next() >>> 28)
  )(random(5)),
);

/** The packed values of a chunk. */
function chunkOf(level, [cz, cy, cx]) {
  const scale = 2 ** level;
  const data = Uint8Array.from(grain);
  const middle = (SIDE / scale - 1) / 2;
  for (let z = 0, i = 0; z < CHUNK; z++) {
    for (let y = 0; y < CHUNK; y++) {
      for (let x = 0; x < CHUNK; x++, i++) {
        const place = [cx * CHUNK + x, cy * CHUNK + y, cz * CHUNK + z];
        const square = place.reduce((sum, at) => sum + (at - middle) ** 2, 0);
        if (square <= (RADIUS / scale) ** 2) data[i] = 200;
      }
    }
  }
  return deflateSync(data, { level: 1 });
}

const levels = Array.from({ length: LEVELS }, (_, level) => level);
const json = {
  ".zgroup": { zarr_format: 2 },
  ".zattrs": {
    multiscales: [
      {
        version: "0.4",
        axes: ["z", "y", "x"].map((name) => ({ name, type: "space", unit: "micrometer" })),
        datasets: levels.map((level) => ({
          path: `${level}`,
          coordinateTransformations: [{ type: "scale", scale: [2 ** level, 2 ** level, 2 ** level] }],
        })),
      },
    ],
  },
};
for (const level of levels) {
  const side = SIDE / 2 ** level;
  json[`${level}/.zarray`] = {
    zarr_format: 2,
    shape: [side, side, side],
    chunks: [CHUNK, CHUNK, CHUNK],
    dtype: "|u1",
    compressor: { id: "zlib", level: 1 },
    fill_value: 0,
    order: "C",
    filters: null,
    dimension_separator: "/",
  };
}

/** Whether the line is as slow as asked; chunks of each level that were sent, and when the first one began. */
let isSlow = true;
let sent = levels.map(() => 0);
let firstChunk;
/** When the line is free again. */
let free = 0;

const server = createServer(async (request, response) => {
  const key = request.url.replace("/ball.zarr/", "");
  const headers = { "Access-Control-Allow-Origin": "*" };
  const [level, ...at] = key.split("/").map(Number);
  const isChunk = at.length === 3 && at.every(Number.isInteger);
  if (!isChunk && !json[key]) return void response.writeHead(404, headers).end();
  const body = isChunk ? chunkOf(level, at) : Buffer.from(JSON.stringify(json[key]));
  if (isChunk) {
    sent[level]++;
    firstChunk ??= performance.now();
  }
  if (isSlow) {
    free = Math.max(free, performance.now()) + (body.length / BYTES_PER_SECOND) * 1000;
    await new Promise((resolve) => setTimeout(resolve, free - performance.now()));
  }
  response.writeHead(200, headers).end(body);
});
await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
const image = `http://127.0.0.1:${server.address().port}/ball.zarr`;

console.log(`${cpus()[0].model}, ${cpus().length} cores, ${new Date().toISOString().slice(0, 10)}`);
const page = await browser.newPage({ viewport: { width: 1280, height: 720 } });
await page.goto(`${address}${address.includes("?") ? "&" : "?"}open=${encodeURIComponent(image)}`);
await page.getByRole("button", { name: "Fetch" }).click();
await page.waitForFunction((name) => document.querySelector(".source")?.textContent === name, "ball.zarr");
const shown = performance.now();
await settled(page);
const [slice, level] = await page.locator(".images output").allTextContents();
console.log(
  `the page: ${((shown - firstChunk) / 1000).toFixed(1)} s from the first byte of a chunk to the picture, level ${level}, slice ${slice}, ${sent.join(" + ")} chunks`,
);
await browser.close();
served.kill();

isSlow = false;
sent = levels.map(() => 0);
const command = fileURLToPath(new URL("../../cli/bin/skerry.js", import.meta.url));
const middle = SIDE / 2;
const words = ["fill", image, "--at", [middle, middle, middle].join(), "--tolerance", "20", "--json"];
const begin = performance.now();
const child = spawn(process.execPath, [command, ...words], { stdio: ["ignore", "pipe", "inherit"] });
let text = "";
for await (const part of child.stdout) text += part;
const { foreground } = JSON.parse(text);
const all = (SIDE / CHUNK) ** 3;
console.log(
  `the fill: ${foreground} voxels, ${((100 * foreground) / SIDE ** 3).toFixed(3)} %, ${sent[0]} of ${all} chunks (${((100 * sent[0]) / all).toFixed(2)} %), ${((performance.now() - begin) / 1000).toFixed(1)} s`,
);
server.close();
