// Draws numbers, units and a few words in pictures, in a fixed font of 5 x 7 pixels, so that no font has to be installed.

const GLYPHS: Record<string, readonly string[]> = {
  "0": [" ### ", "#   #", "#  ##", "# # #", "##  #", "#   #", " ### "],
  "1": ["  #  ", " ##  ", "  #  ", "  #  ", "  #  ", "  #  ", " ### "],
  "2": [" ### ", "#   #", "    #", "   # ", "  #  ", " #   ", "#####"],
  "3": [" ### ", "#   #", "    #", "  ## ", "    #", "#   #", " ### "],
  "4": ["   # ", "  ## ", " # # ", "#  # ", "#####", "   # ", "   # "],
  "5": ["#####", "#    ", "#### ", "    #", "    #", "#   #", " ### "],
  "6": [" ### ", "#    ", "#    ", "#### ", "#   #", "#   #", " ### "],
  "7": ["#####", "    #", "   # ", "  #  ", "  #  ", "  #  ", "  #  "],
  "8": [" ### ", "#   #", "#   #", " ### ", "#   #", "#   #", " ### "],
  "9": [" ### ", "#   #", "#   #", " ####", "    #", "    #", " ### "],
  ".": ["     ", "     ", "     ", "     ", "     ", " ##  ", " ##  "],
  "-": ["     ", "     ", "     ", " ### ", "     ", "     ", "     "],
  a: ["     ", "     ", " ### ", "    #", " ####", "#   #", " ####"],
  b: ["#    ", "#    ", "#### ", "#   #", "#   #", "#   #", "#### "],
  c: ["     ", "     ", " ### ", "#    ", "#    ", "#    ", " ### "],
  e: ["     ", "     ", " ### ", "#   #", "#####", "#    ", " ### "],
  j: ["   # ", "     ", "   # ", "   # ", "   # ", "#  # ", " ##  "],
  m: ["     ", "     ", "## # ", "# # #", "# # #", "# # #", "# # #"],
  u: ["     ", "     ", "#   #", "#   #", "#   #", "#  ##", " ## #"],
  o: ["     ", "     ", " ### ", "#   #", "#   #", "#   #", " ### "],
  p: ["     ", "     ", "#### ", "#   #", "#### ", "#    ", "#    "],
  s: ["     ", "     ", " ####", "#    ", " ### ", "    #", "#### "],
  t: [" #   ", " #   ", "###  ", " #   ", " #   ", " #   ", "  ## "],
  v: ["     ", "     ", "#   #", "#   #", "#   #", " # # ", "  #  "],
  x: ["     ", "     ", "#   #", " # # ", "  #  ", " # # ", "#   #"],
};

const ADVANCE = 6;

/**
 * The width of a text in this font, in pixels.
 * @example
 * import { textWidth } from "@skerry/files";
 * console.log(textWidth("12.5")); // 24
 */
export function textWidth(text: string): number {
  return text.length * ADVANCE;
}

/**
 * A text as seven rows of "#" and spaces; characters that the font lacks are blank.
 * @example
 * import { glyphRows } from "@skerry/files";
 * for (const row of glyphRows("2.5")) console.log(row);
 */
export function glyphRows(text: string): string[] {
  const rows = Array.from({ length: 7 }, () => "");
  for (const letter of text) {
    const glyph = GLYPHS[letter];
    for (let y = 0; y < rows.length; y++) rows[y] += `${glyph?.[y] ?? "     "} `;
  }
  return rows;
}
