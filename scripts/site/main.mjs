// Builds the site: reference from the docstrings, the pages of docs/, the page of tools, and llms.txt, as static files with
// relative addresses, for any host and folder. `npm run site` writes it to ./site; --serve also serves it, --check writes nothing.
// Warnings of the generator are errors, such as a public name without a description or a dead link.

import { readdir, rm } from "node:fs/promises";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import { Application, Converter, KindRouter, OptionDefaults, ReflectionKind } from "typedoc";
import { finishSite } from "./finish.mjs";
import { gapsOf } from "./gaps.mjs";
import { titleOf } from "./markdown.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));
const out = `${root}site`;

/** The packages, by the folder of their public names. */
const MODULES = {
  "packages/skerry/src": "skerry",
  "packages/files/src": "@skerry/files",
  "packages/files/src/node": "@skerry/files/node",
  "packages/files/src/zarr": "@skerry/files/zarr",
  "packages/recipe/src": "@skerry/recipe",
};

/** The first pages of the contents list, in order; the others follow by name. */
const FIRST = [
  "tour",
  "guide",
  "coming-from",
  "cli",
  "lab",
  "recipe",
  "formats",
  "limits",
  "scale",
  "distance",
  "kmeans",
  "shapes",
];

async function pages() {
  const own = (await readdir(`${root}docs`)).filter((name) => name.endsWith(".md"));
  const place = (name) => FIRST.indexOf(name.slice(0, -3)) + 1 || FIRST.length + 1;
  own.sort((a, b) => place(a) - place(b) || a.localeCompare(b));
  const below = async (folder) =>
    (await readdir(`${root}docs/${folder}`))
      .filter((name) => name.endsWith(".md"))
      .sort()
      .map((name) => `docs/${folder}/${name}`);
  const known = [...own.map((name) => `docs/${name}`), ...(await below("how-to"))];
  return [...known, "CONTRIBUTING.md", ...(await below("develop")), "CHANGELOG.md"].map((name) => root + name);
}

const begin = performance.now();
const sources = await pages();
const tasks = new Set(sources.filter((file) => file.includes("/how-to/")).map((file) => basename(file, ".md")));
const checks = process.argv.includes("--check");
if (!checks) await rm(out, { recursive: true, force: true });
const app = await Application.bootstrapWithPlugins({
  name: "skerry",
  entryPoints: Object.keys(MODULES).map((folder) => `${root}${folder}/index.ts`),
  tsconfig: `${root}scripts/site/tsconfig.json`,
  projectDocuments: sources,
  readme: `${root}README.md`,
  cleanOutputDir: false,
  outputs: [
    { name: "html", path: out, options: { router: "pages" } },
    { name: "markdown", path: out, options: { router: "markdown" } },
  ],
  plugin: ["typedoc-plugin-markdown"],
  customCss: `${root}scripts/site/site.css`,
  customJs: `${root}scripts/site/site.js`,
  favicon: `${root}packages/lab/public/icon.svg`,
  excludeInternal: true,
  excludePrivate: true,
  excludeExternals: true,
  // The packages' builds have checked the types, each with its own settings.
  skipErrorChecking: true,
  disableGit: true,
  disableSources: true,
  sort: ["source-order"],
  sortEntryPoints: false,
  kindSortOrder: ["Document", "Module", "Class", "Function", "Interface", "TypeAlias", "Variable"],
  searchInDocuments: true,
  searchInComments: true,
  highlightLanguages: [...OptionDefaults.highlightLanguages, "python"],
  hideGenerator: true,
  // finishSite() replaces this host by the relative path to the page of tools.
  navigationLinks: {
    Tools: "https://site.invalid/lab/index.html",
    Tour: "https://site.invalid/lab/index.html#tour",
  },
  headings: { readme: false, document: false },
  validation: { notExported: true, invalidLink: true, notDocumented: true, unusedMergeModuleWith: true },
  packagesRequiringDocumentation: ["skerry", "@skerry/files", "@skerry/files/zarr", "@skerry/recipe"],
  requiredToBeDocumented: ["Class", "Interface", "TypeAlias", "Function", "Variable", "Method", "Accessor"],
  // Members of structural types that stand for types of the platform, for programs without its declarations.
  intentionallyNotDocumented: [
    "skerry.GpuBuffer.__type.destroy",
    "skerry.GpuDevice.__type.destroy",
    "skerry.GpuInstance.__type.requestAdapter",
    "skerry.GpuTexture.__type.destroy",
    "skerry.Signal.__type.throwIfAborted",
    "@skerry/files/node.resident.__type.free",
  ],
});
/** Pages of docs/ keep the names of their files, whatever their titles are. */
const files = new Map();
class Router extends KindRouter {
  getIdealBaseName(reflection) {
    const file = files.get(reflection);
    return file ? `documents/${file}` : super.getIdealBaseName(reflection);
  }
}
app.renderer.defineRouter("pages", Router);
app.renderer.defineRouter(
  "markdown",
  class extends Router {
    extension = ".md";
  },
);
app.converter.on(Converter.EVENT_CREATE_DOCUMENT, (_, page) => {
  const [first] = page.content;
  files.set(page, basename(page.name).toLowerCase());
  const title = titleOf(first?.text ?? "") ?? page.name;
  page.name = tasks.has(files.get(page)) ? `How to: ${title}` : title;
});
const project = await app.convert();
if (!project) process.exit(1);
for (const module of project.getChildrenByKind(ReflectionKind.Module)) {
  const [, name] = Object.entries(MODULES).find(([folder]) => `packages/${module.name}` === folder) ?? [];
  module.name = name ?? module.name;
}
const documents = project
  .getReflectionsByKind(ReflectionKind.Document)
  .map((page) => [
    sources.find((file) => basename(file, ".md").toLowerCase() === files.get(page)),
    `documents/${files.get(page)}.html`,
  ]);
app.validate(project);
const gaps = gapsOf(project);
const faults = [...gaps];
const seconds = () => ((performance.now() - begin) / 1000).toFixed(0);
if (checks) console.log(`the reference was read in ${seconds()} s`);
else {
  await app.generateOutputs(project);
  const told = await finishSite({ root, out, documents });
  faults.push(...told.faults);
  console.log(`${told.pages} pages in ${seconds()} s: site/index.html`);
}
if (app.logger.hasErrors() || app.logger.hasWarnings() || faults.length > 0) {
  for (const fault of faults) console.error(fault);
  process.exit(1);
}
if (process.argv.includes("--serve")) await (await import("./serve.mjs")).serve(out);
