// Finds arithmetic that loses bits where sizes, positions and labels grow:
//
//     pack   a * 2 ** 32 + b as a number: beyond 2^53 two pairs become one (host)
//     key    a * b + c compared, or as a key of a Map or Set (host)
//     cube   three factors of integers, whose product may wrap before it is divided (kernels)
//     twice  2 * n of a size, which may be signed (kernels)
//     map    new Map() of numbers that come from pixels: one Map of V8 holds 2^24 entries (results/, cpu/ and core/)
//
// A comment `wide: REASON`, on the line or the one before, marks a place as right.
//
//     node scripts/lint/arithmetic.mjs

import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";

const root = resolve(dirname(fileURLToPath(import.meta.url)), "../..");
const { SyntaxKind: Kind } = ts;

const plain = (node) => (ts.isParenthesizedExpression(node) ? plain(node.expression) : node);
const isProduct = (node) => ts.isBinaryExpression(node) && node.operatorToken.kind === Kind.AsteriskToken;
const isLarge = (node) =>
  (ts.isNumericLiteral(node) && Number(node.text) >= 2 ** 21) ||
  (ts.isBinaryExpression(node) &&
    node.operatorToken.kind === Kind.AsteriskAsteriskToken &&
    ts.isNumericLiteral(node.right) &&
    Number(node.right.text) >= 21);
const isConstant = (node) => ts.isNumericLiteral(node) || isLarge(node);

/** Whether a sum is a key: compared, looked up, or named so. */
function isKey({ parent }) {
  if (ts.isBinaryExpression(parent)) {
    return [Kind.EqualsEqualsEqualsToken, Kind.ExclamationEqualsEqualsToken].includes(parent.operatorToken.kind);
  }
  if (ts.isCallExpression(parent) && ts.isPropertyAccessExpression(parent.expression)) {
    return /^(get|set|has|add|delete)$/.test(parent.expression.name.text);
  }
  return ts.isVariableDeclaration(parent) && /key/i.test(parent.name.getText());
}

/** The rule that an expression breaks, if any. */
function broken(node, { kernel, counts }) {
  if (counts && ts.isNewExpression(node) && node.expression.getText() === "Map") {
    return node.typeArguments?.[0]?.kind === Kind.NumberKeyword ? "map" : undefined;
  }
  if (!ts.isBinaryExpression(node)) return undefined;
  const [left, right] = [plain(node.left), plain(node.right)];
  if (kernel) {
    if (!isProduct(node)) return undefined;
    if (ts.isNumericLiteral(left) && left.text === "2" && right.getText() === "n") return "twice";
    const factors = isProduct(left) ? [plain(left.left), plain(left.right), right] : [];
    return factors.length > 0 && !factors.some(ts.isNumericLiteral) && !/f64|f32|usize/.test(node.getText())
      ? "cube"
      : undefined;
  }
  if (node.operatorToken.kind !== Kind.PlusToken) return undefined;
  const products = [left, right].filter(isProduct);
  if (products.some((each) => [each.left, each.right].some((side) => isLarge(plain(side))))) return "pack";
  const open = products.some((each) => ![each.left, each.right].some((side) => isConstant(plain(side))));
  return open && isKey(node) ? "key" : undefined;
}

function check(path) {
  const name = relative(root, path);
  const text = readFileSync(path, "utf8");
  const lines = text.split("\n");
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true, ts.ScriptKind.TS);
  const where = { kernel: name.includes("/assembly/"), counts: /skerry\/src\/(cpu|results|core)\//.test(name) };
  const found = [];
  const visit = (node) => {
    const rule = broken(node, where);
    const { line } = file.getLineAndCharacterOfPosition(node.getStart());
    if (rule && !/\bwide: \S/.test(`${lines[line]}${lines[line - 1] ?? ""}`)) {
      found.push(`${name}:${line + 1}: ${rule}: ${node.getText().replace(/\s+/g, " ").slice(0, 90)}`);
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

function sources(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return entry.name === "generated" ? [] : sources(path);
    return /\.tsx?$/.test(entry.name) && !entry.name.endsWith(".d.ts") ? [path] : [];
  });
}

const found = readdirSync(join(root, "packages")).flatMap((name) =>
  sources(join(root, "packages", name, "src")).flatMap(check),
);
for (const line of found) console.log(line);
console.log(`${found.length} places where arithmetic may lose bits`);
if (found.length > 0) process.exitCode = 1;
