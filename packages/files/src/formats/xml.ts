// Text in XML.

const NAMES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/** A text as an attribute or as content. Control characters have no place in XML. */
export function xmlText(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is replaced.
  return text.replace(/[\u0000-\u001f]/g, " ").replace(/[&<>"]/g, (character) => NAMES[character]);
}
