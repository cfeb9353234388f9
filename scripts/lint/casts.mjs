// Finds casts that do nothing: `x as T` where x already has the type T. They distract from casts that have an effect.
//
//     node scripts/lint/casts.mjs [--fix]

import { readFileSync, writeFileSync } from "node:fs";
import { dirname, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";

const root = resolve(dirname(fileURLToPath(import.meta.url)), "../..");
const fix = process.argv.includes("--fix");
const PROJECTS = ["skerry", "scenes", "files", "recipe", "cluster", "cli", "lab"].flatMap((name) => [
  `packages/${name}/tsconfig.json`,
  `packages/${name}/test/tsconfig.json`,
]);

/** Whether an expression is a generic call, whose type arguments the cast may determine. */
function followsCast(expression, checker) {
  let call = expression;
  while (ts.isAwaitExpression(call) || ts.isParenthesizedExpression(call)) call = call.expression;
  if (!ts.isCallExpression(call) || call.typeArguments) return false;
  return (checker.getResolvedSignature(call)?.declaration?.typeParameters?.length ?? 0) > 0;
}

/** Casts of a file that do nothing. */
function idleCasts(file, checker) {
  const found = [];
  const visit = (node) => {
    if (ts.isAsExpression(node) && !ts.isConstTypeReference(node.type)) {
      const given = checker.getTypeAtLocation(node.expression);
      // The cast of a literal widens its type, so the types differ and it is kept.
      const wanted = checker.getTypeFromTypeNode(node.type);
      const idle = given === wanted && !(given.flags & ts.TypeFlags.Any);
      if (idle && !followsCast(node.expression, checker)) found.push(node);
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

let count = 0;
const seen = new Set();
for (const project of PROJECTS) {
  const path = resolve(root, project);
  if (!ts.sys.fileExists(path)) continue;
  const { config } = ts.readConfigFile(path, ts.sys.readFile);
  const { fileNames, options } = ts.parseJsonConfigFileContent(config, ts.sys, dirname(path));
  const program = ts.createProgram(fileNames, { ...options, noEmit: true });
  const checker = program.getTypeChecker();
  for (const file of program.getSourceFiles()) {
    const inside = !file.isDeclarationFile && file.fileName.startsWith(`${root}/packages/`);
    if (!inside || seen.has(file.fileName) || /\/(generated|dist|node_modules)\//.test(file.fileName)) continue;
    seen.add(file.fileName);
    const casts = idleCasts(file, checker);
    count += casts.length;
    if (fix && casts.length > 0) {
      let text = readFileSync(file.fileName, "utf8");
      // A cast around another one waits for the next pass.
      const innermost = casts.filter(
        (node) => !casts.some((other) => other !== node && other.pos >= node.pos && other.end <= node.end),
      );
      for (const node of innermost.toReversed()) {
        const inner = node.expression.getText(file);
        // `(x as T)` leaves `x`.
        const whole = ts.isParenthesizedExpression(node.parent) ? node.parent : node;
        const kept = whole !== node && !/^[\w$.[\]()!?#' "+*-]+$/.test(inner) ? `(${inner})` : inner;
        const simple = /^[\w$#.!]+(\[[^\]]*\])*$/.test(inner) || /^[\w$#.!]+\(.*\)$/.test(inner);
        text =
          text.slice(0, whole.getStart(file)) +
          (whole === node || simple ? inner : `(${kept})`) +
          text.slice(whole.end);
      }
      writeFileSync(file.fileName, text);
    } else {
      for (const node of casts) {
        const { line } = file.getLineAndCharacterOfPosition(node.getStart(file));
        console.log(`${relative(root, file.fileName)}:${line + 1}: ${node.getText(file).slice(0, 80)} is one already`);
      }
    }
  }
}
if (count > 0 && !fix) process.exitCode = 1;
console.log(fix ? `${count} casts removed` : `${count} casts that do nothing`);
