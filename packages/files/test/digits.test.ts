// The font of legends and scale bars: it has every letter of every unit, and no two units look alike.

import { glyphRows } from "@skerry/files/internal";
import { expect, test } from "vitest";

/** Units that readers and options give, as they are written. */
const UNITS = ["nm", "um", "mm", "cm", "m", "km", "in", "ft", "px", "\u00b5m", "\u00c5", "pixels", "inch", "feet"];
const BOX = glyphRows("\u2603").join("");

test("every unit is drawn, each in its own way", () => {
  const pictures = UNITS.map((unit) => glyphRows(unit).join("\n"));
  expect(new Set(pictures).size).toBe(UNITS.length);
  for (const letter of new Set(UNITS.join(""))) {
    const drawn = glyphRows(letter).join("");
    expect([letter, drawn.includes("#"), drawn === BOX]).toEqual([letter, true, false]);
  }
});

test("letters of the font differ, and those that it lacks are a box", () => {
  const letters = `0123456789.-abcdefghijklmnopqrstuvwxyz\u00b5\u00c5\u00b2\u00b3\u00b0\u2013ABCDEFGHIJKLMNOPQRSTUVWXYZ,:;!?()[]/_+=%#&'"<>*`;
  const drawn = [...letters].map((letter) => glyphRows(letter).join("\n"));
  expect(drawn.filter((each, i) => drawn.indexOf(each) !== i)).toEqual([]);
  expect(glyphRows("\u2603").join("")).toBe(glyphRows("\u00df").join(""));
  expect(glyphRows(" ").join("").trim()).toBe("");
  for (const rows of [...letters].map(glyphRows)) expect(rows.map((row) => row.length)).toEqual(new Array(7).fill(6));
});
