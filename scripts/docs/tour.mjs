// Makes the pictures of docs/tour.md with the commands on that page, and inserts their figures and the outputs of
// `skerry info --bench --tour`.
//
//     node scripts/docs/tour.mjs [TOUR.json TITLE]...     for each machine, the output with --json, and its name

import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { headMask } from "@skerry/scenes";
import sharp from "sharp";
import { open } from "skerry";
import { textOf } from "../../packages/cli/dist/commands/tour.js";
import { Preview } from "../../packages/files/dist/node/preview.js";

const root = fileURLToPath(new URL("../..", import.meta.url));
const images = join(root, "docs/images");
const scratch = mkdtempSync(join(tmpdir(), "skerry-tour-"));
const skerry = (...args) =>
  execFileSync(process.execPath, [join(root, "packages/cli/bin/skerry.js"), ...args], { cwd: root, encoding: "utf8" });
const insertions = {};

/** Copies a picture, shrunk to at most `width` pixels, and with a palette if `colours` is given. */
async function keep(from, name, { width = 420, colours } = {}) {
  const image = sharp(from);
  const { width: own } = await image.metadata();
  const sized = own > width ? image.resize({ width }) : image;
  const out = colours ? sized.png({ palette: true, colours, compressionLevel: 9 }) : sized.png({ compressionLevel: 9 });
  await out.toFile(join(images, `tour-${name}.png`));
}

async function markup() {
  const stages = join(scratch, "markup");
  const options = ["--threshold", ">60", "--connectivity", "8", "--tiles", "--crop", "380,60,256,256"];
  skerry("explain", "samples/hubble_deep_field.jpg", ...options, "-o", stages);
  for (const [file, name] of Object.entries({
    "2-bits": "bits",
    "4-tiles": "tiles",
    "5-seams": "seams",
    "6-labels": "labels",
  })) {
    await keep(join(stages, `${file}.png`), `markup-${name}`, { width: 512, colours: 96 });
  }
}

async function fills() {
  for (const [name, file, at, tolerance] of [
    ["maze", "maze.png", "1,1", "9"],
    ["spiral", "spiral.png", "0,0", "9"],
    ["coffee", "coffee.png", "310,175", "30"],
  ]) {
    const stages = join(scratch, name);
    const out = skerry("explain", `samples/${file}`, "--at", at, "--tolerance", tolerance, "--json", "-o", stages);
    const { text } = JSON.parse(out).stages.at(-1);
    insertions[`fill-${name}`] = text.replace("a search by rounds arrives after ", "");
    await keep(join(stages, "7-fill.png"), `fill-${name}`, { colours: 160 });
  }
}

/** Errors of metrics on a head in 3-D, in its three middle slices. */
async function distances() {
  const coins = join(scratch, "coins.png");
  const options = ["--threshold", ">120", "--fill-holes", "--min-area", "500", "--surface"];
  skerry("distance", "samples/coins.png", ...options, "--preview", coins);
  await keep(coins, "distance-coins", { width: 640, colours: 160 });
  const size = { width: 160, height: 160, depth: 152 };
  const head = headMask(size);
  const engine = await open({ device: "cpu" });
  const map = async (more) => (await engine.distance(head, { to: "surface", ...more })).data;
  const exact = await map({});
  const max = 10;
  const maps = {
    exact,
    cityblock: await map({ metric: "cityblock" }),
    chessboard: await map({ metric: "chessboard" }),
    coarse: await map({ max, beyond: "coarse" }),
  };
  await engine.close();
  for (const [name, values] of Object.entries(maps)) {
    const shown = name === "exact" ? values : values.map((value, i) => Math.abs(value - exact[i]));
    const preview = new Preview(size, [1, 1, 1]);
    preview.take(0, size.depth, 0, size.height, shown);
    const path = join(scratch, `${name}.png`);
    await preview.write(path, (value) => value, "px", true);
    await keep(path, `distance-${name}`, { width: 620, colours: 160 });
    let [largest, sum] = [0, 0];
    for (const value of shown) {
      largest = Math.max(largest, value);
      sum += value;
    }
    const mean = sum / shown.length;
    insertions[`distance-${name}`] =
      name === "exact"
        ? `up to ${largest.toFixed(1)} voxels`
        : `wrong by up to ${largest.toFixed(1)} voxels, ${mean.toFixed(2)} on average`;
  }
}

