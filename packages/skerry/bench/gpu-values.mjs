// Objects by value and stacks of images on the GPU: device time from resident pixels to the labels of each pixel, or of each slice, beside
// a copy of the same bytes. Three dispatches that do nothing, each after the one before, are the least that any labelling takes.

import { readFileSync } from "node:fs";
import { openEngine, referenceCopy, timed, warm } from "./gpu-stages.mjs";
import { imageFile } from "./images.mjs";
import { median } from "./peers/measure.mjs";
import { volumeFile } from "./volume-images.mjs";
import { wholeImage } from "./whole-images.mjs";

/** Eight classes of a side or a cube, and a cube of a thousand cells' worth of classes. */
const CLASSES = [
  ["smooth blobs (50 %)", "8192", 8],
  ["noise, 8 x 8 blocks", "8192", 8],
  ["noise, density 0.5", "8192", 8],
  ["smooth blobs (50 %)", "8192", 4],
  ["smooth blobs (50 %)", "512^3", 26],
  ["smooth blobs (50 %)", "512^3", 6],
  ["noise, density 0.5", "512^3", 26],
];

const STACKS = ["smooth blobs (50 %)", "noise, density 0.5"];
const SLICES = 64;

/** Milliseconds by the device's clock of the stages of an engine's last call. */
const clocked = (engine) =>
  Object.fromEntries(
    engine.timings
      .filter(({ clock, stage }) => clock === "device" && stage !== "on the device")
      .map(({ stage, milliseconds }) => [stage, milliseconds]),
  );
const sum = (stages) => Object.values(stages).reduce((total, milliseconds) => total + milliseconds, 0);

/** Medians of calls on a loaded raster: per stage, of all stages, and by the wall clock. */
async function measured(engine, raster, options, rounds) {
  const image = await engine.load(raster);
  const runs = [];
  let count = 0;
  for (let round = 0; round <= rounds; round++) {
    const begin = performance.now();
    const found = await engine.components(image, options);
    const wall = performance.now() - begin;
    const all = [found].flat();
    count = all.reduce((total, one) => total + one.count, 0);
    for (const one of all) one.dispose();
    if (round > 0) runs.push({ wall, stages: clocked(engine) });
  }
  image.dispose();
  const names = Object.keys(runs[0].stages);
  const stages = Object.fromEntries(names.map((name) => [name, median(runs.map((run) => run.stages[name]))]));
  return {
    stages,
    device: median(runs.map((run) => sum(run.stages))),
    wall: median(runs.map(({ wall }) => wall)),
    count,
  };
}

/** Prints both tables. `root` is the GPU's root. */
export async function values(root, rounds, print, ms) {
  const { engine, context } = await openEngine(root);
  const rows = [];
  const add = async (name, raster, options) => {
    const pixels = raster.data.length;
    const source = await context.memory.allocate(pixels, "reference");
    const target = await context.memory.allocate(pixels * 4, "reference");
    const reference = referenceCopy(pixels, source, target);
    await warm(context, reference, pixels);
    const copies = [];
    for (let i = 0; i < rounds; i++) copies.push((await timed(context, reference)).copy);
    context.memory.free(source);
    context.memory.free(target);
    rows.push({ name, copy: median(copies), ...(await measured(engine, raster, options, rounds)) });
  };
  for (const [pattern, size, connectivity] of CLASSES) {
    const { raster } = wholeImage("classes", pattern, size);
    await add(`classes in ${pattern}, ${size}, ${connectivity}`, raster, { by: "value", connectivity });
  }
  const cells = { data: new Uint8Array(readFileSync(volumeFile("smooth blobs (50 %)", 512))), width: 512, height: 512 };
  await add(
    "tolerance 0 of a thresholded volume, 26",
    { ...cells, depth: 512 },
    { by: { tolerance: 0 }, connectivity: 26 },
  );
  for (const pattern of STACKS) {
    const slice = new Uint8Array(readFileSync(imageFile(pattern, 512)));
    const data = new Uint8Array(slice.length * SLICES);
    for (let z = 0; z < SLICES; z++) data.set(slice, z * slice.length);
    const stack = { data, width: 512, height: 512, depth: SLICES };
    await add(`${SLICES} slices of ${pattern}, 8`, stack, { each: true, connectivity: 8 });
    await add(`one of ${pattern}, 8`, { data: slice, width: 512, height: 512 }, { connectivity: 8 });
  }
  const small = await context.memory.allocate(256, "reference");
  const other = await context.memory.allocate(256, "reference");
  const empty = [];
  for (let i = 0; i < rounds; i++) {
    const { empty: took } = await timed(context, async (commands) => {
      commands.stage("empty", 0);
      for (let k = 0; k < 3; k++) commands.dispatch("reference", 1, { source: small, target_: other }, { total: 0 });
    });
    empty.push(took);
  }
  const columns = [...new Set(rows.flatMap(({ stages }) => Object.keys(stages)))];
  console.log(`\nby value, and stacks: device ms, median of ${rounds}, resident pixels to resident labels`);
  console.log(`three empty dispatches: ${ms(median(empty))} ms`);
  print(
    ["input", "copy", ...columns, "all stages", "wall", "objects"],
    rows.map(({ name, copy, stages, device, wall, count }) => [
      name,
      ms(copy),
      ...columns.map((column) => ms(stages[column])),
      ms(device),
      ms(wall),
      count,
    ]),
  );
  await engine.close();
}
