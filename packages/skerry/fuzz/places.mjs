// Pairs of files in random places, orders of axes, directions, units and times. The values of the second file under the pixels of the first one
// must be those at the same place of the world, found there by the definition; files of other places must be refused. What is written must lie
// where the file that was read lies, in its unit.

import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { fillOf, spacingOf } from "../../files/dist/index.js";
import { lengthUnitOf, losesPlace, match, sizesOf, through, unitFactor } from "../../files/dist/internal.js";
import { openPicture, rasterOf } from "../../files/dist/node/index.js";
import { writeValues } from "../../files/dist/node/internal.js";
import { openZarr, zarrSink } from "../../files/dist/zarr/index.js";
import { dicom, geotiff, imagej, nifti, ometiff, omezarr } from "./headers.mjs";

/** Kinds of files: a writer, the ending of its name, and the grids that it can tell. */
const KINDS = {
  nifti: { ending: ".nii", write: nifti, grids: "turned", told: ["mm", "um", "m"], times: true },
  dicom: { ending: "", write: dicom, grids: "turned", told: ["mm"], sorts: true },
  geotiff: { ending: ".tif", write: geotiff, grids: "turned", told: ["m"], isMap: true },
  ometiff: { ending: ".ome.tif", write: ometiff, grids: "plain", told: ["mm", "um", "m"], times: true },
  imagej: { ending: ".tif", write: imagej, grids: "plain", told: ["mm", "um"] },
  omezarr: { ending: ".zarr", write: omezarr, grids: "plain", told: ["mm", "um", "m"], times: true },
};
const ORDERS = [
  [0, 1, 2],
  [1, 0, 2],
  [0, 2, 1],
  [2, 1, 0],
  [1, 2, 0],
  [2, 0, 1],
];

const unit = fc.double({ min: -1, max: 1, noNaN: true });
const pairs = fc.record({
  first: fc.constantFrom(...Object.keys(KINDS)),
  /** The second file's kind, if it can lie there. */
  second: fc.constantFrom(...Object.keys(KINDS)),
  size: fc.tuple(...[1, 1, 1].map(() => fc.integer({ min: 2, max: 7 }))),
  sides: fc.tuple(...[1, 1, 1].map(() => fc.integer({ min: 300, max: 3000 }))),
  begin: fc.tuple(...[1, 1, 1].map(() => fc.integer({ min: -5000, max: 5000 }))),
  quaternion: fc.option(fc.tuple(unit, unit, unit, unit)),
  order: fc.constantFrom(...ORDERS),
  flips: fc.tuple(fc.boolean(), fc.boolean(), fc.boolean()),
  /** The shift of the second file along an axis, in voxels. */
  shift: fc.constantFrom(0, 0, 0, 0.003, 0.05, 0.3, 1, 12),
  axis: fc.nat(2),
  grown: fc.constantFrom(1, 1, 1, 1, 1.2, 2),
  told: fc.tuple(fc.nat(2), fc.nat(2)),
  time: fc.option(fc.nat(2)),
  header: fc.record({
    two: fc.boolean(),
    little: fc.boolean(),
    form: fc.constantFrom("s", "q", "both"),
    point: fc.boolean(),
  }),
  seed: fc.nat(2 ** 31 - 1),
});

const worldAt = (rows, index) => rows.map((row) => row[0] * index[0] + row[1] * index[1] + row[2] * index[2] + row[3]);

function rotationOf(quaternion) {
  const length = Math.hypot(...quaternion);
  const [a, b, c, d] = length < 0.01 ? [1, 0, 0, 0] : quaternion.map((n) => n / length);
  return [
    [a * a + b * b - c * c - d * d, 2 * (b * c - a * d), 2 * (b * d + a * c)],
    [2 * (b * c + a * d), a * a + c * c - b * b - d * d, 2 * (c * d - a * b)],
    [2 * (b * d - a * c), 2 * (c * d + a * b), a * a + d * d - b * b - c * c],
  ];
}

