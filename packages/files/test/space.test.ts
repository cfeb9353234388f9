// What is known of pixels beside their values: parts keep their place, units are one, and two images are matched exactly or refused.

import {
  type Match,
  mapAffineOf,
  originOf,
  type Space,
  spaceOf,
  spacingOf,
  type ToWorld,
  type Triple,
} from "@skerry/files";
import {
  axisOf,
  exchangeBytes,
  inFrame,
  inUnit,
  isExchanged,
  isSheared,
  match,
  movedEntries,
  partOf,
  resized,
  through,
  unitFactor,
  unitName,
  unitSymbol,
  volumeFactor,
} from "@skerry/files/internal";
import type { PixelArray, Source } from "skerry";
import { expect, test } from "vitest";

/** Coordinates by the definition of an affine transform. */
const at = (rows: ToWorld, [x, y, z]: Triple): number[] => rows.map(([a, b, c, d]) => a * x + b * y + c * z + d);

/** A grid whose axes are those of `base` in another order and direction, at the same place. */
function turnedGrid(base: Space, order: Triple, flips: readonly boolean[]): Space {
  const sizes = base.axes.map(({ size }) => size);
  const [x, y, z] = order.map((_, axis) => order.indexOf(axis as never));
  const rows = (base.toWorld as ToWorld).map((row) => {
    // Column of axis order[i] is that of axis i of the base, reversed where it is flipped.
    const columns = [x, y, z].map((i) => (flips[i] ? -row[i] : row[i]));
    const added = [0, 1, 2].reduce((sum, i) => sum + (flips[i] ? row[i] * (sizes[i] - 1) : 0), row[3]);
    return [...columns, added];
  }) as unknown as ToWorld;
  const [width, height, depth] = [x, y, z].map((i) => sizes[i]);
  return spaceOf({ size: { width, height, depth }, spacing: [1, 1, 1], unit: "mm", toWorld: rows });
}

const OBLIQUE: ToWorld = [
  [0.8, -0.3, 0.1, -20],
  [0.3, 0.8, -0.05, 14],
  [-0.07, 0.07, 1.9, 3],
];
const SIZE = { width: 5, height: 4, depth: 3 };

const ORDERS: Triple[] = [
  [0, 1, 2],
  [1, 0, 2],
  [0, 2, 1],
  [2, 1, 0],
  [1, 2, 0],
  [2, 0, 1],
];

test.each(ORDERS)(
  "a grid in the order %i, %i, %i is brought into that of the first, whatever its flips",
  (...order) => {
    const base = spaceOf({ size: SIZE, toWorld: OBLIQUE, unit: "mm" });
    const sides = [SIZE.width, SIZE.height, SIZE.depth];
    for (let mask = 0; mask < 8; mask++) {
      const flips = [0, 1, 2].map((axis) => ((mask >> axis) & 1) === 1);
      const other = turnedGrid(base, order, flips);
      const found = match(base, other) as Match;
      expect(found).toEqual({ order, flips, notes: [] });
      // Each voxel holds its own place in the first grid, found through the world.
      const data = new Int32Array(5 * 4 * 3);
      const size = { width: other.axes[0].size, height: other.axes[1].size, depth: other.axes[2].size };
      for (let z = 0; z < 3; z++) {
        for (let y = 0; y < 4; y++) {
          for (let x = 0; x < 5; x++) {
            const world = at(OBLIQUE, [x, y, z]);
            let best = [Number.POSITIVE_INFINITY, 0];
            for (let i = 0; i < data.length; i++) {
              const [w, h] = [size.width, size.height];
              const there = at(other.toWorld as ToWorld, [i % w, Math.floor(i / w) % h, Math.floor(i / w / h)]);
              const far = Math.hypot(...there.map((n, k) => n - world[k]));
              if (far < best[0]) best = [far, i];
            }
            data[best[1]] = x + 5 * (y + 4 * z);
          }
        }
      }
      const turned = through({ data, ...size }, found);
      expect([turned.width, turned.height, turned.depth]).toEqual(sides);
      expect(Array.from(turned.data)).toEqual(Array.from({ length: 60 }, (_, i) => i));
    }
  },
);

