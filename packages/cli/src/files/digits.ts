// Numbers and units in pictures: a fixed font of 5 x 7 pixels, since no font need be installed where pictures are written.

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
  m: ["     ", "     ", "## # ", "# # #", "# # #", "# # #", "# # #"],
  u: ["     ", "     ", "#   #", "#   #", "#   #", "#  ##", " ## #"],
  p: ["     ", "     ", "#### ", "#   #", "#### ", "#    ", "#    "],
  x: ["     ", "     ", "#   #", " # # ", "  #  ", " # # ", "#   #"],
};

const ADVANCE = 6;

export function textWidth(text: string): number {
  return text.length * ADVANCE;
}

/** Seven rows of "#" and spaces; what the font lacks is left blank. */
export function glyphRows(text: string): string[] {
  const rows = Array.from({ length: 7 }, () => "");
  for (const letter of text) {
    const glyph = GLYPHS[letter];
    for (let y = 0; y < rows.length; y++) rows[y] += `${glyph?.[y] ?? "     "} `;
  }
  return rows;
}
