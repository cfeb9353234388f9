// Quotes names for code that is printed: a name never ends the word, the text or the comment that it stands in. Recipes, and the names
// in them, come from other people.

/** Characters that end a line in JavaScript, in a shell, or on a terminal. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the ones to find.
const ENDS = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g;

/** A word of a POSIX shell. */
export function quotedForShell(word: string): string {
  return /^[\w./:,=+-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/** A text for the rest of a line that is a comment, in any language: as it is, or as a JSON text if it holds characters that end lines. */
export function quotedForComment(text: string): string {
  if (text.search(ENDS) < 0) return text;
  const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
  return JSON.stringify(text).replace(ENDS, escaped);
}