test("rows of a Source are turned as those of a raster are, band by band", async () => {
  const data = Uint16Array.from({ length: 5 * 4 * 3 * 2 }, (_, i) => (i * 7919) % 65521);
  const raster = { data, ...SIZE, channels: 2 };
  const source: Source = {
    ...SIZE,
    channels: 2,
    type: "u16",
    read: async (z0, z1, y0, y1, into) => {
      for (let z = z0, to = 0; z < z1; z++, to += (y1 - y0) * 10) {
        into.set(data.subarray((z * 4 + y0) * 10, (z * 4 + y1) * 10), to);
      }
    },
  };
  for (const order of ORDERS) {
    for (let mask = 0; mask < 8; mask++) {
      const flips = [0, 1, 2].map((axis) => ((mask >> axis) & 1) === 1) as unknown as Match["flips"];
      const by = { order, flips };
      const whole = through(raster as never, by) as typeof raster;
      const rows = through(source, by);
      const made = new Uint16Array(data.length);
      const { width, height, depth } = whole;
      for (let z = 0; z < depth; z++) {
        for (let y = 0; y < height; y++) {
          const row = made.subarray((z * height + y) * width * 2, (z * height + y + 1) * width * 2);
          await rows.read(z, z + 1, y, y + 1, row as PixelArray, {});
        }
      }
      expect(made).toEqual(whole.data);
    }
  }
  expect(exchangeBytes(source)).toBe(2 * data.byteLength);
});

test("places to 0.01 voxel are one, to 0.1 with a note, and others are refused with what differs", () => {
  const shifted = (by: number, size = SIZE): Space =>
    spaceOf({
      size,
      spacing: [1, 1, 1],
      unit: "mm",
      toWorld: OBLIQUE.map((row, i) => [row[0], row[1], row[2], row[3] + (i === 0 ? by : 0)]) as unknown as ToWorld,
    });
  const base = shifted(0);
  expect(match(base, shifted(0.004))).toEqual({ order: [0, 1, 2], flips: [false, false, false], notes: [] });
  expect((match(base, shifted(0.05)) as Match).notes[0]).toMatch(/^the second image lies 0\.0\d+ voxels beside/);
  const far = match(base, shifted(3), { names: ["a.nii", "b.nii"] });
  expect(far).toEqual({
    refused:
      "Expected b.nii to lie where a.nii lies, got its middle 3, 0, 0 mm away; --ignore-place combines them pixel by pixel.",
  });
  expect(match(base, shifted(3), { ignorePlace: true })).toMatchObject({ notes: [] });
  const larger = shifted(0, { ...SIZE, depth: 9 });
  expect(match(base, larger)).toMatchObject({ refused: expect.stringContaining("5 x 4 x 9 pixels beside 5 x 4 x 3") });
  expect(match(base, larger, { ignorePlace: true })).toMatchObject({ refused: expect.stringContaining("size") });
});

test("without a place sizes decide, and with one of two a note says so", () => {
  const bare = spaceOf({ size: SIZE });
  const placed = spaceOf({ size: SIZE, toWorld: OBLIQUE });
  expect(match(bare, bare)).toMatchObject({ notes: [] });
  expect((match(placed, bare) as Match).notes).toEqual([
    "the first image tells its place and the second image tells none; they are combined pixel by pixel",
  ]);
  expect(match(bare, spaceOf({ size: { ...SIZE, width: 6 } }))).toHaveProperty("refused");
  const sized = (side: number, unit: string): Space => spaceOf({ size: SIZE, spacing: [side, side, side], unit });
  expect(match(sized(0.5, "um"), sized(500, "nm"))).toMatchObject({ notes: [] });
  expect(match(sized(0.5, "um"), sized(1, "um"))).toMatchObject({ refused: expect.stringContaining("beside 0.5") });
});

