// One plane of a volume as it is drawn: values between black and white, colours of labels and of distances on both sides, lines.

import { objectColour, palette, rampColour, spaceOf } from "@skerry/files";
import { expect, test } from "vitest";
import { planesOf } from "../src/files/planes.js";
import { drawPlane } from "../src/panels/volume/draw.js";
import type { Held, Seen } from "../src/panels/volume/state.js";

const size = { width: 4, height: 1, depth: 1 };
const space = spaceOf({ size });
const [plane] = planesOf(space);

/** The colours of a row of four voxels. */
function drawn(
  values: readonly number[],
  over?: Omit<Seen, "planes"> & { readonly row: readonly number[] },
): number[][] {
  const opened = { ...size, name: "a", notes: [], channels: 1, space, data: Float32Array.from(values) };
  const held = { opened, sizes: [4, 1, 1] } as unknown as Held;
  const row = over && (over.kind === "labels" ? Uint32Array.from(over.row) : Float32Array.from(over.row));
  const image = { data: new Uint8ClampedArray(16) } as unknown as ImageData;
  drawPlane(image, held, plane, 0, [0, 100], row && { ...over, planes: [row, row, row] });
  return [0, 4, 8, 12].map((at) => Array.from(image.data.subarray(at, at + 4)));
}

const near = (colours: readonly (readonly number[])[]): unknown =>
  colours.map((rgb) => [...rgb.map((byte) => expect.closeTo(byte / 2, -0.5)), 255]);

test("values lie between black and white", () => {
  expect(drawn([-5, 0, 51, 900])).toEqual([0, 0, 130, 255].map((grey) => [grey, grey, grey, 255]));
});

test("labels and distances have the colours of the other views, inside of objects as well; what is infinite has none", () => {
  const colours = palette();
  const labels = drawn([0, 0, 0, 0], { kind: "labels", row: [0, 1, 2, 4098] });
  expect(labels[0]).toEqual([0, 0, 0, 255]);
  expect(labels.slice(1)).toEqual(near([1, 2, 4098].map((label) => objectColour(colours, label))));
  const map = drawn([0, 0, 0, 0], { kind: "distances", row: [-6, 0, 5, 10], farthest: 10 });
  expect(map).toEqual(near([-6, 0, 5, 10].map((value) => rampColour(value, 0, 10))));
  const ends = drawn([40, 40, 40, 40], {
    kind: "distances",
    row: [-30, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 1],
    farthest: 2,
  });
  expect(ends.slice(1, 3)).toEqual([ends[1], ends[1]]);
  expect(ends[1]).toEqual([102, 102, 102, 255]);
});

test("lines lie where distances pass a multiple of their step", () => {
  const map = drawn([0, 0, 0, 0], { kind: "distances", row: [0, 1, 2, 3], farthest: 3, lines: 2 });
  expect(map.map(([red, green]) => red === green)).toEqual([false, false, true, false]);
  expect(map[2]).toEqual([128, 128, 128, 255]);
});
