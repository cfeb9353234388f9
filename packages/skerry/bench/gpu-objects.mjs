// Morphology and the watershed on the GPU: device time from resident components to bits, and the whole call with its
// labelling and read-backs, beside CuPy on the same card and a reference copy.

import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { median, openEngine, referenceCopy, timed, warm } from "./gpu-stages.mjs";
import { imageFile } from "./images.mjs";
import { volumeFile } from "./volume-images.mjs";

/** Stages that make bits. */
const BITS = ["window", "rows", "search", "columns", "slices", "dilate", "erode", "reach"];

const IMAGES = ["sparse smooth blobs (2 %)", "smooth blobs (50 %)", "noise, density 0.5"];
const VOLUMES = ["smooth blobs (50 %)", "noise, density 0.3"];

const WORK = [
  ...["dilate", "close"].flatMap((operation) => [3, 10, 30].map((radius) => ({ operation, radius }))),
  { operation: "split", radius: 1 },
];

/** Prints a table of images of `size` squared, and one of volumes of `side` cubed. */
export async function objects(root, size, side, rounds, print, ms, only = "") {
  const { engine, context } = await openEngine(root);
  for (const [names, fileOf, shape] of [
    [IMAGES, (name) => imageFile(name, size), { width: size, height: size, depth: 1 }],
    [VOLUMES, (name) => volumeFile(name, side), { width: side, height: side, depth: side }],
  ]) {
    const pixels = shape.width * shape.height * shape.depth;
    const [source, target] = [
      await context.memory.allocate(pixels, "a"),
      await context.memory.allocate(pixels * 4, "b"),
    ];
    const reference = referenceCopy(pixels, source, target);
    const rows = [];
    for (const name of names) {
      const file = fileOf(name);
      const data = new Uint8Array(readFileSync(file));
      const connectivity = shape.depth > 1 ? 26 : 8;
      const found = await engine.components({ data, ...shape }, { connectivity });
      for (const { operation, radius } of WORK) {
        const title = operation === "split" ? `split, h = ${radius}` : `${operation}, r = ${radius}`;
        if (!title.includes(only)) continue;
        const run = () => (operation === "split" ? found.split({ h: radius }) : found[operation](radius));
        (await run()).dispose();
        await warm(context, reference, pixels);
        const samples = { copy: [], bits: [], device: [], wall: [], stages: {} };
        let count = 0;
        for (let round = 0; round < rounds; round++) {
          samples.copy.push((await timed(context, reference)).copy);
          const begin = performance.now();
          const made = await run();
          samples.wall.push(performance.now() - begin);
          count = made.count;
          made.dispose();
          let bits = 0;
          for (const { stage, milliseconds, clock } of engine.timings) {
            if (clock !== "device") continue;
            if (stage === "on the device") samples.device.push(milliseconds);
            else {
              if (BITS.includes(stage)) bits += milliseconds;
              samples.stages[stage] = [...(samples.stages[stage] ?? []), milliseconds];
            }
          }
          samples.bits.push(bits);
        }
        const other = operation === "split" ? undefined : cupy(file, shape, operation, radius);
        const stages = Object.entries(samples.stages).map(([stage, list]) => `${stage} ${ms(median(list))}`);
        rows.push([
          name,
          title,
          ms(median(samples.copy)),
          operation === "split" ? "-" : ms(median(samples.bits)),
          ms(median(samples.device)),
          ms(median(samples.wall)),
          count,
          ms(other?.structure ?? undefined),
          ms(other?.distance),
          stages.join(", "),
        ]);
      }
      found.dispose();
    }
    const text = shape.depth > 1 ? `${side} x ${side} x ${side}` : `${size} x ${size}`;
    console.log(`\n${text}, components to components: median ms of ${rounds}; CuPy makes bits alone`);
    const head = ["input", "work", "copy", "bits", "device", "wall", "objects", "CuPy, structure", "CuPy, distance"];
    print([...head, "stages"], rows);
    for (const buffer of [source, target]) context.memory.free(buffer);
  }
  await engine.close();
}

/** Whether the host has no CuPy. This is printed once. */
let isMissing = false;

/** CuPy's milliseconds, or undefined where the host has none. */
function cupy(file, { width, depth }, operation, radius) {
  if (isMissing) return undefined;
  const script = fileURLToPath(new URL("peers/objects-cupy.py", import.meta.url));
  const options = { encoding: "utf8", timeout: 120_000, stdio: ["ignore", "pipe", "pipe"] };
  const args = [script, file, width, depth, operation, radius].map(String);
  try {
    return JSON.parse(execFileSync(process.env.PYTHON ?? "python3", args, options));
  } catch (error) {
    const reason = String(error.stderr || error.message)
      .trim()
      .split("\n")
      .pop();
    isMissing = reason.includes("No module");
    console.log(`skipped CuPy: ${reason.slice(0, 160)}`);
    return undefined;
  }
}
