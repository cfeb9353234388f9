// The fields of a plan as data, so that a plan that was written by hand, cut or changed is refused by the name of the field, before a worker
// reads or writes anything.

/** A check of a value: the path of the first part that is wrong and what was expected, or undefined. */
type Check = (value: unknown, path: string) => string | undefined;

const is =
  (expected: string, test: (value: unknown) => boolean): Check =>
  (value, path) =>
    test(value) ? undefined : `${path} to be ${expected}`;

const text = is("a text", (value) => typeof value === "string" && value !== "");
const flag = is("true or false", (value) => typeof value === "boolean");
const isWhole = (value: unknown, least: number): boolean => Number.isSafeInteger(value) && (value as number) >= least;
const wholeNumber = (least: number): Check =>
  is(`a whole number of at least ${least}`, (value) => isWhole(value, least));
const word = (...words: readonly unknown[]): Check =>
  is(words.map((each) => JSON.stringify(each)).join(" or "), (value) => words.includes(value));
const digits = (length: number): Check =>
  is(
    `${length} hexadecimal digits`,
    (value) => typeof value === "string" && /^[0-9a-f]+$/.test(value) && value.length === length,
  );
const numbers = (length: number): Check =>
  is(`${length} numbers`, (value) => Array.isArray(value) && value.length === length && value.every(Number.isFinite));
const three = (least: number): Check =>
  is(
    `three whole numbers of at least ${least}`,
    (value) => Array.isArray(value) && value.length === 3 && value.every((side) => isWhole(side, least)),
  );
const anything: Check = () => undefined;

const optional =
  (check: Check): Check =>
  (value, path) =>
    value === undefined ? undefined : check(value, path);

const either =
  (...checks: readonly Check[]): Check =>
  (value, path) => {
    const wrong = checks.map((check) => check(value, path));
    return wrong.includes(undefined) ? undefined : wrong[0];
  };

const list =
  (check: Check, least = 0): Check =>
  (value, path) => {
    if (!Array.isArray(value)) return `${path} to be a list`;
    if (value.length < least) return `${path} to have at least ${least} parts`;
    for (const [i, entry] of value.entries()) {
      const wrong = check(entry, `${path}[${i}]`);
      if (wrong !== undefined) return wrong;
    }
    return undefined;
  };

/** A record with these fields and no others. */
const record =
  (fields: Readonly<Record<string, Check>>): Check =>
  (value, path) => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return `${path} to be an object`;
    const unknown = Object.keys(value).find((name) => !Object.hasOwn(fields, name));
    if (unknown !== undefined) return `no ${path === "" ? "" : `${path}.`}${unknown}`;
    for (const [name, check] of Object.entries(fields)) {
      const field = Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : undefined;
      const wrong = check(field, path === "" ? name : `${path}.${name}`);
      if (wrong !== undefined) return wrong;
    }
    return undefined;
  };

const TYPE = word("u8", "u16", "i16", "u32", "i32", "f32");
const IDENTITY = either(
  record({ files: wholeNumber(0), bytes: wholeNumber(0), names: digits(64), times: digits(64) }),
  record({ metadata: digits(64) }),
);
const IMAGE = record({
  url: text,
  name: optional(text),
  level: wholeNumber(0),
  channel: optional(wholeNumber(0)),
  time: optional(wholeNumber(0)),
  type: TYPE,
  identity: IDENTITY,
  flipped: optional(record({ flips: is("three of true or false", isFlips), size: three(1) })),
});

function isName(value: unknown): boolean {
  return typeof value === "string" && /^[^/\\]+$/.test(value) && value !== "." && value !== "..";
}

function isFlips(value: unknown): boolean {
  return Array.isArray(value) && value.length === 3 && value.every((flip) => typeof flip === "boolean");
}

const AFFINE = is("3 rows of 4 numbers", isAffine);

function isAffine(value: unknown): boolean {
  const isRow = (row: unknown): boolean => Array.isArray(row) && row.length === 4 && row.every(Number.isFinite);
  return Array.isArray(value) && value.length === 3 && value.every(isRow);
}

const AXIS = record({
  name: text,
  size: wholeNumber(1),
  unit: optional(text),
  spacing: optional(is("a number above 0", (value) => Number.isFinite(value) && (value as number) > 0)),
});
const SPACE = record({
  axes: list(AXIS, 3),
  toWorld: optional(AFFINE),
  taken: isRecord,
  crs: optional(isRecord),
  printed: optional(record({ spacing: numbers(2), unit: text })),
});

function isRecord(value: unknown, path: string): string | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? undefined : `${path} to be an object`;
}

const PLAN = record({
  skerry: word("plan"),
  version: wholeNumber(1),
  built: digits(16),
  recipe: anything,
  input: IMAGE,
  intensities: list(IMAGE),
  from: three(0),
  size: three(1),
  block: three(1),
  chunks: three(1),
  space: SPACE,
  properties: list(text),
  scratch: text,
  labels: optional(
    record({
      url: text,
      name: is("a name without / and ..", isName),
      downsample: word("nearest", "mode"),
      type: word("u64", "auto"),
      overwrite: flag,
      chunks: optional(list(wholeNumber(1), 2)),
    }),
  ),
  table: optional(record({ url: text, format: word("csv", "parquet", "both"), isBeside: flag })),
});

/** The first field of a plan that is wrong, as the end of a sentence that begins with "Expected"; undefined if all are right. */
export const wrongField = (plan: unknown): string | undefined => PLAN(plan, "");
