// The orientation of a part of a NIfTI volume: its first voxel lies where the whole volume has it, by both forms.

import { type Orientation, orientationAt } from "@skerry/files";
import { expect, test } from "vitest";

/** A vector turned by a unit quaternion a + bi + cj + dk, as q v q*: the definition, without a matrix. */
function turned([a, b, c, d]: readonly number[], [x, y, z]: readonly number[]): number[] {
  const times = ([p, q, r, s]: readonly number[], [e, f, g, h]: readonly number[]): number[] => [
    p * e - q * f - r * g - s * h,
    p * f + q * e + r * h - s * g,
    p * g - q * h + r * e + s * f,
    p * h + q * g - r * f + s * e,
  ];
  return times(times([a, b, c, d], [0, x, y, z]), [a, -b, -c, -d]).slice(1);
}

test.each([1, -1])("a part of a turned volume, qfac %i", (qfac) => {
  const [b, c, d] = [0.3, -0.5, 0.2];
  const a = Math.sqrt(1 - b * b - c * c - d * d);
  const whole: Orientation = {
    ...{ version: 1, pixDims: [qfac, 0.5, 0.75, 2], units: 2, qformCode: 1, sformCode: 2 },
    ...{ quaternion: [b, c, d], offset: [-10, 20, 5] },
    affine: [
      [0.5, 0.1, 0, -10],
      [0, 0.75, 0.2, 20],
      [0.3, 0, 2, 5],
      [0, 0, 0, 1],
    ],
  };
  const place = [7, 11, 13] as const;
  const part = orientationAt(whole, place);
  const scaled = [0.5 * place[0], 0.75 * place[1], qfac * 2 * place[2]];
  for (const [i, n] of turned([a, b, c, d], scaled).entries()) {
    expect(part.offset[i]).toBeCloseTo(whole.offset[i] + n, 10);
  }
  expect(part.affine.map((row) => row[3])).toEqual([
    -10 + 0.5 * 7 + 0.1 * 11,
    20 + 0.75 * 11 + 0.2 * 13,
    5 + 0.3 * 7 + 2 * 13,
    1,
  ]);
  expect(part.quaternion).toEqual(whole.quaternion);
});
