// Judges the first answer: on pictures with a known number of objects it counts those of the plain call, of --auto, and of each offer.
// docs/first-answer.md explains the list and the rule that splits it.
//
//     node scripts/docs/first-answer.mjs [FOLDER...] [--json]
//
// Pictures are looked for in docs/first-answer and in the FOLDERs; rendered ones are rendered. Those that are not there are named.

import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { openPicture, rasterOf } from "@skerry/files/node";
import { componentsOptions, offersFor, thresholdFor } from "@skerry/recipe/internal";
import { open } from "skerry";

const own = fileURLToPath(new URL("../../docs/first-answer", import.meta.url));
const PLAIN = { skerry: 1, operation: "components" };

/** A number is near the truth if it differs by at most this part of it. */
const NEAR = 0.1;
/** The part of the true objects that have to be met one to one. */
const MET = 0.85;

/** Objects of a label image beside the true ones: a true object is met if the object at its place is at no other true one. */
export function judge(places, { data, width, height, count }) {
  const labelAt = (x, y) => (x >= 0 && y >= 0 && x < width && y < height ? data[y * width + x] : 0);
  const found = places.map(([x, y]) => {
    // A place may lie a little off a thin object.
    for (let reach = 0; reach <= 3; reach++) {
      for (let j = -reach; j <= reach; j++) {
        for (let i = -reach; i <= reach; i++) if (labelAt(x + i, y + j)) return labelAt(x + i, y + j);
      }
    }
    return 0;
  });
  const times = new Map();
  for (const label of found) times.set(label, (times.get(label) ?? 0) + 1);
  const met = found.filter((label) => label > 0 && times.get(label) === 1).length / places.length;
  const isGood = Math.abs(count - places.length) <= NEAR * places.length && met >= MET;
  return { count, met, isGood };
}

/** The judgement of a recipe on a picture. */
async function judged(engine, recipe, raster, places) {
  const threshold = await thresholdFor(engine, recipe, raster);
  const objects = await engine.components(raster, componentsOptions(recipe, threshold));
  const labels = await objects.labels();
  objects.dispose();
  return judge(places, labels);
}

/** Plain, automatic and offered answers for the pictures of the list that are there. */
export async function judgeAll(folders, wanted = () => true) {
  const list = JSON.parse(readFileSync(join(own, "list.json"), "utf8"));
  const rendered = mkdtempSync(join(tmpdir(), "skerry-first-answer-"));
  const engine = await open({ device: "cpu" });
  const rows = [];
  try {
    execFileSync(process.execPath, [fileURLToPath(new URL("first-answer-pictures.mjs", import.meta.url)), rendered]);
    for (const { name, file, half, objects: places } of list.filter(wanted)) {
      const path = [rendered, own, ...folders].map((folder) => join(folder, file)).find((each) => existsSync(each));
      if (!path) {
        rows.push({ name, half });
        continue;
      }
      const picture = await openPicture(path, {});
      const raster = await rasterOf(picture);
      await picture.close();
      const plain = await judged(engine, PLAIN, raster, places);
      const { offers } = await offersFor(engine, PLAIN, raster);
      const answers = [];
      for (const { recipe } of offers) answers.push(await judged(engine, recipe, raster, places));
      rows.push({
        name,
        half,
        truth: places.length,
        plain,
        auto: answers[0] ?? plain,
        offers: answers,
        flags: offers[0]?.flags.join(" "),
      });
    }
  } finally {
    await engine.close();
    rmSync(rendered, { recursive: true });
  }
  return rows;
}

/** How many pictures of each half have a good answer. */
export function totals(rows) {
  return ["build", "judge"].map((half) => {
    const own = rows.filter((row) => row.half === half && row.plain);
    const good = (is) => own.filter(is).length;
    return {
      half,
      pictures: own.length,
      plain: good(({ plain }) => plain.isGood),
      auto: good(({ auto }) => auto.isGood),
      "one of the offers": good(({ plain, offers }) => [plain, ...offers].some(({ isGood }) => isGood)),
    };
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const rows = await judgeAll(process.argv.slice(2).filter((word) => !word.startsWith("--")));
  if (process.argv.includes("--json")) console.log(JSON.stringify(rows));
  else {
    const told = ({ count, met, isGood }) => `${count}${isGood ? " good" : ` (${met.toFixed(2)})`}`;
    for (const { name, half, truth, plain, offers, flags } of rows) {
      if (!plain) console.log(`${half} ${name}: not there`);
      else
        console.log(
          `${half} ${name}: truth ${truth}, plain ${told(plain)}, offers ${offers.map(told).join(", ")}; ${flags}`,
        );
    }
    console.table(totals(rows));
  }
}
