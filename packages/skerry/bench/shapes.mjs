// Every shape property beside scikit-image's, on its sample pictures and on rendered ellipses: the largest difference, and the
// time of both. Where scikit-image has no such property, SciPy or OpenCV measures it. `npm run bench -- shapes`;
// with `--size N` instead the time of groups of properties on images of many objects.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { open } from "skerry";
import { imageFile } from "./images.mjs";
import { heading, ms, notes, peer } from "./peer.mjs";

/** Pictures, and the options that segment them. */
const PICTURES = [
  { name: "coins", options: { threshold: "otsu", minArea: 2 } },
  {
    name: "page",
    options: { threshold: { local: { radius: 12, method: "sauvola" } }, polarity: "dark" },
  },
  { name: "microaneurysms", options: { threshold: { local: { radius: 15, offset: 2 } }, polarity: "dark" } },
  { name: "ellipses", options: { threshold: { above: 100 } } },
];

const PROPERTIES = [
  "area",
  "bounds",
  "centroid",
  "secondMoments",
  "majorAxis",
  "minorAxis",
  "orientation",
  "eccentricity",
  "extent",
  "equivalentDiameter",
  "perimeter",
  "crofton",
  "circularity",
  "edges",
  "eulerNumber",
  "holes",
  "convexArea",
  "solidity",
  "feretDiameter",
  "minimumRectangle",
  "inscribed",
  "convexHull",
  "min",
  "max",
  "mean",
  "std",
  "median",
  "quantiles",
  "weightedCentroid",
];
const ROUNDS = 5;
/** Relative differences up to this count as equal. */
const DIGITS = 1e-9;

/** 1024 x 1024 with 64 ellipses that do not touch, of any angle, with semi-axes of 2 to 60 pixels. */
function ellipses() {
  const side = 1024;
  const data = new Uint8Array(side * side).fill(20);
  for (let k = 0; k < 64; k++) {
    const [cx, cy] = [(k % 8) * 128 + 64.3, Math.floor(k / 8) * 128 + 63.6];
    const [a, b, turn] = [3 + ((k * 37) % 58), 2 + ((k * 23) % 40), k * 0.7];
    const [cos, sin] = [Math.cos(turn), Math.sin(turn)];
    for (let y = Math.floor(cy - 62); y <= cy + 62; y++) {
      for (let x = Math.floor(cx - 62); x <= cx + 62; x++) {
        const [u, v] = [(x - cx) * cos + (y - cy) * sin, (y - cy) * cos - (x - cx) * sin];
        const inside = (u / a) ** 2 + (v / b) ** 2;
        if (inside <= 1) data[y * side + x] = 255 - Math.round(100 * inside);
      }
    }
  }
  return { data, width: side, height: side };
}

const median = (values) => values.sort((a, b) => a - b)[values.length >> 1];

/** The largest relative difference of a property from the peers'; of hulls, the number of those that differ. */
function differenceOf(name, regions, theirs) {
  if (name === "convexHull") {
    const { points, offsets } = regions.convexHull;
    const wrong = theirs.convexHull.filter((corners, i) => {
      const own = points.subarray(offsets[i], offsets[i + 1]);
      const pairs = Array.from({ length: own.length / 2 }, (_, k) => `${own[2 * k]} ${own[2 * k + 1]}`);
      return (
        pairs.sort().join() !==
        corners
          .map((corner) => corner.join(" "))
          .sort()
          .join()
      );
    });
    return wrong.length;
  }
  const expected = theirs[name].flat();
  let own = Array.from(regions[name], Number);
  // Compares the lengths of Feret's diameters, the radii of inscribed circles, and the areas of rectangles.
  if (name === "feretDiameter") own = own.filter((_, k) => k % 2 === 0);
  if (name === "minimumRectangle") own = own.filter((_, k) => k % 5 === 2).map((side, i) => side * own[5 * i + 3]);
  if (name === "inscribed") own = own.filter((_, k) => k % 3 === 0);
  if (own.length !== expected.length) throw new Error(`${name}: ${own.length} numbers, and ${expected.length}`);
  let most = 0;
  own.forEach((n, i) => {
    const other = expected[i];
    if (other === null || Number.isNaN(n)) {
      if ((other === null) !== Number.isNaN(n)) most = Number.POSITIVE_INFINITY;
      return;
    }
    let apart = Math.abs(n - other);
    if (name === "orientation") {
      // Releases of scikit-image differ in the sign of 45 degrees. Other orientations are equal up to half a turn.
      const isDiagonal = regions.secondMoments[3 * i] === regions.secondMoments[3 * i + 2];
      apart = isDiagonal ? Math.abs(Math.abs(n) - Math.abs(other)) : Math.min(apart, Math.abs(Math.PI - apart));
    }
    most = Math.max(most, apart / Math.max(1, Math.abs(other)));
  });
  return most;
}