/** The grid of the first file, in millimetres, or in metres on a map. */
function gridOf({ first, size, sides, begin, quaternion }) {
  const { grids, isMap } = KINDS[first];
  const isTurned = grids === "turned" && quaternion;
  let rotation = isTurned ? rotationOf(quaternion) : rotationOf([1, 0, 0, 0]);
  if (isMap) {
    const angle = isTurned ? quaternion[0] * 3 : 0;
    rotation = [
      [Math.cos(angle), Math.sin(angle), 0],
      [Math.sin(angle), -Math.cos(angle), 0],
      [0, 0, 1],
    ];
  }
  const lengths = sides.map((n) => n / 1000);
  const toWorld = rotation.map((row, i) => [...row.map((n, k) => n * lengths[k]), begin[i] / 100]);
  return { size: isMap ? [size[0], size[1], 1] : size, toWorld, unit: isMap ? "m" : "mm" };
}

/** A grid with its axes in another order and direction, moved and grown; values are read at the world's places. */
function otherOf({ size, toWorld, unit: own }, { order, flips, shift, axis, grown }) {
  const along = [0, 1, 2].map((i) => order.indexOf(i));
  const rows = toWorld.map((row) => {
    const begin = [0, 1, 2].reduce(
      (sum, i) => sum + (flips[i] ? row[i] * (size[i] - 1) : 0),
      row[3] + row[axis] * shift,
    );
    return [...along.map((i) => (flips[i] ? -row[i] : row[i]) * grown), begin];
  });
  return { size: along.map((i) => size[i]), toWorld: rows, unit: own };
}

const valuesOf = (length, seed) => {
  let state = seed | 1;
  return Uint8Array.from({ length }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state >>> 24;
  });
};

/** The voxel of a grid that is nearest to a place of the world, and how far it is along the axes of a grid, in voxels. */
function voxelAt(grid, place, of = grid) {
  const { size, toWorld } = grid;
  let best = [Number.POSITIVE_INFINITY, 0, place];
  for (let z = 0, at = 0; z < size[2]; z++) {
    for (let y = 0; y < size[1]; y++) {
      for (let x = 0; x < size[0]; x++, at++) {
        const apart = worldAt(toWorld, [x, y, z]).map((n, i) => n - place[i]);
        const far = Math.hypot(...apart);
        if (far < best[0]) best = [far, at, apart];
      }
    }
  }
  const [, voxel, apart] = best;
  const steps = [0, 1, 2].map((axis) => {
    const column = of.toWorld.map((row) => row[axis]);
    return Math.abs(apart.reduce((sum, n, i) => sum + n * column[i], 0)) / column.reduce((sum, n) => sum + n * n, 0);
  });
  return [Math.max(...steps), voxel];
}

const open = (path, options) => (path.endsWith(".zarr") ? openZarr(path, options) : openPicture(path, options));

