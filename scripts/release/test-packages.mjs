// Packs the library and the command, installs the two tarballs in an empty folder and uses them there: from Node, from three
// versions of TypeScript under two sets of libs, from a page without a bundler, and through bundlers.

import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { CHROMIUM, PAGE, serve, titleOf } from "./plain-page.mjs";

/** Most bytes of a tarball: the library's without its bundle, and with it. */
const MOST_LIBRARY = 410_000;
const MOST_BUNDLED = 685_000;
/** Most bytes of node_modules with both packages, without a GPU. */
const MOST_INSTALLED = 40 * 2 ** 20;

const COMPILERS = ["typescript@5.9.3", "typescript@6.0.3", "typescript@7.0.2"];
const LIBRARIES = [["es2022"], ["es2022", "dom"]];

const root = fileURLToPath(new URL("../..", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "skerry-packages-"));
const run = (command, args, cwd) =>
  execFileSync(command, args, { cwd, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"], maxBuffer: 2 ** 26 });

function check(holds, sentence) {
  if (!holds) throw new Error(sentence);
}

/** Bytes of a folder's files. */
function bytesOf(path) {
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);
}

/** A program that uses the library and names public types of every kind. */
const PROGRAM = `import { type Components, type DistanceMap, type Image, InvalidArgument, open, type Outlines, REGION_PROPERTIES } from "skerry";
const engine = await open({ device: "cpu", threads: 1 });
const raster = { data: new Uint8Array([1, 0, 1, 1]), width: 4, height: 1 };
const found: Components = await engine.components(raster);
const { area }: { area?: ArrayLike<number> } = await found.regions({ properties: ["area"] });
const outlines: Outlines = await found.outlines({ rings: "simple" });
const map: DistanceMap = await engine.distance(found);
const image: Image = await engine.load(raster);
const labels = await found.labels({ as: "buffer" }).catch((error: unknown) => error instanceof InvalidArgument);
const answer: number = found.count + (area?.length ?? 0) + outlines.count + map.data.length + REGION_PROPERTIES.length;
if (typeof labels === "object") labels.buffer.destroy();
image.dispose();
await engine.close();
export { answer };
`;

try {
  for (const name of ["skerry", "@skerry/cli"]) run("npm", ["pack", "-w", name, "--pack-destination", folder], root);
  const tarballs = readdirSync(folder).filter((file) => file.endsWith(".tgz"));
  for (const name of ["skerry", "cli"]) run("npx", ["publint", "--strict", join(root, "packages", name)], root);
  const library = tarballs.find((file) => file.startsWith("skerry-0") || /^skerry-\d/.test(file));
  const packed = statSync(join(folder, library)).size;
  const unpacked = join(folder, "unpacked");
  mkdirSync(unpacked);
  run("tar", ["-C", unpacked, "-xzf", join(folder, library)], folder);
  rmSync(join(unpacked, "package/dist/bundle.js"));
  run("tar", ["-C", unpacked, "-czf", join(folder, "plain.tar.gz"), "package"], folder);
  const plain = statSync(join(folder, "plain.tar.gz")).size;
  check(plain <= MOST_LIBRARY, `the library packs to ${plain} bytes without its bundle`);
  check(packed <= MOST_BUNDLED, `the library packs to ${packed} bytes with its bundle`);

  // Both packages in an empty folder.
  const own = join(folder, "own");
  mkdirSync(own);
  writeFileSync(join(own, "package.json"), '{ "private": true, "type": "module" }');
  const install = (...names) => run("npm", ["install", "--no-audit", "--no-fund", ...names], own);
  install(...tarballs.map((file) => join(folder, file)));
  const installed = bytesOf(join(own, "node_modules"));
  check(installed <= MOST_INSTALLED, `both packages take ${installed} bytes installed`);
  writeFileSync(
    join(own, "use.mjs"),
    PROGRAM.replaceAll(/type \w+, /g, "")
      .replaceAll(
        /: (Components|DistanceMap|Image|Outlines|\{ area\?: ArrayLike<number> \}|unknown|number)(?= =|\))/g,
        "",
      )
      .replace("export { answer };", "console.log(answer);"),
  );
  const answer = run(process.execPath, ["use.mjs"], own).trim();
  check(Number(answer) > 10, `the packed library answered ${answer}`);
  const label = run("npx", ["skerry", "label", join(root, "samples/spiral.png"), "--json"], own);
  check(JSON.parse(label).count === 1, `the packed command said ${label}`);
  for (const command of ["fill", "distance", "kmeans", "mask", "explain", "cluster", "info", "lab"]) {
    run("npx", ["skerry", command, "--help"], own);
  }
  const cells = join(root, "samples/cells.png");
  run("npx", ["skerry", "distance", cells, "--threshold", "otsu", "-o", "map.nii.gz", "--quiet"], own);
  run("npx", ["skerry", "label", "map.nii.gz", "--threshold", ">3", "--regions", "table.csv", "--quiet"], own);

  // Types, with and without those of Node, and without skipping the check of declarations.
  writeFileSync(join(own, "use.ts"), PROGRAM);
  for (const compiler of COMPILERS) {
    for (const node of [false, true]) {
      const types = join(folder, `types-${compiler.split("@")[1]}-${node}`);
      mkdirSync(types);
      writeFileSync(join(types, "package.json"), '{ "private": true, "type": "module" }');
      writeFileSync(join(types, "use.ts"), PROGRAM);
      const names = [join(folder, library), compiler, ...(node ? ["@types/node@20"] : [])];
      run("npm", ["install", "--no-audit", "--no-fund", ...names], types);
      for (const lib of LIBRARIES) {
        const compilerOptions = {
          target: "es2022",
          module: "nodenext",
          moduleResolution: "nodenext",
          strict: true,
          noEmit: true,
          skipLibCheck: false,
          lib,
          types: node ? ["node"] : [],
        };
        writeFileSync(join(types, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["use.ts"] }));
        try {
          run("npx", ["tsc", "-p", "tsconfig.json"], types);
        } catch ({ stdout }) {
          throw new Error(`${compiler}, lib ${lib}, ${node ? "with" : "without"} @types/node:\n${stdout}`);
        }
      }
    }
  }

  // Bundlers need no loader, plug-in or copied file for the library.
  const esbuild = join(root, "node_modules/.bin/esbuild");
  run(esbuild, ["use.mjs", "--bundle", "--format=esm", "--platform=node", "--outfile=node.mjs"], own);
  check(run(process.execPath, ["node.mjs"], own).trim() === answer, "the bundled library answers otherwise");
  run(esbuild, ["use.mjs", "--bundle", "--format=esm", "--outfile=browser.js"], own);

  // Pages: the one documented file from a static server, and a page built by Vite.
  if (existsSync(CHROMIUM)) {
    const page = join(folder, "page");
    mkdirSync(page);
    cpSync(join(own, "node_modules/skerry/dist/bundle.js"), join(page, "bundle.js"));
    writeFileSync(join(page, "index.html"), PAGE);
    writeFileSync(join(own, "index.html"), PAGE.replace("./bundle.js", "skerry"));
    run(join(root, "node_modules/.bin/vite"), ["build", "--outDir", join(folder, "vite"), "--logLevel", "warn"], own);
    for (const [path, kind] of [
      [page, "plain"],
      [join(folder, "vite"), "Vite"],
    ]) {
      const { address, close } = await serve(path);
      const title = await titleOf(`${address}index.html`).finally(close);
      check(title === "2 objects", `the ${kind} page shows ${title}`);
    }
  } else console.log(`no ${CHROMIUM}: the pages were not tried`);
  const kilobytes = (bytes) => `${Math.round(bytes / 1000)} kB`;
  console.log(
    `the packed library (${kilobytes(plain)}, ${kilobytes(packed)} with its bundle) and command work in an empty folder (${Math.round(installed / 2 ** 20)} MiB), in ${COMPILERS.length} compilers, from a plain page, and through esbuild and Vite`,
  );
} finally {
  rmSync(folder, { recursive: true });
}
