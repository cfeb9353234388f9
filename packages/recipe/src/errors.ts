// The error of a recipe that cannot be followed, in one sentence.

/** A recipe, or one of its fields, that is not as recipes are. */
export class RecipeError extends Error {
  override name = "RecipeError";
}

/** A field whose value is not what it takes, with both in one sentence. */
export function unexpected(name: string, expected: string, got: unknown): RecipeError {
  return new RecipeError(`Expected ${name} to be ${expected}, got ${shown(got)}.`);
}

/** A value as messages show it, at most 60 letters of it. */
export function shown(value: unknown): string {
  const text = typeof value === "string" ? value : value === undefined ? "nothing" : JSON.stringify(value);
  return text.length > 60 ? `${text.slice(0, 60)}...` : text;
}
