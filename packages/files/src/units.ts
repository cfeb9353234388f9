// Units of length: names as formats write them, their symbols, and their sizes. The one list that readers, writers, commands and the page
// share.

/** Prefixes of the metre: symbol, name, and power of ten. */
const PREFIXES: readonly (readonly [symbol: string, name: string, power: number])[] = [
  ...([
    ["y", "yocto", -24],
    ["z", "zepto", -21],
    ["a", "atto", -18],
    ["f", "femto", -15],
    ["p", "pico", -12],
    ["n", "nano", -9],
    ["\u00b5", "micro", -6],
    ["m", "milli", -3],
    ["c", "centi", -2],
    ["d", "deci", -1],
    ["", "", 0],
    ["h", "hecto", 2],
    ["k", "kilo", 3],
    ["M", "mega", 6],
    ["G", "giga", 9],
    ["T", "tera", 12],
    ["P", "peta", 15],
    ["E", "exa", 18],
    ["Z", "zetta", 21],
    ["Y", "yotta", 24],
  ] as const),
];

/** Units beside those of the metre: symbol, name, and metres. */
const OTHERS: readonly (readonly [symbol: string, name: string, metres: number])[] = [
  ["\u00c5", "angstrom", 1e-10],
  ["in", "inch", 0.0254],
  ["ft", "foot", 0.3048],
  ["yd", "yard", 0.9144],
  ["mi", "mile", 1609.344],
  ["pc", "parsec", 3.085677581491367e16],
];

/** Other spellings, in lower case, and their symbols. */
const SPELLINGS: Readonly<Record<string, string>> = {
  um: "\u00b5m",
  "\u03bcm": "\u00b5m",
  "\u00b5m": "\u00b5m",
  micron: "\u00b5m",
  microns: "\u00b5m",
  "\u00e5": "\u00c5",
  ang: "\u00c5",
  angstroms: "\u00c5",
  inches: "in",
  feet: "ft",
  nm: "nm",
  mm: "mm",
  cm: "cm",
  km: "km",
};

/** Metres by symbol. */
const METRES = new Map<string, number>([
  ...PREFIXES.map(([symbol, , power]) => [`${symbol}m`, Number(`1e${power}`)] as const),
  ...OTHERS.map(([symbol, , metres]) => [symbol, metres] as const),
]);

/** Symbols that messages offer: those of microscopes and maps. */
export const LENGTH_UNITS: readonly string[] = ["nm", "um", "mm", "cm", "m", "km", ...OTHERS.map(([symbol]) => symbol)];

/** The symbol of a unit of so many metres; undefined if there is none. */
export function unitOfMetres(metres: number): string | undefined {
  for (const [symbol, length] of METRES) if (Math.abs(metres / length - 1) < 1e-9) return symbol;
  return undefined;
}

/** Symbols by name, in lower case and in the singular. */
const SYMBOLS = new Map<string, string>([
  ...PREFIXES.flatMap(([symbol, name]) =>
    ["meter", "metre"].map((metre) => [`${name}${metre}`, `${symbol}m`] as const),
  ),
  ...OTHERS.map(([symbol, name]) => [name, symbol] as const),
]);

/** Texts that stand for a pixel, or for no unit of length. */
const NO_LENGTH = /^(|pixels?|px|reference frame|unknown|none|null)$/i;

/**
 * A unit by its usual symbol: micron, um and micrometer are one. Undefined for pixels and for empty texts; a unit that is not known stays as
 * it is written.
 */
export function unitSymbol(text: string | undefined): string | undefined {
  // ImageJ escapes letters beyond ASCII.
  const plain = text?.replace(/\\u([0-9a-f]{4})/gi, (_, code) => String.fromCharCode(Number.parseInt(code, 16))).trim();
  if (plain === undefined || NO_LENGTH.test(plain)) return undefined;
  if (METRES.has(plain)) return plain;
  const lower = plain.toLowerCase();
  return SPELLINGS[lower] ?? SYMBOLS.get(lower) ?? SYMBOLS.get(lower.replace(/s$/, "")) ?? plain;
}

/** The name of a unit in OME-Zarr, such as micrometer; undefined for one that it lacks. */
export function unitName(unit: string | undefined): string | undefined {
  const symbol = unitSymbol(unit);
  const prefix = PREFIXES.find((each) => `${each[0]}m` === symbol);
  return prefix ? `${prefix[1]}meter` : OTHERS.find((each) => each[0] === symbol)?.[1];
}

/** The number by which lengths in one unit are multiplied to be in another; undefined if one of them is no unit of length. */
export function unitFactor(from: string | undefined, to: string | undefined): number | undefined {
  const [one, other] = [unitSymbol(from), unitSymbol(to)];
  const [a, b] = [METRES.get(one ?? ""), METRES.get(other ?? "")];
  if (a === undefined || b === undefined) return undefined;
  if (one === other) return 1;
  // A quotient of powers of ten is taken by the side that is exact.
  return a >= b ? Number((a / b).toPrecision(15)) : 1 / Number((b / a).toPrecision(15));
}