test("units of places are one, and maps are told apart by their coordinate systems", () => {
  const place = (scale: number, unit: string | undefined): Space => {
    const toWorld = OBLIQUE.map((row) => row.map((n) => n * scale)) as unknown as ToWorld;
    return spaceOf({ size: SIZE, spacing: [scale, scale, 2 * scale], unit, toWorld });
  };
  expect(match(place(1, "mm"), place(1000, "um"))).toMatchObject({ notes: [] });
  expect(match(place(1, "mm"), place(1, undefined))).toMatchObject({ notes: [] });
  expect(match(place(1, "mm"), place(1, "um"))).toHaveProperty("refused");
  const map = (epsg: number | undefined): Space =>
    spaceOf({
      size: { width: 5, height: 4 },
      crs: { kind: "map", epsg, metres: 1, degrees: false, entries: [] },
      toWorld: [
        [10, 0, 0, 500005],
        [0, -10, 0, 5299995],
        [0, 0, 1, 0],
      ],
    });
  expect(match(map(32633), map(32633))).toMatchObject({ notes: [] });
  expect(match(map(32633), map(32632))).toMatchObject({
    refused: expect.stringContaining("EPSG:32632 beside EPSG:32633"),
  });
  expect((match(map(32633), map(undefined)) as Match).notes).toHaveLength(1);
  expect(mapAffineOf(map(32633))).toEqual([10, 0, 500000, 0, -10, 5300000]);
});

test("a part lies where the whole has it, by every transform of its header", () => {
  const qform = { code: 1, quaternion: [0.3, -0.5, 0.2], qfac: -1, toWorld: OBLIQUE } as const;
  const crs = { kind: "patient", version: 1, sform: 2, qform } as const;
  const whole = spaceOf({ size: SIZE, toWorld: OBLIQUE, crs });
  const part = partOf(whole, [3, 1, 2], { width: 2, height: 3, depth: 1 });
  const first = at(OBLIQUE, [3, 1, 2]);
  expect(part.toWorld?.map((row) => row[3])).toEqual(first);
  expect(part.crs?.kind === "patient" && part.crs.qform?.toWorld.map((row) => row[3])).toEqual(first);
  expect(part.axes.map(({ size }) => size)).toEqual([2, 3, 1]);
  expect(movedEntries([{ tag: 33922, values: [0, 0, 0, 9, 9, 0] }], 4, 2)[0].values).toEqual([-4, -2, 0, 9, 9, 0]);
});

test("sides and units are converted with the place", () => {
  const toWorld: ToWorld = [
    [2, 0, 0, 10],
    [0, 2, 0, 20],
    [0, 0, 3, 30],
  ];
  const space = spaceOf({ size: SIZE, spacing: [2, 2, 3], unit: "mm", toWorld });
  expect(inUnit(space, "um")?.toWorld?.[2]).toEqual([0, 0, 3000, 30000]);
  expect(originOf(space)).toEqual([10, 20, 30]);
  const halved = resized(space, [1, 1, 3], undefined);
  expect([spacingOf(halved), halved.axes[0].unit, halved.toWorld?.[0]]).toEqual([[1, 1, 3], "mm", [1, 0, 0, 10]]);
  const mixed = spaceOf({ size: SIZE, spacing: [1, 1, 500], unit: ["um", "um", "nm"] });
  expect([axisOf(mixed, "z")?.spacing, axisOf(mixed, "z")?.unit]).toEqual([0.5, "\u00b5m"]);
  expect(spacingOf(spaceOf({ size: SIZE, spacing: [1, 1] }))).toBeUndefined();
});

