// Text in XML.

const NAMES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/** A text as an attribute or as content. Control characters and halves of characters have no place in XML. */
export function xmlText(text: string): string {
  return (
    text
      // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is replaced.
      .replace(/[\u0000-\u001f]/g, " ")
      .replace(/[\p{Surrogate}\ufffe\uffff]/gu, "\ufffd")
      .replace(/[&<>"]/g, (character) => NAMES[character])
  );
}
