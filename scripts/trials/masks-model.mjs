// Runs docs/how-to/masks.md with ONNX Runtime Web in Chromium: a tiny model (a sigmoid, written here byte by byte) runs on
// WebGPU, and skerry takes its output from the model's GPUBuffer on the same GPUDevice. Prints the result, and fails if it
// differs from the CPU's. ONNX Runtime is not a dependency:
//
//     npm install --prefix /tmp/ort onnxruntime-web && node scripts/trials/masks-model.mjs --ort /tmp/ort [--software]

import { createReadStream, existsSync } from "node:fs";
import { createServer } from "node:http";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { build } from "esbuild";
import { chromium } from "playwright-core";
import { open } from "skerry";

const { values } = parseArgs({ options: { ort: { type: "string" }, software: { type: "boolean" } } });
const runtime = values.ort && join(resolve(values.ort), "node_modules/onnxruntime-web/dist");
if (!runtime || !existsSync(join(runtime, "ort.webgpu.bundle.min.mjs"))) {
  console.error("Expected --ort FOLDER with onnxruntime-web in it.");
  process.exit(2);
}
const [width, height] = [320, 180];

/** The model's input: half the depth of each pixel in one of three discs, negative outside. */
const image = Float32Array.from({ length: width * height }, (_, at) => {
  const [x, y] = [at % width, Math.floor(at / width)];
  const discs = [
    [100, 90, 40],
    [172, 90, 36],
    [270, 60, 28],
  ];
  return Math.max(...discs.map(([cx, cy, r]) => (r - Math.hypot(x - cx, y - cy)) / 2));
});

/** Fields of a protocol buffer: `bytes` of at most 16 383 bytes, and `whole` numbers below 128. */
const bytes = (field, ...parts) => {
  const whole = Buffer.concat(parts.map((part) => Buffer.from(part)));
  const { length } = whole;
  const size = length < 128 ? [length] : [(length & 127) | 128, length >> 7];
  return Buffer.concat([Buffer.from([(field << 3) | 2, ...size]), whole]);
};
const whole = (field, value) => Buffer.from([field << 3, value]);

/** A value of 1 x 1 x height x width floats. */
function tensor(name) {
  const side = (text) => bytes(1, bytes(2, text));
  const shape = bytes(2, side("one"), side("channel"), side("height"), side("width"));
  return [bytes(1, name), bytes(2, bytes(1, whole(1, 1), shape))];
}

const node = bytes(1, bytes(1, "image"), bytes(2, "probability"), bytes(4, "Sigmoid"));
const graph = bytes(7, node, bytes(2, "g"), bytes(11, ...tensor("image")), bytes(12, ...tensor("probability")));
const model = Buffer.concat([whole(1, 8), graph, bytes(8, bytes(1, ""), whole(2, 13))]);

const PAGE = `
import * as ort from "/ort/ort.webgpu.bundle.min.mjs";
import { open } from "skerry";
window.answer = (async () => {
  ort.env.wasm.wasmPaths = "/ort/";
  ort.env.wasm.numThreads = 1;
  const model = new Uint8Array(await (await fetch("/model")).arrayBuffer());
  const session = await ort.InferenceSession.create(model, { executionProviders: ["webgpu"], preferredOutputLocation: "gpu-buffer" });
  const engine = await open({ device: "gpu", gpu: await ort.env.webgpu.device });
  const data = new Float32Array(await (await fetch("/image")).arrayBuffer());
  const { probability } = await session.run({ image: new ort.Tensor("float32", data, [1, 1, ${height}, ${width}]) });
  const map = await engine.load({ buffer: probability.gpuBuffer, type: "f32", width: ${width}, height: ${height} });
  const given = { threshold: { above: 0.5 }, connectivity: 8, minArea: 30 };
  const together = await engine.components(map, given);
  const cells = await engine.components(map, { ...given, split: { h: 1 } });
  const { area } = await cells.regions();
  const { points } = await cells.outlines({ tolerance: 1 });
  const { buffer } = await cells.labels({ as: "buffer" });
  const answer = {
    location: probability.location, on: cells.device, together: together.count, cells: cells.count,
    area: [...area], corners: points.length / 2, bytes: buffer.size,
  };
  await engine.close();
  return answer;
})().catch((error) => ({ error: String(error) }));
`;

const bundle = await build({
  stdin: { contents: PAGE, resolveDir: import.meta.dirname },
  bundle: true,
  format: "esm",
  write: false,
  // Ignores the paths of tsconfig.json, which lead to the sources for Node.
  external: ["/ort/*"],
  tsconfigRaw: {},
});
const server = createServer(({ url = "" }, response) => {
  const isScript = url.endsWith(".js") || url.endsWith(".mjs");
  const type = isScript ? "text/javascript" : url.endsWith(".wasm") ? "application/wasm" : "text/html";
  response.setHeader("Content-Type", type);
  if (url.startsWith("/ort/")) createReadStream(join(runtime, url.slice(5))).pipe(response);
  else if (url === "/script.js") response.end(bundle.outputFiles[0].contents);
  else if (url === "/model") response.end(model);
  else if (url === "/image") response.end(Buffer.from(image.buffer));
  else response.end('<!doctype html><script type="module" src="/script.js"></script>');
});
await new Promise((done) => server.listen(0, "127.0.0.1", done));
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--enable-unsafe-webgpu", ...(values.software ? ["--use-webgpu-adapter=swiftshader"] : [])],
});
const page = await browser.newPage();
page.on("pageerror", (error) => console.error(error.message));
await page.goto(`http://127.0.0.1:${server.address().port}/`);
const found = await page.evaluate("window.answer");
await browser.close();
server.close();
console.log(found);

const engine = await open({ device: "cpu" });
const cells = await engine.components(
  { data: image, width, height },
  { threshold: { above: 0 }, connectivity: 8, minArea: 30, split: { h: 1 } },
);
const { area } = await cells.regions();
await engine.close();
if (found.location !== "gpu-buffer" || found.together !== 2 || found.area?.join() !== area.join()) {
  console.error(`Expected 2 objects, and cells of ${area.join(", ")} pixels from the model's buffer.`);
  process.exit(1);
}