async function colours() {
  for (const k of [4, 16, 255]) {
    const path = join(scratch, `kmeans-${k}.png`);
    skerry("kmeans", "samples/coffee.png", "-k", String(k), "-o", path);
    await sharp(path)
      .png({ palette: true, colours: Math.min(256, k + 1), compressionLevel: 9 })
      .toFile(join(images, `tour-kmeans-${k}.png`));
  }
}

const inUnits = (ms) =>
  ms >= 1000 ? `${(ms / 1000).toFixed(2)} s` : `${ms.toFixed(ms < 10 ? 2 : ms < 100 ? 1 : 0)} ms`;

const hasClock = ({ tasks }) => tasks.some(({ steps }) => steps.some(({ kernels }) => kernels !== undefined));

/** The figures of each machine, and its whole output. */
function machines(files) {
  const reports = [];
  for (let i = 0; i + 1 < files.length; i += 2) {
    reports.push({ title: files[i + 1], report: JSON.parse(readFileSync(files[i], "utf8")) });
  }
  const head = reports.flatMap(({ title, report }) => [
    ...(hasClock(report) ? [`${title}, GPU clock`] : []),
    ...report.timed.map((name) => `${title}, ${name.startsWith("gpu") ? "GPU" : name.replace("cpu, ", "")}`),
    `${title}, plain copy`,
  ]);
  for (const [t, name] of ["markup", "inspection", "fill", "distance", "kmeans"].entries()) {
    const rows = reports[0].report.tasks[t].steps.map(({ what }, s) => {
      const cells = reports.flatMap(({ report }) => {
        const { times, copy, kernels } = report.tasks[t].steps[s];
        const clock = hasClock(report) ? [kernels ? inUnits(kernels) : "-"] : [];
        return [...clock, ...[...times, copy].map(inUnits)];
      });
      return `| ${[what, ...cells].join(" | ")} |`;
    });
    insertions[name] = [
      "Medians, rendered input. Wall clock: from host arrays to host results. GPU clock: the kernels alone, between transfers; [benchmarks](benchmarks.md) has them with the card's clocks spun up.\n",
      `| call | ${head.join(" | ")} |`,
      `| --- |${" ---: |".repeat(head.length)}`,
      ...rows,
      "",
    ].join("\n");
  }
  const outputs = reports.map(({ title, report }) => `${title}:\n\n\`\`\`text\n${textOf(report)}\n\`\`\``);
  insertions.outputs = `\n${outputs.join("\n\n")}\n`;
}

/** Five small pictures for the README, cut from the others. */
async function tiles() {
  for (const [name, from, region] of [
    ["objects", "hero.jpg", { left: 400, top: 60, width: 300, height: 225 }],
    ["defects", "board.png", { left: 760, top: 60, width: 300, height: 225 }],
    ["fill", "tour-fill-maze.png", undefined],
    ["distance", "tour-distance-coins.png", { left: 8, top: 8, width: 384, height: 288 }],
    ["colours", "tour-kmeans-4.png", { left: 120, top: 40, width: 400, height: 300 }],
  ]) {
    const image = sharp(join(images, from));
    const part = region ? image.extract(region) : image;
    await part
      .resize({ width: 200, height: 150, fit: "cover" })
      .png({ palette: true, colours: 128, compressionLevel: 9 })
      .toFile(join(images, `tile-${name}.png`));
  }
}

await markup();
await fills();
await distances();
await colours();
await tiles();
if (process.argv.length > 2) machines(process.argv.slice(2));
const page = join(root, "docs/tour.md");
let text = readFileSync(page, "utf8");
for (const [name, insertion] of Object.entries(insertions)) {
  const pattern = new RegExp(`(<!-- ${name} -->)[^]*?(<!-- end -->)`);
  if (!pattern.test(text)) throw new Error(`docs/tour.md has no place for ${name}`);
  text = text.replace(pattern, (_, begin, end) => `${begin}${insertion}${end}`);
}
writeFileSync(page, text);
rmSync(scratch, { recursive: true });
