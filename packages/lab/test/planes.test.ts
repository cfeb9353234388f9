// The planes of a volume, by the patient's sides: whatever the order and the directions in which its axes are stored.

import { spaceOf } from "@skerry/files";
import { describe, expect, test } from "vitest";
import { type Plane, planesOf, SIDES, turned } from "../src/files/planes.js";

const size = { width: 4, height: 5, depth: 6 };
const ORDERS = [
  [0, 1, 2],
  [0, 2, 1],
  [1, 0, 2],
  [1, 2, 0],
  [2, 0, 1],
  [2, 1, 0],
] as const;

/** The side of the patient towards which the screen runs right, or down. */
function sideAt(plane: Plane, toWorld: readonly (readonly number[])[], which: "across" | "down"): string {
  const isTurned = which === "across" ? plane.isMirrored : plane.isUpsideDown;
  const axis = plane[which];
  const steps = toWorld.map((row) => (isTurned ? -1 : 1) * row[axis]!);
  const world = steps.reduce((best, step, i) => (Math.abs(step) > Math.abs(steps[best]!) ? i : best), 0);
  return SIDES[world]![steps[world]! > 0 ? 1 : 0]!;
}

describe("planes", () => {
  test("in all 48 orders and directions of the axes the letters are at the sides to which the screen runs", () => {
    for (const order of ORDERS) {
      for (let signs = 0; signs < 8; signs++) {
        const toWorld = [0, 1, 2].map((world) => {
          const row = [0.1, 0.1, 0.1, 7];
          row[order[world]!] = (signs >> world) & 1 ? -2 : 2;
          return row;
        });
        const crs = { kind: "patient", version: 1, sform: 1 } as const;
        const planes = planesOf(spaceOf({ size, toWorld: toWorld as never, crs }));
        expect(planes.map(({ letters }) => letters.join(""))).toEqual(["RLAP", "RLSI", "APSI"]);
        for (const plane of planes) {
          expect(new Set([plane.across, plane.down, plane.through]).size).toBe(3);
          expect(sideAt(plane, toWorld, "across")).toBe(plane.letters[1]);
          expect(sideAt(plane, toWorld, "down")).toBe(plane.letters[3]);
        }
      }
    }
  });

  test("without a patient they are those of the axes", () => {
    const planes = planesOf(spaceOf({ size }));
    expect(planes.map(({ name }) => name)).toEqual(["xy", "xz", "zy"]);
    expect(planes.every(({ isMirrored, isUpsideDown }) => !isMirrored && !isUpsideDown)).toBe(true);
  });

  test("places turn and turn back", () => {
    expect([turned(1, 6, true), turned(turned(1, 6, true), 6, true), turned(1, 6, false)]).toEqual([4, 1, 1]);
  });
});
