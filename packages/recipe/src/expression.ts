// Conditions on the properties of objects: `area > 50 && circularity > 0.8`. Numbers, names of properties, + - * /, comparisons,
// !, &&, || and brackets. Every comparison with NaN is false.

import { nearest } from "skerry/internal";
import { RecipeError } from "./errors.js";

/** Whether an object fulfils a condition. */
export type Condition = (object: Readonly<Record<string, number>>) => boolean;

/** A part of a condition: the function that evaluates it, and the same as source text over names of properties. */
interface Term<T> {
  readonly of: (object: Readonly<Record<string, number>>) => T;
  readonly code: string;
}

const COMPARISONS: Record<string, (a: number, b: number) => boolean> = {
  "<": (a, b) => a < b,
  "<=": (a, b) => a <= b,
  ">": (a, b) => a > b,
  ">=": (a, b) => a >= b,
  "==": (a, b) => a === b,
  // Unlike in JavaScript, NaN != x is false.
  "!=": (a, b) => a < b || a > b,
};

const ARITHMETIC: Record<string, (a: number, b: number) => number> = {
  "+": (a, b) => a + b,
  "-": (a, b) => a - b,
  "*": (a, b) => a * b,
  "/": (a, b) => a / b,
};

/** Most characters of a condition: the parser recurses at each bracket. */
const LONGEST = 1000;

interface Token {
  readonly text: string;
  readonly kind: "number" | "name" | "sign" | "end";
  /** The position of its first character, from 1 on. */
  readonly at: number;
}

/** A name that conditions may have: its source text, by default the name itself; a constant has a number. */
export interface Name {
  readonly code?: string;
  readonly constant?: number;
}

/** The parsed condition, and the names of numbers that it has. */
export interface Parsed {
  readonly condition: Condition;
  readonly names: readonly string[];
  /** The condition in TypeScript, over the source texts of these names. */
  readonly code: string;
}

/**
 * Parses a condition over known names; `option` names its source in messages.
 * @throws RecipeError at the first error, with its position
 */
export function parseCondition(option: string, text: string, known: Readonly<Record<string, Name>>): Parsed {
  if (text.length > LONGEST)
    throw new RecipeError(`Expected at most ${LONGEST} letters in ${option}, got ${text.length}.`);
  const parser = new Parser(option, text, known);
  const { of: condition, code } = parser.either();
  parser.end();
  return { condition, names: [...parser.names], code };
}

class Parser {
  readonly names = new Set<string>();
  readonly #option: string;
  readonly #known: Readonly<Record<string, Name>>;
  readonly #tokens: Token[];
  #next = 0;

  constructor(option: string, text: string, known: Readonly<Record<string, Name>>) {
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
        if (rest[at] === "&" || rest[at] === "|") {
          const [both, means] = rest[at] === "&" ? ["&&", "and"] : ["||", "or"];
          throw this.#wrong(`${both}, which means ${means}, at letter ${at + 1}`, rest[at]);
        }
        if (rest[at] === "=") throw this.#wrong(`==, which compares, at letter ${at + 1}`, "=");
        throw this.#wrong(`letter ${at + 1} to begin a number, a property or a sign`, rest[at] ?? "");
      }
      const [, number, name, sign] = found;
      const word = number ?? name ?? sign;
      const kind = number !== undefined ? "number" : name !== undefined ? "name" : "sign";
      tokens.push({ text: word, kind, at: pattern.lastIndex - word.length + 1 });
    }
    return [...tokens, { text: "the end", kind: "end", at: rest.length + 1 }];
  }

  #wrong(expected: string, got: string): RecipeError {
    const sentence = `Expected ${expected} in ${this.#option}, got ${got}`;
    return new RecipeError(sentence.endsWith("?") ? sentence : `${sentence}.`);
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

  either(): Term<boolean> {
    let left = this.#both();
    while (this.#take("||")) {
      const [one, other] = [left, this.#both()];
      left = { of: (object) => one.of(object) || other.of(object), code: `(${one.code} || ${other.code})` };
    }
    return left;
  }

  #both(): Term<boolean> {
    let left = this.#one();
    while (this.#take("&&")) {
      const [one, other] = [left, this.#one()];
      left = { of: (object) => one.of(object) && other.of(object), code: `(${one.code} && ${other.code})` };
    }
    return left;
  }

  #one(): Term<boolean> {
    if (this.#take("!")) {
      const inner = this.#one();
      return { of: (object) => !inner.of(object), code: `!${inner.code}` };
    }
    // A bracket holds a condition or a sum. It is parsed as a condition, and if that fails, as a sum.
    const begin = this.#next;
    let inside: { error: RecipeError; next: number } | undefined;
    if (this.#take("(")) {
      const inner = this.#condition();
      if (!(inner instanceof RecipeError)) return inner;
      inside = { error: inner, next: this.#next };
      this.#next = begin;
    }
    let left: Term<number>;
    try {
      left = this.#sum();
    } catch (error) {
      // Throw the error of the attempt that came further.
      throw inside && inside.next >= this.#next ? inside.error : error;
    }
    const { text, at } = this.#token;
    const sign = this.#take(...Object.keys(COMPARISONS));
    if (!sign) throw this.#wrong(`a comparison at letter ${at}`, text);
    const [compare, right] = [COMPARISONS[sign], this.#sum()];
    return {
      of: (object) => compare(left.of(object), right.of(object)),
      code:
        sign === "!="
          ? `(${left.code} < ${right.code} || ${left.code} > ${right.code})`
          : `(${left.code} ${sign === "==" ? "===" : sign} ${right.code})`,
    };
  }

  /** The condition in a bracket, or the error of parsing it as one. */
  #condition(): Term<boolean> | RecipeError {
    try {
      const inner = this.either();
      const { text, at } = this.#token;
      return this.#take(")") ? inner : this.#wrong(`&&, || or a closing bracket at letter ${at}`, text);
    } catch (error) {
      if (error instanceof RecipeError) return error;
      throw error;
    }
  }

  #sum(): Term<number> {
    return this.#chain(["+", "-"], () => this.#chain(["*", "/"], () => this.#factor()));
  }

  /** Terms joined by operators of one precedence, from left to right. */
  #chain(signs: readonly string[], next: () => Term<number>): Term<number> {
    let left = next();
    for (let sign = this.#take(...signs); sign; sign = this.#take(...signs)) {
      const [one, other, work] = [left, next(), ARITHMETIC[sign]];
      left = { of: (object) => work(one.of(object), other.of(object)), code: `(${one.code} ${sign} ${other.code})` };
    }
    return left;
  }

  #factor(): Term<number> {
    if (this.#take("-")) {
      const inner = this.#factor();
      return { of: (object) => -inner.of(object), code: `(-${inner.code})` };
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
      return { of: () => value, code: String(value) };
    }
    if (kind !== "name") throw this.#wrong(`a number or a property at letter ${at}`, text);
    if (!Object.hasOwn(this.#known, text)) {
      const known = Object.keys(this.#known);
      const near = nearest(text, known);
      throw this.#wrong(`properties out of ${known.join(", ")}`, near ? `${text}; did you mean ${near}?` : text);
    }
    this.#next++;
    const { constant, code = text } = this.#known[text];
    if (constant !== undefined) return { of: () => constant, code };
    this.names.add(text);
    return { of: (object) => object[text], code };
  }
}
