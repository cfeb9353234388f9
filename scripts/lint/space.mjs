// Finds places, spacings, units and times of files that are read from anything but their Space: outside packages/files, a property of one of these
// names has to be declared by Space, by the library (a raster's spacing), or in the package that reads it. The readers and writers of
// @skerry/files/zarr know their own metadata.
//
//     node scripts/lint/space.mjs

import { dirname, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";

const root = resolve(dirname(fileURLToPath(import.meta.url)), "../..");
const NAMES = new Set([
  "spacing",
  "unit",
  "units",
  "affine",
  "toWorld",
  "crs",
  "translation",
  "orientation",
  "place",
  "resolution",
  "calibration",
  "georeference",
  "taken",
  "time",
  "hasSpacing",
  "pixDims",
  "printed",
  "xyzt_units",
]);
/** Files that declare what may be read: the record itself, tables, and the library's own types. */
const ALLOWED = [
  /packages\/files\/(src|dist)\/(space|affine|units)\./,
  /packages\/files\/(src|dist)\/products\//,
  /packages\/skerry\//,
];
/** Readers and writers of OME-Zarr, which make Spaces of metadata and metadata of Spaces. */
const READERS = ["ome.ts", "open.ts", "layout.ts", "source.ts", "unfinished.ts"].map(
  (name) => `packages/files/src/zarr/${name}`,
);

const wrong = [];
let reads = 0;
for (const [name, folder, project] of [
  ["files", "src/zarr", "tsconfig.node.json"],
  ...["recipe", "cluster", "cli", "lab"].map((other) => [other, "src", "tsconfig.json"]),
]) {
  const path = resolve(root, `packages/${name}/${project}`);
  const { config } = ts.readConfigFile(path, ts.sys.readFile);
  const { fileNames, options } = ts.parseJsonConfigFileContent(config, ts.sys, dirname(path));
  const program = ts.createProgram(fileNames, { ...options, noEmit: true });
  const checker = program.getTypeChecker();
  const isFine = (symbol, text) =>
    (symbol?.declarations ?? []).every((declaration) => {
      const file = relative(root, declaration.getSourceFile().fileName);
      // The time that a caller asks for.
      if (text === "time" && /formats\/tiff\/read\./.test(file)) return true;
      if (ALLOWED.some((pattern) => pattern.test(file))) return true;
      // Settings of recipes, of plans and of the page are no facts of a file.
      return !file.startsWith("packages/files/") || (name === "files" && file.startsWith("packages/files/src/zarr/"));
    });
  for (const file of program.getSourceFiles()) {
    const own = relative(root, file.fileName);
    if (file.isDeclarationFile || !own.startsWith(`packages/${name}/${folder}/`) || READERS.includes(own)) continue;
    const check = (node, text, symbol) => {
      if (!NAMES.has(text)) return;
      reads++;
      if (isFine(symbol, text)) return;
      const { line } = file.getLineAndCharacterOfPosition(node.getStart(file));
      wrong.push(`${own}:${line + 1}: ${text} is read from something else than a Space`);
    };
    const visit = (node) => {
      if (ts.isPropertyAccessExpression(node)) check(node, node.name.text, checker.getSymbolAtLocation(node.name));
      if (ts.isBindingElement(node) && ts.isObjectBindingPattern(node.parent) && !node.dotDotDotToken) {
        const key = (node.propertyName ?? node.name).getText(file);
        const type = checker.getTypeAtLocation(node.parent);
        check(node, key, checker.getPropertyOfType(type, key));
      }
      ts.forEachChild(node, visit);
    };
    visit(file);
  }
}
for (const line of wrong) console.log(line);
if (wrong.length > 0) process.exitCode = 1;
console.log(`${reads} reads of places, spacings, units and times, ${wrong.length} from something else than a Space`);
