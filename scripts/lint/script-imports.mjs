// Checks that the names exist which scripts, benches and fuzzers import from the repository, since these are not compiled. For
// a path into dist/ it checks the source instead, because an old dist/ may hold files that no longer have one.
//
//     node scripts/lint/script-imports.mjs

import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";

const root = resolve(dirname(fileURLToPath(import.meta.url)), "../..");
const files = execFileSync("git", ["ls-files", "*.mjs"], { cwd: root, encoding: "utf8" }).trim().split("\n");

/** The source of an import; undefined for packages from elsewhere, and for generated files. */
function sourceOf(from, specifier) {
  const [, own, room] =
    /^(?:@skerry\/)?(skerry|files|scenes|recipe|cluster|cli|lab)(\/[a-z/]+)?$/.exec(specifier) ?? [];
  if (own && (own === "skerry" || specifier.startsWith("@"))) {
    const file = room?.endsWith("/internal") || room === "/internal" ? `${room}.ts` : `${room ?? ""}/index.ts`;
    return resolve(root, `packages/${own}/src${file}`);
  }
  if (!specifier.startsWith(".")) return undefined;
  const path = resolve(dirname(from), specifier);
  if (/\/(checked|generated)\//.test(path)) return undefined;
  return path.includes("/dist/") ? path.replace("/dist/", "/src/").replace(/\.js$/, ".ts") : path;
}

const OPTIONS = {
  allowJs: true,
  noEmit: true,
  skipLibCheck: true,
  target: ts.ScriptTarget.ESNext,
  types: [],
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
};
const imports = files.flatMap((file) => {
  const path = resolve(root, file);
  const source = ts.createSourceFile(path, readFileSync(path, "utf8"), ts.ScriptTarget.ESNext);
  return source.statements
    .filter((statement) => ts.isImportDeclaration(statement))
    .map(({ moduleSpecifier, importClause }) => ({
      file,
      specifier: moduleSpecifier.text,
      target: sourceOf(path, moduleSpecifier.text),
      names: (importClause?.namedBindings?.elements ?? []).map(({ propertyName, name }) => (propertyName ?? name).text),
    }));
});
const own = imports.filter(({ target }) => target);
const missing = own.filter(({ target }) => !existsSync(target));
const targets = [...new Set(own.map(({ target }) => target))].filter((target) => existsSync(target));
const sources = ts.createProgram(targets, OPTIONS);
const checker = sources.getTypeChecker();
const problems = missing.map(({ file, specifier }) => `${file} imports ${specifier}, which is not there`);
for (const { file, specifier, target, names } of own) {
  const module = existsSync(target) && checker.getSymbolAtLocation(sources.getSourceFile(target));
  if (!module) continue;
  const exported = new Set(checker.getExportsOfModule(module).map(({ name }) => name));
  for (const name of names) {
    if (!exported.has(name)) problems.push(`${file} imports ${name} from ${specifier}, which does not export it`);
  }
}
for (const problem of problems) console.error(problem);
console.log(`${own.length} imports of scripts, ${problems.length} of what is not there`);
if (problems.length > 0) process.exitCode = 1;
