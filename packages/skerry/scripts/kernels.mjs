// Reads the kernels behind src/cpu/assembly/index.ts, and the layouts in assembly/layout, for their TypeScript names: a kernel's
// parameters are those of its function, or the fields of the record that it takes. A range in brackets at the end of a
// parameter's comment, [from .. to], is what the kernel may touch behind that pointer, in bytes. Names in capitals in it are
// constants of assembly/layout.

import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

/** Bytes of each type in WebAssembly memory; addresses have 32 bits. */
const BYTES = { bool: 1, u8: 1, u16: 2, u32: 4, i32: 4, usize: 4, u64: 8, i64: 8, f32: 4, f64: 8 };

/** A comment's text, without its comment marks. */
function textOf(comment) {
  return comment
    .replace(/^\s*\/\*\*/, "")
    .replace(/\*\/\s*$/, "")
    .split("\n")
    .map((line) => line.replace(/^\s*\* ?/, "").trimEnd())
    .join("\n")
    .trim();
}

/** `what it is [from .. to]`, in its parts. */
function described(text) {
  const [, doc, from, to] = /^(.*?)\s*\[(.*?) \.\. (.*)\]$/s.exec(text) ?? [undefined, text];
  return { doc: doc.trim(), ...(to === undefined ? {} : { from, to }) };
}

/** Fields of records, by their types. */
const LETTERS = { bool: "b", u32: "w", i32: "w", usize: "w", f64: "f" };

function letterOf(kernel, { name, type }) {
  if (!(type in LETTERS)) throw new Error(`${kernel} takes ${name} in a record, whose fields are never ${type}`);
  return LETTERS[type];
}

function fieldsOf(source, record) {
  const body = new RegExp(`class ${record} \\{([\\s\\S]*?)\\n\\}`).exec(source)?.[1];
  if (body === undefined) throw new Error(`no class ${record}`);
  const fields = [...body.matchAll(/\/\*\*([\s\S]*?)\*\/\s*(\w+): (\w+);/g)];
  if (fields.length !== [...body.matchAll(/^ {2}\w+: \w+;/gm)].length) {
    throw new Error(`a field of ${record} has no comment`);
  }
  return fields.map(([, comment, name, type]) => ({ name, type, ...described(textOf(comment)) }));
}

export function kernelOf(name, source) {
  const found = new RegExp(
    `(?:(/\\*\\*(?:(?!\\*/)[\\s\\S])*\\*/)\\n)?export function ${name}\\(([^)]*)\\): (\\w+)`,
  ).exec(source);
  if (!found) throw new Error(`no kernel ${name}`);
  const [, comment = "", list] = found;
  const text = textOf(comment);
  const record = /^call: (\w+Call)$/.exec(list.trim())?.[1];
  const documented = Object.fromEntries(
    [...text.matchAll(/^@param (\w+) (.*)$/gm)].map(([, parameter, rest]) => [parameter, described(rest)]),
  );
  const parameters = record
    ? fieldsOf(source, record)
    : list
        .split(",")
        .map((part) => part.trim())
        .filter((part) => part !== "")
        .map((part) => part.split(/:\s*/))
        .map(([parameter, type]) => ({ name: parameter, type, ...documented[parameter] }));
  const behind = [...text.matchAll(/^@behind (\w+)(?: x (.*?))? at (.*?): (.*)$/gm)].map(
    ([, label, count, at, rest]) => ({
      name: label,
      count,
      at,
      ...described(rest),
    }),
  );
  for (const { name: parameter, doc, type } of parameters) {
    if (!doc) throw new Error(`${name} says nothing of ${parameter}`);
    if (!(type in BYTES)) throw new Error(`${name} takes ${parameter} of an unknown type ${type}`);
  }
  if (!record && parameters.length > 8) throw new Error(`${name} takes more than 8 parameters; give it a record`);
  return {
    name,
    record: record !== undefined,
    parameters,
    behind,
    doc: text.replace(/^@(param|behind) .*$/gm, "").trim(),
  };
}

async function layoutsOf(folder) {
  const layouts = {};
  const known = {};
  for (const file of (await readdir(folder)).sort()) {
    const source = await readFile(join(folder, file), "utf8");
    const own = {};
    for (const [, name, expression] of source.matchAll(/^export const (\w+): \w+ = (.*);$/gm)) {
      own[name] = new Function(...Object.keys(known), `return ${expression}`)(...Object.values(known));
      known[name] ??= own[name];
    }
    layouts[file.replace(/\.ts$/, "")] = own;
  }
  return layouts;
}

