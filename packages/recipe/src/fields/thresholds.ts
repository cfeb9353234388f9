// Thresholds: one row for each, with its values, its text, its meaning, and whether plans take it. Checks, the schema, flags, their
// help, steps and plans derive from the rows.

import type { AutomaticThreshold, LocalThreshold, Threshold } from "skerry";
import { defined, METHODS } from "skerry/internal";
import { type Kind, number, numberOf, numbers, numbersOf } from "../kinds.js";

const anyNumber = number("a number");

/** LO and HI in order, written `LO..HI`. */
const range: Kind<readonly [number, number]> = {
  json: "[lo, hi] with lo at most hi",
  ...numbers<readonly [number, number]>("LO..HI with LO at most HI", { item: anyNumber, least: 2, most: 2 }),
  is: (value): value is readonly [number, number] =>
    Array.isArray(value) && value.length === 2 && value.every(anyNumber.is) && value[0] <= value[1],
  parse: (written) => /^([-+\d.e]+?)\.\.([-+\d.e]+)$/i.exec(written)?.slice(1).map(numberOf),
  print: ([lo, hi]) => `${lo}..${hi}`,
};

type Local = LocalThreshold["local"];
const local: Kind<Local> = {
  expected: "mean:RADIUS[,OFFSET] or sauvola:RADIUS[,K]",
  json: '{ "method": "mean", radius, offset? } or { "method": "sauvola", radius, k? }',
  schema: {
    type: "object",
    properties: {
      radius: { type: "integer", minimum: 0 },
      method: { enum: ["mean", "sauvola"] },
      offset: { type: "number" },
      k: { type: "number" },
    },
    required: ["radius", "method"],
    additionalProperties: false,
  },
  is: (value): value is Local => {
    const { radius, method, offset = 0, k = 0, ...others } = (value ?? {}) as Record<string, unknown>;
    const last = method === "mean" ? "k" : "offset";
    return (
      (method === "mean" || method === "sauvola") &&
      Number.isInteger(radius) &&
      (radius as number) >= 0 &&
      Number.isFinite(offset) &&
      Number.isFinite(k) &&
      Object.keys(others).length === 0 &&
      !Object.hasOwn(value as object, last)
    );
  },
  parse: (written) => {
    const [, method, radius, value] = /^(mean|sauvola):(\d+)(?:,([-+.\de]+))?$/.exec(written) ?? [];
    return (
      method &&
      defined<object>({
        method,
        radius: Number(radius),
        offset: value && method === "mean" ? Number(value) : undefined,
        k: value && method === "sauvola" ? Number(value) : undefined,
      })
    );
  },
  print: ({ radius, method, ...rest }) =>
    [`${method}:${radius}`, ...Object.values(rest).filter((value) => value !== undefined)].join(","),
};

/** Facts of a threshold. */
interface Facts {
  /** Whether plans over many machines take it. */
  readonly distributed: boolean;
}

/** A threshold that is a word. */
interface Word extends Facts {
  readonly says: string;
}

/** A threshold that is a record of one field. */
interface Fixed<T = never> extends Facts {
  readonly kind: Kind<T>;
  /** The letters before its value in a text. */
  readonly before: string;
  /** Its text, and its meaning where that is not clear from the text, for help. */
  readonly example: string;
  readonly meaning?: string;
  says(value: T): string;
}

const METHOD_NAMES = Object.keys(METHODS) as AutomaticThreshold[];

const WORDS = {
  ...(Object.fromEntries(
    METHOD_NAMES.map((name) => {
      const { title, distributed } = METHODS[name];
      return [name, { distributed, says: `take pixels above the ${title} threshold` }];
    }),
  ) as Readonly<Record<AutomaticThreshold, Word>>),
  nonzero: { distributed: true, says: "take pixels of which any colour channel is not 0" } as Word,
};

const fixed = <T>(row: Fixed<T>): Fixed<T> => row;

const FIXED = {
  above: fixed({
    kind: anyNumber,
    before: ">",
    example: '">60"',
    distributed: true,
    says: (n) => `take pixels above ${n}`,
  }),
  below: fixed({
    kind: anyNumber,
    before: "<",
    example: '"<60"',
    distributed: true,
    says: (n) => `take pixels below ${n}`,
  }),
  between: fixed({
    kind: range,
    before: "",
    example: "60..90",
    meaning: "both included",
    distributed: true,
    says: ([lo, hi]) => `take pixels from ${lo} to ${hi}, both included`,
  }),
  outside: fixed({
    kind: range,
    before: "outside:",
    example: "outside:60..90",
    meaning: "bright objects above 90 and dark ones below 60; the two never merge",
    distributed: true,
    says: ([lo, hi]) => `take bright pixels above ${hi} and dark ones below ${lo}; the two never merge`,
  }),
  hysteresis: fixed({
    kind: range,
    before: "hysteresis:",
    example: "hysteresis:60..90",
    meaning: "above 60, in objects that hold a pixel above 90",
    distributed: false,
    says: ([lo, hi]) => `take pixels above ${lo}, in objects that hold a pixel above ${hi}`,
  }),
  local: fixed({
    kind: local,
    before: "",
    example: "mean:R[,OFFSET] or sauvola:R[,K]",
    meaning: "above a threshold of the pixels up to R away",
    distributed: false,
    says: (value) => `take pixels above a threshold of the pixels around: ${local.print(value)}`,
  }),
} as const;

type FixedName = keyof typeof FIXED;
const FIXED_NAMES = Object.keys(FIXED) as FixedName[];
const WORD_NAMES = Object.keys(WORDS) as (keyof typeof WORDS)[];

