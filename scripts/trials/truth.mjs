// Reads every picture and volume of public repositories by @skerry/files and, if they are installed, by GDAL, tifffile and
// nibabel. Prints for each set how many files are equal, refused with a message of ours, or silently different.
//
//     npm run truth -- CHECKOUT...
//
// A checkout is a folder; its version is in a file COMMIT or from its git repository. JPEG inside TIFF may differ by 2.

import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, relative } from "node:path";
import { createInterface } from "node:readline";
import { openPicture, rasterOf } from "../../packages/files/dist/node/index.js";

const args = process.argv.slice(2);
const verbose = args.includes("--verbose");
const sets = args.filter((arg) => !arg.startsWith("--"));
if (sets.length === 0) throw new Error("Expected folders of pictures: npm run truth -- CHECKOUT...");

const KINDS = [
  [/\.tiff?$/i, "tiff"],
  [/\.nii(\.gz)?$/i, "nifti"],
  [/\.(png|pgm)$/i, "picture"],
];

const python =
  [process.env.PYTHON, "/usr/bin/python3", "python3"].find((name) => name && existsSync(name)) ?? "python3";
const judge = spawn(python, [new URL("./truth.py", import.meta.url).pathname], { stdio: ["pipe", "pipe", "ignore"] });
const answers = createInterface({ input: judge.stdout })[Symbol.asyncIterator]();
const folder = mkdtempSync(join(tmpdir(), "skerry-truth-"));

async function ask(request) {
  judge.stdin.write(`${JSON.stringify({ ...request, out: join(folder, "values") })}\n`);
  const { value, done } = await answers.next();
  if (done) throw new Error("Expected an answer of Python, but it ended.");
  return JSON.parse(value);
}

function commitOf(set) {
  if (existsSync(join(set, "COMMIT"))) return readFileSync(join(set, "COMMIT"), "utf8").trim().slice(0, 10);
  try {
    return execFileSync("git", ["-C", set, "rev-parse", "--short=10", "HEAD"], {
      encoding: "utf8",
      stdio: "pipe",
    }).trim();
  } catch {
    return "";
  }
}

/** Values as skerry reads them. */
async function read(path) {
  const first = await openPicture(path, { indices: true, alpha: false });
  try {
    const raster = await rasterOf(first);
    return { ...raster, depth: raster.depth ?? 1, notes: first.notes() };
  } finally {
    await first.close();
  }
}

/** The first difference between a judge's values and ours, if any. We may read only the first band, or the first three. */
function difference(ours, theirs, kind, within) {
  const values = new Float64Array(new Uint8Array(readFileSync(theirs.out)).buffer);
  const { data, width, height, depth, channels } = ours;
  if (kind === "nifti") {
    const [x, y, z] = theirs.shape;
    if (x !== width || y !== height || z !== depth)
      return `${width} x ${height} x ${depth} of ${theirs.shape.join(" x ")}`;
    for (let k = 0; k < z; k++) {
      for (let j = 0; j < y; j++) {
        for (let i = 0; i < x; i++) {
          const [own, other] = [data[(k * y + j) * x + i], values[(i * y + j) * z + k]];
          if (!same(own, other, 0)) return `${own} instead of ${other} at ${i}, ${j}, ${k}`;
        }
      }
    }
    return undefined;
  }
  const [rows, columns, bands] = theirs.shape;
  if (rows !== height || columns !== width || bands < channels) {
    return `${height} x ${width} x ${channels} of ${theirs.shape.join(" x ")}`;
  }
  for (let i = 0; i < width * height; i++) {
    for (let c = 0; c < channels; c++) {
      const [own, other] = [data[i * channels + c], values[i * bands + c]];
      if (!same(own, other, within))
        return `${own} instead of ${other} at ${i % width}, ${Math.floor(i / width)}, ${c}`;
    }
  }
  return undefined;
}

const same = (own, other, within) =>
  Math.abs(own - other) <= within || own === Math.fround(other) || (Number.isNaN(own) && Number.isNaN(other));

/** Whether a TIFF has a strip of JPEG, whose colours decoders round differently: bytes FF D8 FF, which begin such a file. */
const isJpeg = (path) => {
  const bytes = readFileSync(path);
  return bytes.includes(Buffer.from([0xff, 0xd8, 0xff]));
};

const rows = [];
for (const set of sets) {
  const row = { set: basename(set), commit: commitOf(set), files: 0, equal: 0, refused: 0, different: 0, unjudged: 0 };
  const names = readdirSync(set, { recursive: true, encoding: "utf8" }).sort();
  for (const name of names) {
    const kind = KINDS.find(([ending]) => ending.test(name))?.[1];
    if (!kind) continue;
    row.files++;
    const path = join(set, name);
    let ours;
    const begin = performance.now();
    try {
      ours = await read(path);
    } catch (error) {
      const seconds = (performance.now() - begin) / 1000;
      const isOurs = ["FileError", "UsageError"].includes(error.name) && /\.$/.test(error.message) && seconds < 5;
      row[isOurs ? "refused" : "different"]++;
      if (verbose || !isOurs)
        console.log(`${isOurs ? "refused" : "DIFFERENT"} ${relative(set, path)}: ${error.message}`);
      continue;
    }
    const theirs = await ask({ kind, path });
    const judged = theirs.filter(({ error }) => !error);
    if (judged.length === 0) {
      row.unjudged++;
      if (verbose) console.log(`unjudged ${name}: ${theirs.map(({ name: by, error }) => `${by} ${error}`).join("; ")}`);
      continue;
    }
    const within = kind === "tiff" && isJpeg(path) ? 2 : 0;
    const apart = judged.map((each) => [each.name, difference(ours, each, kind, within)]);
    if (apart.some(([, told]) => told === undefined)) row.equal++;
    else {
      row.different++;
      console.log(
        `DIFFERENT ${name}: ${apart.map(([by, told]) => `${by}: ${told}`).join("; ")} ${ours.notes.join("; ")}`,
      );
    }
  }
  rows.push(row);
  console.log(JSON.stringify(row));
}
judge.stdin.end();
rmSync(folder, { recursive: true });
console.log(
  "\n| set | commit | files | equal | refused | silently different | not judged |\n| --- | --- | ---: | ---: | ---: | ---: | ---: |",
);
for (const { set, commit, files, equal, refused, different, unjudged } of rows) {
  console.log(
    `| ${set.replace("+", "/")} | ${commit} | ${files} | ${equal} | ${refused} | ${different} | ${unjudged} |`,
  );
}
process.exitCode = rows.some(({ different }) => different > 0) ? 1 : 0;
