// Corrections by hand against an oracle on pixels: sequences of every edit in images and volumes, objects that touch, lie in pieces
// and have ids; places without objects, and what is refused.

import { type Components, type Edit, type Engine, InvalidArgument, open, type Place, Unsupported } from "skerry";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { editImage } from "./oracles/edits.js";
import { devicesOf } from "./support/devices.js";
import { random } from "./support/shapes.js";

const { DEVICES } = devicesOf("edits");

type Grid = { readonly width: number; readonly height: number; readonly depth: number };

/** Blocks of random pixels, dense enough that objects have holes and necks. */
function speckled(next: () => number, { width, height, depth }: Grid, kinds: number): Uint8Array {
  const columns = Math.ceil(width / 2);
  const cells = Array.from({ length: columns * height * depth }, () => (next() % 5 < 3 ? 1 + (next() % kinds) : 0));
  return Uint8Array.from({ length: width * height * depth }, (_, i) => {
    const [x, row] = [i % width, Math.floor(i / width)];
    return cells[row * columns + (x >> 1)];
  });
}

function randomEdits(next: () => number, { width, height, depth }: Grid): Edit[] {
  const spot = (z = next() % depth): Place => {
    const [x, y] = [next() % width, next() % height];
    return depth > 1 ? [x, y, z] : [x, y];
  };
  const line = (most: number): Place[] => {
    const z = next() % depth;
    return Array.from({ length: 1 + (next() % most) }, () => spot(z));
  };
  return Array.from({ length: 1 + (next() % 8) }, (): Edit => {
    const radius = [0, 0, 1, 1.5, 3][next() % 5];
    switch (next() % 8) {
      case 0:
      case 1:
        return { draw: line(3), radius };
      case 2:
        return { erase: line(3), radius };
      case 3:
      case 4:
        return { cut: line(4) };
      case 5:
        return { join: [spot(), spot()] };
      case 6:
        return { drop: spot() };
      default:
        return { fill: spot() };
    }
  });
}

/** Makes other corrections before: none, those that the edits begin with, step by step, or those that they do not begin with. */
async function editOthers(next: () => number, found: Components, edits: readonly Edit[]): Promise<void> {
  const kind = next() % 4;
  const steps = kind === 3 ? [edits.slice(1)] : edits.map((_, i) => edits.slice(0, i)).slice(0, kind * 2);
  for (const each of steps) (await found.edit(each)).dispose();
}

/** Labels numbered by their first pixels. */
function byFirstPixel(labels: Uint32Array): Uint32Array {
  const numbers = new Map<number, number>([[0, 0]]);
  return labels.map((label) => {
    if (!numbers.has(label)) numbers.set(label, numbers.size);
    return numbers.get(label) as number;
  });
}