/** Properties that are measured together. */
const GROUPS = [
  ["area", "bounds", "centroid"],
  ["perimeter", "crofton", "circularity"],
  ["convexArea", "solidity", "feretDiameter", "minimumRectangle"],
  ["convexHull"],
  ["inscribed"],
  ["median", "quantiles"],
];

/** The time of each group on images of many objects, beside a plain copy of the pixels. */
async function benchGroups(size) {
  const engine = await open({ device: "cpu" });
  const copy = (data) => {
    const begin = performance.now();
    data.slice();
    return performance.now() - begin;
  };
  for (const name of ["ellipses on a grid", "smooth blobs (50 %)", "noise, density 0.5"]) {
    const data = new Uint8Array(readFileSync(imageFile(name, size)));
    const picture = { data, width: size, height: size };
    const found = await engine.components(picture, { connectivity: 8 });
    const cells = [];
    for (const properties of GROUPS) {
      const rounds = [];
      for (let round = 0; round < ROUNDS; round++) {
        const begin = performance.now();
        await found.regions({ properties, ...(properties.includes("median") ? { intensity: picture } : {}) });
        rounds.push(performance.now() - begin);
      }
      cells.push(ms(median(rounds)));
    }
    const copies = Array.from({ length: ROUNDS }, () => copy(data));
    console.log(`| ${[name, found.count, ...cells, ms(median(copies))].join(" | ")} |`);
    found.dispose();
  }
  await engine.close();
}

export async function benchShapes(args) {
  const { values } = parseArgs({ args, options: { size: { type: "string" } } });
  if (values.size) {
    console.log(heading());
    console.log(`| image | objects | ${GROUPS.map((group) => group.join(", ")).join(" | ")} | copy |`);
    return benchGroups(Number(values.size));
  }
  const folder = mkdtempSync(join(tmpdir(), "skerry-shapes-"));
  const engine = await open({ device: "cpu" });
  try {
    console.log(heading());
    const columns = [];
    for (const { name, options } of PICTURES) {
      const file = join(folder, name);
      const picture =
        name === "ellipses" ? ellipses() : { ...(await peer("shapes.py", [file, "picture", name])), data: undefined };
      picture.data ??= new Uint8Array(readFileSync(`${file}.picture`));
      const found = await engine.components(picture, { connectivity: 8, ...options });
      const { data: labels } = await found.labels();
      writeFileSync(`${file}.labels`, labels);
      writeFileSync(`${file}.picture`, picture.data);
      const rounds = [];
      let regions;
      for (let round = 0; round < ROUNDS; round++) {
        const begin = performance.now();
        regions = await found.regions({ properties: PROPERTIES, intensity: picture });
        rounds.push(performance.now() - begin);
      }
      const theirs = await peer("shapes.py", [file, "measure", picture.width, picture.height]);
      if (!theirs) throw new Error(notes.at(-1));
      found.dispose();
      columns.push({ name, count: found.count, own: median(rounds), theirs, regions });
    }
    const rows = PROPERTIES.map((name) => [
      `\`${name}\``,
      ...columns.map(({ regions, theirs }) => {
        const apart = differenceOf(name, regions, theirs.properties);
        return apart <= DIGITS ? "equal" : apart.toPrecision(1);
      }),
      columns[0].theirs.sources[name],
    ]);
    rows.push(["ms, skerry", ...columns.map(({ own }) => ms(own)), "all of these"]);
    rows.push(["ms, scikit-image", ...columns.map(({ theirs }) => ms(theirs.milliseconds)), "`regionprops` alone"]);
    const head = ["property", ...columns.map(({ name, count }) => `${name}, ${count}`), "reference"];
    for (const row of [head, head.map((_, i) => (i > 0 && i < head.length - 1 ? "---:" : "---")), ...rows]) {
      console.log(`| ${row.join(" | ")} |`);
    }
    console.log(columns[0].theirs.versions);
  } finally {
    await engine.close();
    rmSync(folder, { recursive: true });
  }
  for (const note of notes) console.log(note);
}
