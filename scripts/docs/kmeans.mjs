// Writes docs/kmeans.md's tables, its chart and its pictures, from the results of the two benches:
//
//     npm run bench -- kmeans --json cpu.json
//     npm run bench:gpu -- kmeans --json gpu.json
//     node scripts/docs/kmeans.mjs cpu.json gpu.json

import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { init } from "echarts";
import sharp from "sharp";
import { open } from "skerry";
import { writeRecoloured } from "../../packages/files/dist/node/products.js";
import { landscape } from "../../packages/skerry/bench/kmeans-images.mjs";

const [cpu, gpu] = process.argv.slice(2, 4).map((path) => JSON.parse(readFileSync(path, "utf8")));
if (!cpu || !gpu) throw new Error("Expected two files: what the benches of the CPU and of the GPU wrote.");
const image = (name) => fileURLToPath(new URL(`../../docs/images/${name}`, import.meta.url));
const KS = [4, 16, 64, 128, 255];
const TWENTY = 20;
const ms = (value) => (value === undefined ? "-" : `${value >= 100 ? Math.round(value) : value.toPrecision(3)} ms`);
const times = (slow, fast) => (slow === undefined ? "-" : `${Math.round(slow / fast)}x`);

/** The rows of one k on the landscape: one thread, all threads, and the GPU. */
function figures(k, to) {
  const own = (threads) =>
    cpu.rows.find((row) => row.name.startsWith("landscape") && row.k === k && row.threads === threads && row.to === to);
  const most = Math.max(...cpu.rows.map(({ threads }) => threads));
  const card = gpu.records.find((record) => {
    const plain = record.name === "landscape" && record.metric === undefined && record.colourSpace === undefined;
    return plain && record.k === k && (to === TWENTY) === (record.maxIterations === TWENTY);
  });
  return { one: own(1), all: own(most), card };
}

const row = (cells) => `| ${cells.join(" | ")} |`;
const head = ["k", "1 thread", "2 threads", "native OpenCV", "faster", "H200", "PyTorch, H200", "faster"];
const twenty = [row(head), row(["---:", ...Array(7).fill("---:")])];
const rest = [
  row(["k", "iterations", "1 thread", "2 threads", "of that: counting", "assigning", "moving", "looking up", "H200"]),
  row(Array(9).fill("---:")),
];
const series = { opencv: [], torch: [], one: [], all: [], card: [] };
for (const k of KS) {
  const { one, all, card } = figures(k, TWENTY);
  const torch = card.torch * card.iterations;
  const opencv = one.opencv;
  const cells = [one.medians.all, all.medians.all, opencv].map(ms);
  twenty.push(row([k, ...cells, times(opencv, all.medians.all), ms(card.all), ms(torch), times(torch, card.all)]));
  for (const [name, value] of Object.entries({
    opencv,
    torch,
    one: one.medians.all,
    all: all.medians.all,
    card: card.all,
  })) {
    series[name].push([k, Number(value.toPrecision(4))]);
  }
  const end = figures(k, 0);
  const { colours, assign, update, classes } = end.all.medians;
  const parts = [end.one.medians.all, end.all.medians.all, colours, assign, update, classes, end.card.all];
  rest.push(row([k, end.all.iterations, ...parts.map(ms)]));
}

/** Draws time against k, with logarithmic axes and names at the ends of the lines. */
function chart() {
  const drawn = init(null, null, { renderer: "svg", ssr: true, width: 860, height: 480 });
  const line = (name, data, color, type, above = 0) => ({
    type: "line",
    name,
    data,
    symbolSize: 7,
    color,
    lineStyle: { width: 2.5, type },
    endLabel: { show: true, formatter: "{a}", color, fontSize: 13, distance: 8, offset: [0, -above] },
  });
  drawn.setOption({
    animation: false,
    backgroundColor: "#ffffff",
    title: { text: "10 megapixels, 20 iterations, milliseconds", left: 10, top: 8, textStyle: { fontSize: 15 } },
    grid: { left: 70, right: 190, top: 56, bottom: 52 },
    xAxis: { type: "log", logBase: 2, min: 4, max: 256, name: "k", nameLocation: "middle", nameGap: 28 },
    yAxis: { type: "log", min: 1, max: 100000 },
    series: [
      line("OpenCV, 2 threads", series.opencv, "#8a8f98", "dashed"),
      line("PyTorch, H200", series.torch, "#b08a4f", "dashed"),
      line("skerry, 1 thread", series.one, "#5b9bd5", "solid", 6),
      line("skerry, 2 threads", series.all, "#1f5fa8", "solid", -6),
      line("skerry, H200", series.card, "#2c8c4a", "solid"),
    ],
  });
  const svg = drawn.renderToSVGString();
  // The chart's timers would keep the process alive.
  drawn.dispose();
  return svg;
}

writeFileSync(image("kmeans-time.svg"), chart());

const page = new URL("../../docs/kmeans.md", import.meta.url);
let text = readFileSync(page, "utf8");
for (const [name, table] of Object.entries({ twenty, rest })) {
  const pattern = new RegExp(`(<!-- ${name} -->\n)[^]*?(<!-- end -->)`);
  if (!pattern.test(text)) throw new Error(`docs/kmeans.md has no place for ${name}`);
  text = text.replace(pattern, (_, open, close) => `${open}${table.join("\n")}\n${close}`);
}
writeFileSync(page, text);

// The rendered landscape, a quarter of its size along each axis, and in 4 and 255 colours.
const { data, width, height } = landscape(3652, 2739);
const small = await sharp(data, { raw: { width, height, channels: 3 } })
  .resize(913)
  .raw()
  .toBuffer({ resolveWithObject: true });
const raster = { data: new Uint8Array(small.data), width: 913, height: small.info.height, channels: 3 };
await sharp(raster.data, { raw: { width: 913, height: small.info.height, channels: 3 } })
  .jpeg({ quality: 84 })
  .toFile(image("landscape.jpg"));
const engine = await open({ device: "cpu" });
for (const k of [4, 255]) {
  await writeRecoloured(image(`landscape-${k}.png`), await engine.kmeans(raster, { k, colourSpace: "oklab" }));
}
await engine.close();
