// Morphology, smoothing, local thresholds and the watershed beside OpenCV, SciPy and scikit-image on the same bytes.
// `npm run bench -- objects [--size N --threads N --only NAME --type u16]`, with `--volume N` morphology of volumes. For the truth of
// splits see objects-truth.mjs.

import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import Table from "cli-table3";
import { open } from "skerry";
import { imageFile } from "./images.mjs";
import { cores, heading, ms, notes, peer, times } from "./peer.mjs";
import { volumeFile } from "./volume-images.mjs";

const VOLUMES = ["smooth blobs (50 %)", "noise, density 0.3"];
const IMAGES = ["sparse smooth blobs (2 %)", "smooth blobs (50 %)", "noise, density 0.5"];
const ROUNDS = 5;

const median = (values) => values.sort((a, b) => a - b)[values.length >> 1];

/** Median milliseconds of `work`, or of one of its stages. */
async function timed(engine, work, stage) {
  const found = [];
  for (let round = 0; round < ROUNDS; round++) {
    const begin = performance.now();
    const made = await work();
    const all = performance.now() - begin;
    found.push(stage ? engine.timings.find((each) => each.stage === stage).milliseconds : all);
    made.dispose();
  }
  return median(found);
}

/** The work to time: a name, skerry's call on loaded pixels and components, and the peers with their arguments. */
const WORK = [
  ...["dilate", "close"].flatMap((operation) =>
    [3, 10, 30].map((radius) => ({
      name: `${operation}, r = ${radius}`,
      run: (_, objects) => objects[operation](radius),
      // Bits to bits, without labelling, as the peers do it.
      stage: operation,
      peers: ["opencv", "scipy"],
      args: [operation, radius],
    })),
  ),
  ...[1, 2, 5].map((sigma) => ({
    name: `Gaussian, sigma ${sigma}`,
    run: (engine, _, image) => engine.smooth(image, { sigma }),
    peers: ["opencv", "scipy"],
    args: ["gaussian", sigma],
  })),
  {
    name: "Sobel",
    run: (engine, _, image) => engine.gradient(image, { by: "sobel" }),
    peers: ["opencv", "scipy"],
    args: ["sobel", 0],
  },
  {
    name: "flatten, radius 40",
    run: (engine, _, image) => engine.flatten(image, { radius: 40 }),
    peers: [],
    args: [],
  },
  {
    name: "Sauvola, radius 12",
    run: (engine, _, image) => engine.components(image, { threshold: { local: { radius: 12, method: "sauvola" } } }),
    stage: "pack",
    peers: ["skimage"],
    args: ["sauvola", 12],
  },
  {
    name: "split, h = 1",
    run: (_, objects) => objects.split(),
    peers: ["skimage"],
    args: ["watershed", 1],
    most: 2048,
  },
];

/** Dilations and closings of volumes beside a threshold of SciPy's distance map, whose time does not depend on the radius. */
async function volumes(size, threads, only) {
  console.log(heading());
  console.log(`u8 volumes of ${size} x ${size} x ${size}, ${threads} threads, median ms of ${ROUNDS}`);
  const table = new Table({ head: ["volume", "work", "skerry", "SciPy", "faster"] });
  const engine = await open({ device: "cpu", threads });
  for (const name of VOLUMES) {
    const file = volumeFile(name, size);
    const data = new Uint8Array(readFileSync(file));
    const objects = await engine.components({ data, width: size, height: size, depth: size }, { connectivity: 26 });
    for (const operation of ["dilate", "close"]) {
      if (!operation.includes(only)) continue;
      const other = (await peer("objects.py", [file, size, "scipy", operation, 10, size]))?.median;
      for (const radius of [3, 10, 30]) {
        const own = await timed(engine, () => objects[operation](radius), operation);
        table.push([name, `${operation}, r = ${radius}`, ms(own), ms(other), other ? times(other, own) : "-"]);
      }
    }
    objects.dispose();
    if (!"Gaussian".includes(only)) continue;
    const image = await engine.load({ data, width: size, height: size, depth: size });
    const own = await timed(engine, () => engine.smooth(image, { sigma: 1.5 }));
    const other = (await peer("objects.py", [file, size, "scipy", "gaussian", 1.5, size]))?.median;
    table.push([name, "Gaussian, sigma 1.5", ms(own), ms(other), other ? times(other, own) : "-"]);
    image.dispose();
  }
  await engine.close();
  console.log(table.toString());
  for (const note of notes) console.log(note);
}

export async function benchObjects(args) {
  const { values } = parseArgs({
    args,
    options: {
      size: { type: "string", default: "8192" },
      threads: { type: "string", default: String(cores) },
      only: { type: "string", default: "" },
      volume: { type: "string" },
      type: { type: "string", default: "u8" },
    },
  });
  if (values.volume) return volumes(Number(values.volume), Number(values.threads), values.only);
  const wide = values.type === "u16";
  console.log(heading());
  console.log(`${values.type} images, ${values.threads} threads, median ms of ${ROUNDS}`);
  const table = new Table({
    head: ["image", "work", "size", "skerry", "OpenCV", "SciPy", "scikit-image", "vs the fastest"],
  });
  const engine = await open({ device: "cpu", threads: Number(values.threads) });
  for (const name of IMAGES) {
    for (const work of WORK) {
      if (!work.name.includes(values.only)) continue;
      const size = Math.min(Number(values.size), work.most ?? Number.POSITIVE_INFINITY);
      const file = imageFile(name, size);
      const bytes = new Uint8Array(readFileSync(file));
      const raster = { data: wide ? Uint16Array.from(bytes, (byte) => 257 * byte) : bytes, width: size, height: size };
      const image = await engine.load(raster);
      const objects = await engine.components(image, { connectivity: 8 });
      const own = await timed(engine, () => work.run(engine, objects, image), work.stage);
      objects.dispose();
      image.dispose();
      const others = {};
      for (const library of work.peers) {
        others[library] = (
          await peer("objects.py", [file, size, library, ...work.args, ...(wide ? ["u16"] : [])])
        )?.median;
      }
      const best = Object.values(others).filter((value) => value !== undefined);
      const row = [name, work.name, size, ms(own), ...["opencv", "scipy", "skimage"].map((each) => ms(others[each]))];
      table.push([...row, best.length ? times(Math.min(...best), own) : "-"]);
    }
  }
  await engine.close();
  console.log(table.toString());
  for (const note of notes) console.log(note);
}
