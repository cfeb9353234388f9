// Conditions on the properties of objects: `area > 50 && circularity > 0.8`. Numbers, names of properties, + - * /, comparisons,
// !, &&, || and brackets. A comparison with NaN is false, whichever it is.

import { UsageError } from "../errors.js";

/** Whether an object fulfils a condition. */
export type Condition = (object: Readonly<Record<string, number>>) => boolean;

type Value = (object: Readonly<Record<string, number>>) => number;

const COMPARISONS: Record<string, (a: number, b: number) => boolean> = {
  "<": (a, b) => a < b,
  "<=": (a, b) => a <= b,
  ">": (a, b) => a > b,
  ">=": (a, b) => a >= b,
  "==": (a, b) => a === b,
  // NaN is not unlike anything.
  "!=": (a, b) => a < b || a > b,
};

/** Letters of a condition: the parser calls itself for each bracket. */
const LONGEST = 1000;

interface Token {
  readonly text: string;
  readonly kind: "number" | "name" | "sign" | "end";
  /** Its first letter, from 1 on. */
  readonly at: number;
}

/** The parsed condition, and the properties that it names. */
export interface Parsed {
  readonly condition: Condition;
  readonly names: readonly string[];
}

/** Parses a condition over known names; says where it is wrong. */
export function parseCondition(option: string, text: string, known: readonly string[]): Parsed {
  if (text.length > LONGEST)
    throw new UsageError(`Expected at most ${LONGEST} letters in ${option}, got ${text.length}.`);
  const parser = new Parser(option, text, known);
  const condition = parser.either();
  parser.end();
  return { condition, names: [...parser.names] };
}

class Parser {
  readonly names = new Set<string>();
  readonly #option: string;
  readonly #known: readonly string[];
  readonly #tokens: Token[];
  #next = 0;

  constructor(option: string, text: string, known: readonly string[]) {
    this.#option = option;
    this.#known = known;
    this.#tokens = this.#split(text);
  }

  #split(text: string): Token[] {
    const tokens: Token[] = [];
    const pattern =
      /\s*(?:(\d+\.?\d*(?:[eE][+-]?\d+)?|\.\d+(?:[eE][+-]?\d+)?)|([A-Za-z_]\w*)|(&&|\|\||[<>=!]=|[-+*/()<>!]))/y;
    const rest = text.trimEnd();
    while (pattern.lastIndex < rest.length) {
      const from = pattern.lastIndex;
      const found = pattern.exec(rest);
      if (!found) {
        const at = from + /^\s*/.exec(rest.slice(from))![0].length;
        throw this.#wrong(`letter ${at + 1} to begin a number, a property or a sign`, rest[at] ?? "");
      }
      const [, number, name, sign] = found;
      const word = number ?? name ?? sign;
      const kind = number !== undefined ? "number" : name !== undefined ? "name" : "sign";
      tokens.push({ text: word, kind, at: pattern.lastIndex - word.length + 1 });
    }
    return [...tokens, { text: "the end", kind: "end", at: rest.length + 1 }];
  }

  #wrong(expected: string, got: string): UsageError {
    return new UsageError(`Expected ${expected} in ${this.#option}, got ${got}.`);
  }

  get #token(): Token {
    return this.#tokens[this.#next];
  }

  /** Takes the next token if it is one of some signs. */
  #take(...signs: string[]): string | undefined {
    const { kind, text } = this.#token;
    if (kind !== "sign" || !signs.includes(text)) return undefined;
    this.#next++;
    return text;
  }

  end(): void {
    const { kind, text, at } = this.#token;
    if (kind !== "end") throw this.#wrong(`&&, || or the end at letter ${at}`, text);
  }

  either(): Condition {
    let whole = this.#both();
    while (this.#take("||")) {
      const [one, other] = [whole, this.#both()];
      whole = (object) => one(object) || other(object);
    }
    return whole;
  }

  #both(): Condition {
    let whole = this.#one();
    while (this.#take("&&")) {
      const [one, other] = [whole, this.#one()];
      whole = (object) => one(object) && other(object);
    }
    return whole;
  }

  #one(): Condition {
    if (this.#take("!")) {
      const inner = this.#one();
      return (object) => !inner(object);
    }
    // A bracket holds a condition or a sum: it is read as a condition, and as a sum where that fails.
    const begin = this.#next;
    let inside: { error: UsageError; next: number } | undefined;
    if (this.#take("(")) {
      const inner = this.#condition();
      if (typeof inner === "function") return inner;
      inside = { error: inner, next: this.#next };
      this.#next = begin;
    }
    let left: Value;
    try {
      left = this.#sum();
    } catch (error) {
      // Throw the error of the reading that came further.
      throw inside && inside.next >= this.#next ? inside.error : error;
    }
    const { text, at } = this.#token;
    const sign = this.#take(...Object.keys(COMPARISONS));
    if (!sign) throw this.#wrong(`a comparison at letter ${at}`, text);
    const [compare, right] = [COMPARISONS[sign], this.#sum()];
    return (object) => compare(left(object), right(object));
  }

  /** The condition in a bracket, or what is wrong with it as one. */
  #condition(): Condition | UsageError {
    try {
      const inner = this.either();
      const { text, at } = this.#token;
      return this.#take(")") ? inner : this.#wrong(`&&, || or a closing bracket at letter ${at}`, text);
    } catch (error) {
      if (error instanceof UsageError) return error;
      throw error;
    }
  }

  #sum(): Value {
    let whole = this.#product();
    for (let sign = this.#take("+", "-"); sign; sign = this.#take("+", "-")) {
      const [one, other] = [whole, this.#product()];
      whole = sign === "+" ? (object) => one(object) + other(object) : (object) => one(object) - other(object);
    }
    return whole;
  }

  #product(): Value {
    let whole = this.#factor();
    for (let sign = this.#take("*", "/"); sign; sign = this.#take("*", "/")) {
      const [one, other] = [whole, this.#factor()];
      whole = sign === "*" ? (object) => one(object) * other(object) : (object) => one(object) / other(object);
    }
    return whole;
  }

  #factor(): Value {
    if (this.#take("-")) {
      const inner = this.#factor();
      return (object) => -inner(object);
    }
    if (this.#take("(")) {
      const inner = this.#sum();
      const { text, at } = this.#token;
      if (!this.#take(")")) throw this.#wrong(`a closing bracket at letter ${at}`, text);
      return inner;
    }
    const { kind, text, at } = this.#token;
    if (kind === "number") {
      this.#next++;
      const value = Number(text);
      return () => value;
    }
    if (kind !== "name") throw this.#wrong(`a number or a property at letter ${at}`, text);
    if (!this.#known.includes(text)) throw this.#wrong(`properties out of ${this.#known.join(", ")}`, text);
    this.#next++;
    this.names.add(text);
    return (object) => object[text];
  }
}