test("volumes of a sheared grid are those of the determinant", () => {
  const sheared: ToWorld = [
    [1, 0, 2, 0],
    [0, 1, 0, 0],
    [0, 0, 4, 0],
  ];
  const side = Math.hypot(2, 4);
  const space = spaceOf({ size: SIZE, spacing: [1, 1, side], toWorld: sheared });
  expect(isSheared(space)).toBe(true);
  expect(volumeFactor(space) * side).toBeCloseTo(4, 12);
  // The axis along which it shears has one voxel: its slices are right.
  expect(isSheared(partOf(space, [0, 0, 0], { ...SIZE, depth: 1 }))).toBe(false);
  expect(isExchanged({ order: [0, 2, 1] })).toBe(true);
});

test("units by all their names", () => {
  for (const text of [
    "um",
    "\u00b5m",
    "\u03bcm",
    "micron",
    "Microns",
    "micrometer",
    "micrometre",
    "micrometers",
    "\\u00B5m",
  ]) {
    expect(unitSymbol(text)).toBe("\u00b5m");
  }
  for (const text of ["", "pixel", "pixels", "px", undefined]) expect(unitSymbol(text)).toBeUndefined();
  expect(["mm", "Mm", "inch", "feet", "angstrom", "furlong"].map(unitSymbol)).toEqual([
    "mm",
    "Mm",
    "in",
    "ft",
    "\u00c5",
    "furlong",
  ]);
  expect([unitName("um"), unitName("in"), unitName("furlong")]).toEqual(["micrometer", "inch", undefined]);
  expect([unitFactor("cm", "mm"), unitFactor("nm", "um"), unitFactor("mm", "furlong")]).toEqual([10, 0.001, undefined]);
});

test("every place of a row is in one frame: of the whole image, in units, on the map", () => {
  // A square of one value from (2, 3) to (5, 5), exclusive, of a part that begins at (10, 20).
  const regions = {
    count: 1,
    centroid: Float64Array.of(3, 3.5),
    weightedCentroid: Float64Array.of(3, 3.5),
    bounds: Int32Array.of(2, 3, 5, 5),
    inscribed: Float64Array.of(1, 3, 3.5),
    minimumRectangle: Float64Array.of(3.5, 4, 3, 2, 0),
    convexHull: { points: Int32Array.of(2, 3, 5, 3, 5, 5, 2, 5), offsets: Uint32Array.of(0, 8) },
  };
  const plain = { depth: 1, unit: "px", placeUnit: "px" };
  const whole = inFrame(regions as never, { ...plain, origin: [10, 20, 0] });
  expect([whole.centroid, whole.weightedCentroid].map((own) => [...(own ?? [])])).toEqual([
    [13, 23.5],
    [13, 23.5],
  ]);
  expect([...(whole.bounds ?? [])]).toEqual([12, 23, 15, 25]);
  expect([...(whole.inscribed ?? [])]).toEqual([1, 13, 23.5]);
  expect([...(whole.minimumRectangle ?? [])]).toEqual([13.5, 24, 3, 2, 0]);
  expect([...(whole.convexHull?.points ?? [])]).toEqual([12, 23, 15, 23, 15, 25, 12, 25]);
  // Lengths of the engine are physical already; bounds are pixels.
  const sized = inFrame({ ...regions, centroid: Float64Array.of(6, 10.5) } as never, {
    ...plain,
    origin: [10, 20, 0],
    spacing: [2, 3],
  });
  expect([...(sized.centroid ?? [])]).toEqual([26, 70.5]);
  expect([...(sized.bounds ?? [])]).toEqual([24, 69, 30, 75]);
  const map = inFrame(regions as never, { ...plain, map: [10, 0, 500, 0, -10, 900] });
  expect([...(map.centroid ?? []), ...(map.weightedCentroid ?? [])]).toEqual([535, 860, 535, 860]);
  expect([...(map.inscribed ?? []), ...(map.minimumRectangle ?? [])]).toEqual([1, 535, 860, 535, 860, 3, 2, 0]);
  expect([...(map.bounds ?? [])]).toEqual([520, 850, 550, 870]);
  expect([...(map.convexHull?.points ?? [])]).toEqual([520, 870, 550, 870, 550, 850, 520, 850]);
});