/** The kernels by name, and the constants of every layout. */
export async function readKernels(assembly) {
  const index = await readFile(join(assembly, "index.ts"), "utf8");
  const kernels = [];
  for (const [, names, file] of index.matchAll(/export \{([^}]*)\} from "\.\/([\w-]+)"/g)) {
    const source = await readFile(join(assembly, `${file}.ts`), "utf8");
    for (const name of names.split(",")) kernels.push(kernelOf(name.trim(), source));
  }
  kernels.sort((a, b) => (a.name < b.name ? -1 : 1));
  return { kernels, layouts: await layoutsOf(join(assembly, "layout")) };
}

/** src/generated/kernels.ts. */
export function kernelsSource({ kernels, layouts }) {
  const lines = [
    "/** Every kernel with its arguments by name; addresses are numbers. */",
    "export interface Kernels {",
  ];
  for (const { name, doc, parameters } of kernels) {
    if (doc) lines.push("  /**", ...doc.split("\n").map((line) => `   * ${line}`.trimEnd()), "   */");
    lines.push(`  ${name}(given: {`);
    for (const { name: parameter, type, doc: about } of parameters) {
      lines.push(`    /** ${about} */`, `    readonly ${parameter}: ${type === "bool" ? "boolean" : "number"};`);
    }
    lines.push("  }): number;");
  }
  lines.push("}", "");
  const table = Object.fromEntries(
    kernels.map(({ name, record, parameters }) => [
      name,
      {
        parameters: parameters.map((parameter) => parameter.name).join(" "),
        ...(record ? { record: parameters.map((parameter) => letterOf(name, parameter)).join("") } : {}),
      },
    ]),
  );
  lines.push(
    "/** Parameters in their order; of kernels that take a record, its fields: b of one byte, w of 32 bits, f of 64-bit floats. */",
    `export const KERNELS: Record<keyof Kernels, { readonly parameters: string; readonly record?: string }> = ${JSON.stringify(table, undefined, 2)};`,
    "",
    "/** Offsets, sizes and codes that kernels and their callers share. */",
    `export const LAYOUT = ${JSON.stringify(layouts, undefined, 2)} as const;`,
    "",
  );
  return lines.join("\n");
}

/** A function from a constant's name to its number; throws for a name that no layout, or more than one number, has. */
function constantsOf(layouts) {
  const all = Object.values(layouts).flatMap(Object.entries);
  return (name) => {
    const numbers = new Set(all.filter(([other]) => other === name).map(([, number]) => number));
    if (numbers.size !== 1) throw new Error(`${name} of a range is ${numbers.size} numbers of assembly/layout`);
    return String([...numbers][0]);
  };
}

/**
 * src/generated/bounds.ts: with `checked` a function per kernel that returns the ranges it may touch, else undefined.
 */
export function boundsSource({ kernels, layouts }, checked) {
  const numberOf = constantsOf(layouts);
  const inNumbers = (range) => range.replace(/\b[A-Z][A-Z0-9_]{2,}\b/g, numberOf);
  const lines = [
    'import type { Ranges } from "../cpu/checked.js";',
    "",
    "/** What each kernel may touch; undefined where the build does not check. */",
  ];
  if (!checked)
    return [...lines, "export const BOUNDS: Record<string, Ranges> | undefined = undefined;", ""].join("\n");
  lines.unshift("// @ts-nocheck: written from the kernels' comments");
  lines.push("export const BOUNDS: Record<string, Ranges> | undefined = {");
  for (const { name, parameters, behind } of kernels) {
    const helpers =
      "rowBytes, typeBytes, linkPlanes, afterLargest, movedIn, runsIn, rowBeside, rowAfterBeside, solidRowBeside, firstInRing, lastInRing, u32, u64, f64";
    lines.push(`  ${name}: ({ ${parameters.map((parameter) => parameter.name).join(", ")} }, { ${helpers} }) => {`);
    lines.push("    const ranges = [];");
    for (const { name: parameter, from, to } of parameters) {
      if (to === undefined) continue;
      lines.push(
        `    if (${parameter}) ranges.push(["${parameter}", ${parameter}, Number(${inNumbers(from)}), Number(${inNumbers(to)})]);`,
      );
    }
    for (const { name: label, count, at, from, to } of behind) {
      const push = `if (${at}) ranges.push(["${label}", ${at}, Number(${inNumbers(from)}), Number(${inNumbers(to)})]);`;
      lines.push(count ? `    for (let s = 0; s < (${count}); s++) ${push}` : `    ${push}`);
    }
    lines.push("    return ranges;", "  },");
  }
  lines.push("};", "");
  return lines.join("\n");
}
