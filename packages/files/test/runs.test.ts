// Masks as run lengths, against those of pycocotools and of Label Studio's converter (support/runs.json, by render-runs.py), and back.

import { readFileSync } from "node:fs";
import { type Engine, fromRle, type Mask, open, toRle } from "skerry";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { packBrush } from "../src/formats/runs/label-studio.js";
import { MemoryOutput, type OpenedRuns, openRuns, writeCoco, writeCvat, writeLabelStudio } from "../src/index.js";
import { type Annotation, annotated, isRuns } from "../src/internal.js";

interface Case {
  readonly size: readonly [number, number];
  readonly rows: readonly string[];
  readonly counts: string;
  readonly brush: readonly number[];
}

const CASES: readonly Case[] = JSON.parse(readFileSync(new URL("support/runs.json", import.meta.url), "utf8"));
const bytesOf = ({ rows }: Case): Uint8Array => Uint8Array.from(rows.join(""), Number);
const bitsOf = ({ bits, width, height }: Mask): Uint8Array => {
  const words = Math.ceil(width / 32);
  return Uint8Array.from({ length: width * height }, (_, i) => {
    const [x, y] = [i % width, Math.floor(i / width)];
    return (bits[y * words + (x >> 5)] >>> (x & 31)) & 1;
  });
};

let engine: Engine;
beforeAll(async () => {
  engine = await open({ device: "cpu", threads: 1 });
});
afterAll(() => engine.close());

describe.each(CASES)("a mask of $size", (own) => {
  const [height, width] = own.size;

  test("COCO's packed and plain lengths are read and written as by pycocotools", () => {
    const mask = fromRle({ size: own.size, counts: own.counts });
    expect([mask.width, mask.height]).toEqual([width, height]);
    expect(bitsOf(mask)).toEqual(bytesOf(own));
    expect(toRle(mask).counts).toBe(own.counts);
    const plain = toRle(mask, { compressed: false });
    expect(bitsOf(fromRle(plain))).toEqual(bytesOf(own));
  });

  test("Label Studio's brush is read, and written back", () => {
    const result = {
      original_width: width,
      original_height: height,
      type: "brushlabels",
      value: { format: "rle", rle: own.brush },
    };
    const { pixels, format } = openRuns(JSON.stringify([{ annotations: [{ result: [result] }] }]), "tasks.json");
    expect([format, pixels.width, pixels.height]).toEqual(["Label Studio run lengths", width, height]);
    expect(pixels.data).toEqual(bytesOf(own));
    const ranges: number[] = [];
    bytesOf(own).forEach((value, i) => {
      if (value) ranges.push(i, i + 1);
    });
    const again = { ...result, value: { format: "rle", rle: packBrush(ranges, width * height) } };
    expect(openRuns(JSON.stringify({ predictions: [{ result: [again] }] }), "t.json").pixels.data).toEqual(
      bytesOf(own),
    );
  });

  test("objects go out to every tool and come back by their numbers", async () => {
    const objects = await engine.components({ data: bytesOf(own), width, height }, { connectivity: 8 });
    const { data } = await objects.labels();
    for (const write of [writeCoco, writeCvat, writeLabelStudio]) {
      const file = new MemoryOutput();
      await write(file, objects, 'a "picture" & <more>.png');
      const text = new TextDecoder().decode(file.bytes());
      if (objects.count === 0) continue;
      expect(isRuns(file.bytes())).toBe(true);
      const read = openRuns(text, "back", { labels: true });
      expect([write.name, read.masks, Uint32Array.from(read.pixels.data)]).toEqual([write.name, objects.count, data]);
    }
    objects.dispose();
  });
});