/** A text of a row, with its meaning. */
function exampleOf(name: FixedName): string {
  const { example, meaning }: Pick<Fixed, "example" | "meaning"> = FIXED[name];
  return meaning === undefined ? example : `${example} (${meaning})`;
}

/** The help of the flag. */
export const THRESHOLD_HELP = `${METHOD_NAMES.join(", ").replace(/, ([^,]*)$/, " or $1")}: above the threshold that the method chooses; nonzero: any colour channel is not 0; ${FIXED_NAMES.map(exampleOf).join("; ")}`;

const isWord = (value: unknown): value is keyof typeof WORDS =>
  typeof value === "string" && Object.hasOwn(WORDS, value);

/** The name of a threshold's row, and the value of a record. */
function rowOf(value: Threshold): readonly [keyof typeof WORDS] | readonly [FixedName, never] {
  if (isWord(value)) return [value];
  return Object.entries(value)[0] as unknown as readonly [FixedName, never];
}

/** Whether plans over many machines take a threshold. */
export function isDistributed(value: Threshold): boolean {
  const [name] = rowOf(value);
  return isWord(name) ? WORDS[name].distributed : FIXED[name].distributed;
}

/** A threshold as a step of a recipe. */
export function saysThreshold(value: Threshold): string {
  const [name, inner] = rowOf(value);
  return isWord(name) ? WORDS[name].says : FIXED[name].says(inner as never);
}

export const threshold: Kind<Threshold> = {
  words: [...WORD_NAMES, ...FIXED_NAMES],
  expected: `${WORD_NAMES.join(", ")} or one of ${FIXED_NAMES.map((name) => `{ ${name} }`).join(", ")}`,
  schema: {
    anyOf: [
      { enum: WORD_NAMES },
      ...FIXED_NAMES.map((name) => ({
        type: "object",
        properties: { [name]: FIXED[name].kind.schema },
        required: [name],
        additionalProperties: false,
      })),
    ],
  },
  is: (value): value is Threshold => {
    if (isWord(value)) return true;
    const [entry, ...others] = Object.entries(typeof value === "object" && value !== null ? value : {});
    return (
      entry !== undefined &&
      others.length === 0 &&
      Object.hasOwn(FIXED, entry[0]) &&
      FIXED[entry[0] as FixedName].kind.is(entry[1])
    );
  },
  wrongPart: (value) => {
    if (Array.isArray(value)) return undefined;
    const [entry, ...others] = Object.entries(typeof value === "object" && value !== null ? value : {});
    if (entry === undefined || others.length > 0) return undefined;
    const [name, inner] = entry;
    const kind = Object.hasOwn(FIXED, name) ? FIXED[name as FixedName].kind : undefined;
    const names = { expected: FIXED_NAMES.join(", "), words: FIXED_NAMES, schema: {} };
    const part = kind?.wrongPart?.(inner);
    if (part) return { ...part, name: `.${name}${part.name}` };
    return kind ? { name: `.${name}`, kind, value: inner } : { name: "'s field", kind: names, value: name };
  },
  parse: (written) => {
    const text = written.trim();
    if (isWord(text)) return text;
    for (const name of FIXED_NAMES) {
      const { kind, before } = FIXED[name];
      const value = text.startsWith(before) ? kind.parse(text.slice(before.length).trim()) : undefined;
      if (kind.is(value)) return { [name]: value };
    }
    return text;
  },
  print: (value) => {
    const [name, inner] = rowOf(value);
    return isWord(name) ? name : `${FIXED[name].before}${(FIXED[name].kind as Kind<unknown>).print(inner)}`;
  },
};

/** The same as a text of a flag. */
export const writtenThreshold: Kind<Threshold> = {
  ...threshold,
  expected: [...WORD_NAMES, ...FIXED_NAMES.map((name) => FIXED[name].example)].join(", "),
  words: WORD_NAMES,
  meant: (text) => {
    if (numbersOf(text)?.length === 1) return `">${text}"`;
    const [, method, side] = /^(\w+):(dark|bright)$/.exec(text) ?? [];
    if (isWord(method)) return `${method} --objects ${side}`;
    if (text === "mean" || text === "sauvola") return `${text}:12`;
    const [, name, value = ""] = /^(above|below|between|local):(.+)$/.exec(text) ?? [];
    if (name !== undefined) return `${FIXED[name as FixedName].before}${value}`.replace(/^([<>].*)$/, '"$1"');
    const [, before = "", lo = "", hi = ""] =
      /^((?:outside|hysteresis):)?(-?[\d.]+?)(?:\.\.|[,:-])(-?[\d.]+)$/.exec(text) ?? [];
    const both = [lo, hi].map(numberOf).sort((a, b) => a - b);
    return lo === "" || both.some(Number.isNaN) ? undefined : `${before}${both.join("..")}`;
  },
};

/** The texts of thresholds that plans over many machines take, for help. */
export const DISTRIBUTED_TEXTS: readonly string[] = [
  ...WORD_NAMES.filter((name) => WORDS[name].distributed),
  ...FIXED_NAMES.filter((name) => FIXED[name].distributed).map((name) => FIXED[name].example),
];

/** Whether a threshold is computed from the pixels, so that objects may be above or below it. */
export function takesPolarity(value: unknown): boolean {
  return (
    value === undefined ||
    METHOD_NAMES.includes(value as AutomaticThreshold) ||
    (typeof value === "object" && value !== null && "local" in value)
  );
}
