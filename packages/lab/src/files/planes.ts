// The three planes in which a volume is looked at: those of the patient, from his feet, his face and his left, as radiologists look at
// them; those of the axes where the file tells no patient.

import type { Space } from "@skerry/files";

/** An axis of a volume as it is stored: x, y or z. */
export type Axis = 0 | 1 | 2;

/** A plane: the axes that run across and down the screen, backwards or not, and the one through it. */
export interface Plane {
  readonly name: "axial" | "coronal" | "sagittal" | "xy" | "xz" | "zy";
  readonly across: Axis;
  readonly down: Axis;
  readonly through: Axis;
  readonly isMirrored: boolean;
  readonly isUpsideDown: boolean;
  /** Letters at the left, the right, the top and the bottom: of the patient's sides, or of the axes. */
  readonly letters: readonly [left: string, right: string, top: string, bottom: string];
}

/** Letters of the two ends of each axis of a patient: towards smaller and towards larger coordinates. */
export const SIDES = ["LR", "PA", "IS"] as const;

/** The stored axis that runs along each axis of the world most nearly, and whether its indices grow with the coordinate. */
function axesAlong(space: Space): readonly { readonly axis: Axis; readonly isGrowing: boolean }[] | undefined {
  const { toWorld, crs } = space;
  if (!toWorld || crs?.kind !== "patient") return undefined;
  const lengths = [0, 1, 2].map((axis) => Math.hypot(...toWorld.map((row) => row[axis])));
  const pairs = [0, 1, 2].flatMap((world) =>
    ([0, 1, 2] as const).map((axis) => ({ world, axis, along: toWorld[world][axis] / (lengths[axis] || 1) })),
  );
  pairs.sort((a, b) => Math.abs(b.along) - Math.abs(a.along));
  const found: { axis: Axis; isGrowing: boolean }[] = [];
  for (const { world, axis, along } of pairs) {
    if (found[world] || found.some((other) => other?.axis === axis)) continue;
    found[world] = { axis, isGrowing: along > 0 };
  }
  return found;
}

/**
 * The planes of a volume: axial, coronal and sagittal, the patient's right at the left and his front at the top or at the left.
 * Oblique axes count for the nearest side.
 */
export function planesOf(space: Space): readonly [Plane, Plane, Plane] {
  const along = axesAlong(space);
  if (!along) {
    const plain = { isMirrored: false, isUpsideDown: false };
    return [
      { name: "xy", across: 0, down: 1, through: 2, ...plain, letters: ["", "x", "", "y"] },
      { name: "xz", across: 0, down: 2, through: 1, ...plain, letters: ["", "x", "", "z"] },
      { name: "zy", across: 2, down: 1, through: 0, ...plain, letters: ["", "z", "", "y"] },
    ];
  }
  const plane = (name: Plane["name"], across: number, down: number, through: number): Plane => ({
    name,
    across: along[across].axis,
    down: along[down].axis,
    through: along[through].axis,
    // The larger coordinate is at the left, and at the top.
    isMirrored: along[across].isGrowing,
    isUpsideDown: along[down].isGrowing,
    letters: [SIDES[across][1], SIDES[across][0], SIDES[down][1], SIDES[down][0]],
  });
  return [plane("axial", 0, 1, 2), plane("coronal", 0, 2, 1), plane("sagittal", 1, 2, 0)];
}

/** A place along an axis of so many pixels: from the screen to the file, or back. */
export const turned = (at: number, size: number, isTurned: boolean): number => (isTurned ? size - 1 - at : at);