describe("what is refused, and what is said", () => {
  const rle = { size: [3, 4], counts: [3, 5, 4] };
  test.each([
    ["{}", "Expected a.json to hold run lengths of COCO, CVAT or Label Studio, got other JSON."],
    ["[{", "Could not read a.json: it is no JSON, or ends early."],
    [JSON.stringify({ size: [3, 4], counts: [3, 5] }), "add up to 4 x 3 = 12 pixels, got 8"],
    [JSON.stringify({ size: [3, 4], counts: "~~" }), "add up to 4 x 3 = 12 pixels, got 0"],
    [JSON.stringify({ size: [3], counts: [3] }), "the size of run lengths to be [height, width]"],
    [
      JSON.stringify([{ segmentation: [[0, 0, 1, 1]] }]),
      "Expected annotation 1 of a.json to have run lengths as its segmentation, got polygons.",
    ],
    [
      JSON.stringify({ images: [{ id: 1, width: 9, height: 9 }], annotations: [{ image_id: 1, segmentation: rle }] }),
      "Expected annotation 1 of a.json to have the size of its image, 9 x 9, got 4 x 3.",
    ],
    ["<annotations></annotations>", "Expected a.json to hold images with masks of CVAT, got none."],
    [
      '<annotations><image width="9" height="9"><polygon/></image></annotations>',
      "Expected masks in a.json, got other shapes; export them as masks.",
    ],
    [
      '<annotations><image width="9" height="9"><mask rle="1, 2" left="0" top="0" width="2" height="2"></mask></image></annotations>',
      "Could not read mask 1 of a.json: its run lengths do not add up to a box of 2 x 2 within 9 x 9.",
    ],
    [
      JSON.stringify([
        {
          annotations: [{ result: [{ original_width: 4, original_height: 3, value: { format: "rle", rle: [0, 0] } }] }],
        },
      ]),
      "Could not read mask 1 of a.json: it ends early.",
    ],
  ])("%s", (text, sentence) => {
    expect(() => openRuns(text, "a.json")).toThrow(sentence);
  });

  test("ids, masks that share pixels, and files of several images", () => {
    const annotations = [
      { id: 70, image_id: 1, segmentation: rle },
      { id: 300, image_id: 1, segmentation: { size: [3, 4], counts: [7, 3, 2] } },
      { id: 4, image_id: 2, segmentation: rle },
    ];
    const { pixels, notes } = openRuns(JSON.stringify({ annotations }), "a.json", { labels: true });
    expect([...new Set(pixels.data)].sort((a, b) => a - b)).toEqual([0, 70, 300]);
    expect(notes).toEqual([
      "a.json has masks of 2 images; the first one is used (--page N takes another)",
      "a.json: 1 pixel belongs to several masks; the last one takes them",
    ]);
    expect(openRuns(JSON.stringify({ annotations }), "a.json", { labels: true, page: 1 }).notes).toEqual([]);
    expect(() => openRuns(JSON.stringify({ annotations }), "a.json", { page: 2 })).toThrow("--page to be from 0 to 1");
    expect(() => toRle({ size: [3, 4], counts: [3, 5, 4] } as never)).toThrow("the width of the mask");
    expect(() => fromRle({ size: [3, 4], counts: [13, -1] })).toThrow("whole numbers of at least 0, got -1");
    expect(openRuns(JSON.stringify({ annotations }), "a.json", { page: 0 }).notes).toEqual([
      "a.json: 1 pixel belongs to several masks, which become one",
    ]);
    const cvat = `<annotations><image width="9" height="9"><mask rle="0, 4" left="0" top="0" width="2" height="2"/><polygon/></image></annotations>`;
    expect(openRuns(cvat, "a.xml").notes).toEqual(["a.xml: 1 shape that is no mask is left out"]);
    const [brush] = CASES as [Case];
    const [original_height, original_width] = brush.size;
    const result = { original_width, original_height, value: { format: "rle", rle: brush.brush } };
    const task = { annotations: [{ result: [result, { value: { x: 1 } }] }], predictions: [{ result: [result] }] };
    expect(openRuns(JSON.stringify(task), "a.json", { labels: true }).notes[0]).toBe(
      "a.json: the masks of 2 annotations and predictions are taken together; 1 shape that is no mask is left out",
    );
    expect(() => toRle({ bits: new Uint32Array(2), width: 1, height: 1, depth: 2 })).toThrow("got 2 slices");
  });
});

describe("names and scores of masks", () => {
  const told: Readonly<Record<number, Annotation>> = {
    7: { category: "cell & <co>", categoryId: 3, score: 0.75 },
    9: { category: 'a "bud"', categoryId: 1, score: 0.5 },
    11: { category: "cell & <co>", categoryId: 3, score: 1 },
  };
  const file = JSON.stringify({
    images: [{ id: 4, width: 6, height: 2, file_name: "a & b.png" }],
    categories: [
      { id: 1, name: 'a "bud"' },
      { id: 2, name: "unused" },
      { id: 3, name: "cell & <co>" },
    ],
    // Columns of two pixels: masks of the columns 0, 2 and 4.
    annotations: [7, 9, 11].map((id, i) => ({
      id,
      image_id: 4,
      category_id: told[id].categoryId,
      score: told[id].score,
      segmentation: { size: [2, 6], counts: [4 * i, 2, 10 - 4 * i] },
    })),
  });
  const again = async ({ pixels, annotations, image }: OpenedRuns, write: typeof writeCoco): Promise<OpenedRuns> => {
    const objects = await engine.labelled(pixels);
    const out = new MemoryOutput();
    await write(out, annotations ? await annotated(objects, annotations) : objects, image ?? "cells.png");
    return openRuns(new TextDecoder().decode(out.bytes()), "again", { labels: true });
  };

  test("COCO's are read by their ids", () => {
    expect(openRuns(file, "m.json", { labels: true }).annotations).toEqual(
      new Map(Object.entries(told).map(([id, own]) => [Number(id), own])),
    );
  });

  test.each([
    ["COCO", writeCoco, ["category", "categoryId", "score"]],
    ["CVAT", writeCvat, ["category"]],
    ["Label Studio", writeLabelStudio, ["category", "score"]],
  ] as const)("%s writes what it can hold", async (_, write, fields) => {
    const { annotations, pixels, image } = await again(openRuns(file, "m.json", { labels: true }), write);
    expect([...pixels.data]).toEqual([1, 0, 2, 0, 3, 0, 1, 0, 2, 0, 3, 0]);
    expect(image).toBe("a & b.png");
    const kept = Object.values(told).map((own) =>
      Object.fromEntries(
        ["category", "categoryId", "score"].map((name) => [
          name,
          (fields as readonly string[]).includes(name) ? own[name as keyof Annotation] : undefined,
        ]),
      ),
    );
    expect([...(annotations ?? []).values()]).toEqual(kept);
  });

  test("masks without names are objects", async () => {
    const opened = openRuns('[{ "segmentation": { "size": [2, 2], "counts": [0, 2, 2] } }]', "m.json", {
      labels: true,
    });
    expect(opened.annotations).toBeUndefined();
    expect((await again(opened, writeCoco)).annotations?.get(1)?.category).toBe("object");
  });
});