describe.each(DEVICES)("$name", (options) => {
  let engine: Engine;
  beforeAll(async () => {
    engine = await open(options);
  });
  afterAll(() => engine.close());

  test.each([
    [4, 1, 500],
    [8, 1, 300],
    [6, 4, 60],
    [18, 3, 40],
    [26, 4, 60],
  ] as const)(
    "sequences in objects of %i neighbours equal the oracle",
    { timeout: 120_000 },
    async (connectivity, depth, rounds) => {
      const next = random(connectivity * 1009);
      for (let round = 0; round < rounds; round++) {
        const grid: Grid = { width: 3 + (next() % 34), height: 3 + (next() % 12), depth };
        const data = speckled(next, grid, 1);
        const edits = randomEdits(next, grid);
        const found = await engine.components({ ...grid, data }, { connectivity });
        await editOthers(next, found, edits);
        const edited = await found.edit(edits);
        const before = await found.labels();
        const wanted = editImage(before.data, grid, connectivity, edits);
        const { data: labels } = await edited.labels();
        const text = `round ${round}: ${JSON.stringify({ ...grid, edits })}`;
        expect([...labels], text).toEqual([...byFirstPixel(wanted.labels)]);
        expect([...(edited.idleEdits ?? [])], text).toEqual(wanted.idle);
        expect(edited.count).toBe(new Set(labels).size - (labels.includes(0) ? 1 : 0));
        expect(edited.foreground).toBe(labels.filter((label) => label > 0).length);
        found.dispose();
        edited.dispose();
      }
    },
  );

  test("ids of label images stay, and new objects take those above", async () => {
    const next = random(77);
    for (let round = 0; round < 150; round++) {
      const grid: Grid = { width: 3 + (next() % 30), height: 3 + (next() % 9), depth: 1 };
      const data = speckled(next, grid, 4).map((kind) => kind * 7);
      const edits = randomEdits(next, grid);
      const found = await engine.labelled({ ...grid, data });
      await editOthers(next, found, edits);
      const edited = await found.edit(edits);
      const wanted = editImage(Uint32Array.from(data), grid, 4, edits);
      const { value = [] } = await edited.regions();
      const { data: labels } = await edited.labels();
      const ids = Uint32Array.from(labels, (label) => (label > 0 ? value[label - 1] : 0));
      expect([...ids], `round ${round}: ${JSON.stringify({ ...grid, edits })}`).toEqual([...wanted.labels]);
      expect([...value]).toEqual([...value].sort((a, b) => a - b));
      found.dispose();
      edited.dispose();
    }
  });

  test("ids are a copy, and objects that were made anew are numbered in raster order", async () => {
    const found = await engine.labelled({ data: Uint8Array.of(0, 0, 5, 0, 0, 0, 9, 0, 0), width: 3, height: 3 });
    found.ids?.fill(1);
    expect([...((await found.regions()).value ?? [])]).toEqual([5, 9]);
    const closed = await found.close(0.5);
    expect(closed.ids).toBeUndefined();
    const { data } = await (await closed.edit([{ draw: [[0, 0]] }])).labels();
    expect([...data]).toEqual([1, 0, 2, 0, 0, 0, 3, 0, 0]);
  });

  test("ids of 8 bits widen where new ones need more", async () => {
    const found = await engine.labelled({ data: Uint8Array.of(255, 255, 255, 0, 0, 0), width: 3, height: 2 });
    const edited = await found.edit([{ erase: [[1, 0]] }]);
    const { value } = await edited.regions();
    expect([...(value ?? [])]).toEqual([255, 256]);
    expect([...(edited.parent ?? [])]).toEqual([1, 1]);
    const most = await engine.labelled({ data: Uint32Array.of(2 ** 32 - 1, 0), width: 2, height: 1 });
    await expect(
      most.edit([
        {
          draw: [
            [0, 0],
            [1, 0],
          ],
        },
      ]),
    ).resolves.toMatchObject({ count: 1 });
    const apart = await engine.labelled({ data: Uint32Array.of(2 ** 32 - 1, 0, 0), width: 3, height: 1 });
    await expect(apart.edit([{ draw: [[2, 0]] }])).rejects.toThrow(Unsupported);
    // Beyond 2^24 a float holds every other number: two new ids would be one.
    const floats = await engine.labelled({ data: Float32Array.of(2 ** 24, 0, 0, 0, 0), width: 5, height: 1 });
    await expect(floats.edit([{ draw: [[2, 0]] }, { draw: [[4, 0]] }])).rejects.toThrow(Unsupported);
  });

  test("edits of a bright and a dark object, and what follows them", async () => {
    const data = Uint8Array.from({ length: 40 }, (_, i) => [200, 200, 100, 0, 0][Math.floor((i % 20) / 4)]);
    const found = await engine.components({ data, width: 20, height: 2 }, { threshold: { outside: [50, 150] } });
    expect(found.polarity).toBe("both");
    const edited = await found.edit([
      {
        join: [
          [0, 0],
          [16, 1],
        ],
      },
    ]);
    expect([edited.count, edited.polarity, [...(edited.parent ?? [])]]).toEqual([1, undefined, [1]]);
    const { area, bounds } = await edited.regions();
    expect([...area, ...bounds]).toEqual([32, 0, 0, 20, 2]);
    const cut = await edited.edit([
      {
        cut: [
          [4, 0],
          [4, 1],
        ],
      },
    ]);
    expect([...(await cut.regions()).area].sort((a, b) => a - b)).toEqual([8, 24]);
    expect(cut.idleEdits).toHaveLength(0);
    const kept = await cut.keep({ labels: [1] });
    expect([kept.count, kept.idleEdits]).toEqual([1, undefined]);
  });

  test("what is wrong is refused before any work", async () => {
    const found = await engine.components({ data: new Uint8Array(12).fill(1), width: 4, height: 3 });
    const refused: readonly (readonly [unknown, string])[] = [
      [{}, "Expected edits to be a list of edits, got an object."],
      [[{ paint: [0, 0] }], "Expected edits[0] to be one of draw, erase, cut, join, drop, fill, got paint."],
      [
        [{ drop: [0, 0], fill: [0, 0] }],
        "Expected edits[0] to be one of draw, erase, cut, join, drop, fill, got drop, fill.",
      ],
      [[{ drop: [4, 0] }], "Expected edits[0].drop to be [x, y] inside 4 x 3, got [4, 0]."],
      [[{ drop: [0, 0] }, { cut: [] }], "Expected edits[1].cut to be a list of places, got []."],
      [[{ cut: [[0, 0, 0]] }], "Expected edits[0].cut[0] to be [x, y] inside 4 x 3, got [0, 0, 0]."],
      [[{ join: [[0, 0]] }], "Expected edits[0].join to be two places, got [[0, 0]]."],
      [[{ draw: [[0, 0]], radius: -1 }], "Expected edits[0].radius to be a number from 0 to 1024, got -1."],
      [[{ cut: [[0, 0]], radius: 1 }], "Expected no radius of edits[0], a cut."],
    ];
    for (const [edits, sentence] of refused) {
      const call = found.edit(edits as Edit[]);
      await expect(call).rejects.toThrow(InvalidArgument);
      await expect(call).rejects.toThrow(sentence);
    }
    const volume = await engine.components({ data: new Uint8Array(8).fill(1), width: 2, height: 2, depth: 2 });
    await expect(
      volume.edit([
        {
          draw: [
            [0, 0, 0],
            [1, 1, 1],
          ],
        },
      ]),
    ).rejects.toThrow("Expected the places of edits[0].draw in one slice, got slices 0 and 1.");
  });

  test("a signal that has ended ends it, and progress reaches 1", async () => {
    const found = await engine.components({ data: new Uint8Array(12).fill(1), width: 4, height: 3 });
    await expect(found.edit([], { signal: AbortSignal.abort() })).rejects.toThrow("abort");
    const told: number[] = [];
    const edited = await found.edit([{ drop: [0, 0] }], { onProgress: ({ fraction }) => told.push(fraction) });
    expect([edited.count, told.at(-1)]).toEqual([0, 1]);
  });
});
