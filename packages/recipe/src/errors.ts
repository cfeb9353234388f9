// The error of a recipe that cannot be run, in one sentence.

/** A recipe, or one of its fields, is wrong. */
export class RecipeError extends Error {
  override name = "RecipeError";
}

/** The error of a field with a wrong value: one sentence with the expected and the given value. */
export function unexpected(name: string, expected: string, got: unknown): RecipeError {
  return new RecipeError(`Expected ${name} to be ${expected}, got ${shown(got)}.`);
}

/** A value as text for messages, at most 60 characters of it. */
export function shown(value: unknown): string {
  const text = typeof value === "string" ? value : value === undefined ? "nothing" : JSON.stringify(value);
  return text.length > 60 ? `${text.slice(0, 60)}...` : text;
}