async function run(pair, folder) {
  const { first, time, told, header, seed } = pair;
  const one = gridOf(pair);
  const kind = KINDS[first];
  // A file that cannot tell turned axes, or a map beside none, is replaced by one of the first's kind.
  const isTurned = kind.grids === "turned";
  const second =
    KINDS[pair.second].isMap === kind.isMap && (!isTurned || KINDS[pair.second].grids === "turned")
      ? pair.second
      : first;
  const other = KINDS[second];
  const change = other.grids === "plain" ? { ...pair, order: [0, 1, 2], flips: [false, false, false] } : { ...pair };
  if (kind.isMap)
    Object.assign(change, { order: change.order[2] === 2 ? change.order : [0, 1, 2], axis: pair.axis % 2 });
  if (kind.isMap) change.flips = [change.flips[0], change.flips[1], false];
  const two = otherOf(one, change);
  const length = one.size.reduce((product, side) => product * side, 1);
  const several = other.times && time !== null && !kind.sorts;
  const times = [0, 1, 2].map((t) => valuesOf(length, seed + 7919 * t));
  const data = several ? times[time] : times[0];
  mkdirSync(folder, { recursive: true });
  const [path, beside] = [join(folder, `first${kind.ending}`), join(folder, `second${other.ending}`)];
  const unitOf = (own, i) => ({ told: own.told[told[i] % own.told.length] });
  kind.write(path, { ...one, data: valuesOf(length, seed ^ 0x55) }, { ...header, ...unitOf(kind, 0) });
  other.write(beside, { ...two, data }, { ...header, ...unitOf(other, 1), ...(several ? { times } : {}) });
  const opened = await open(path, {});
  const besides = await open(beside, several ? { time } : {});
  try {
    const found = match(opened.space, besides.space);
    const farFrom = (a, b) => {
      const corners = [0, 1, 2, 3, 4, 5, 6, 7].map((i) => a.size.map((side, k) => ((i >> k) & 1) * (side - 1)));
      const places = corners.map((corner) => worldAt(a.toWorld, corner));
      return Math.max(...places.flatMap((place) => [voxelAt(b, place)[0], voxelAt(b, place, a)[0]]));
    };
    const far = Math.max(farFrom(one, two), farFrom(two, one));
    if (far > 0.2) {
      if (!("refused" in found)) throw new Error(`${first} and ${second}, ${far} voxels apart, were combined`);
      if (!/^Expected .*\.$/s.test(found.refused)) throw new Error(`a refusal that is no sentence: ${found.refused}`);
      return;
    }
    if (far > 0.09 && "refused" in found) return;
    if ("refused" in found) throw new Error(`${first} and ${second} at one place were refused: ${found.refused}`);
    if (far > 0.02 && found.notes.length === 0) throw new Error(`${far} voxels without a note`);
    if (far < 0.006 && found.notes.length > 0) throw new Error(`a note on one place: ${found.notes}`);
    const turned = await rasterOf({ pixels: through(besides.pixels, found) });
    const stored = await rasterOf(besides);
    // DICOM slices are sorted by position, so the stored order is asked of the reader's own grid.
    for (let z = 0, at = 0; z < one.size[2]; z++) {
      for (let y = 0; y < one.size[1]; y++) {
        for (let x = 0; x < one.size[0]; x++, at++) {
          const [, voxel] = voxelAt(two, worldAt(one.toWorld, [x, y, z]));
          if (turned.data[at] !== data[voxel]) {
            throw new Error(`${first} and ${second}: pixel ${[x, y, z]} is ${turned.data[at]}, not ${data[voxel]}`);
          }
        }
      }
    }
    await checkWritten(opened, stored.data.slice(0, length), folder);
  } finally {
    await opened.close();
    await besides.close();
  }
}

/** Files that are written with the Space of an input lie at its place, in its unit or one that it converts to. */
async function checkWritten({ space }, values, folder) {
  const [width, height, depth] = sizesOf(space);
  const layout = { width, height, depth, type: "u32", labels: true, space };
  const data = Uint32Array.from(values);
  for (const ending of [".nii", ".tif", ".zarr"]) {
    const path = join(folder, `written${ending}`);
    if (ending === ".zarr") {
      const sink = await zarrSink(path, { width, height, depth, space, overwrite: true });
      await sink.write(0, depth, 0, height, data);
      await sink.finish();
    } else await writeValues(path, layout, fillOf(data, layout));
    const again = await open(path, {});
    try {
      const [sides, others] = [spacingOf(space), spacingOf(again.space)];
      const factor = unitFactor(lengthUnitOf(again.space), lengthUnitOf(space));
      if (sides && lengthUnitOf(space)) {
        const wrong = others === undefined || sides.some((side, i) => Math.abs((others[i] * factor) / side - 1) > 1e-5);
        if (wrong) throw new Error(`${ending}: sides ${others} of ${lengthUnitOf(again.space)}, not ${sides}`);
      }
      const found = match(space, again.space);
      if ("refused" in found) throw new Error(`${ending} lies elsewhere: ${found.refused}`);
      const keeps = ending === ".zarr" || !losesPlace(ending, space);
      if (keeps && found.notes.length > 0) throw new Error(`${ending} has lost its place: ${found.notes}`);
      const identity = found.order.every((axis, i) => axis === i) && !found.flips.includes(true);
      if (!identity) throw new Error(`${ending} has its axes in another order: ${JSON.stringify(found)}`);
    } finally {
      await again.close();
    }
  }
}

/** Draws pairs until the time is over. */
export async function fuzzPlaces(parameters) {
  const folder = mkdtempSync(join(tmpdir(), "skerry-fuzz-"));
  let count = 0;
  const property = fc.asyncProperty(pairs, async (pair) => {
    const own = join(folder, `${count++}`);
    await run(pair, own).finally(() => rmSync(own, { recursive: true, force: true }));
  });
  return await fc.check(property, parameters).finally(() => rmSync(folder, { recursive: true, force: true }));
}
