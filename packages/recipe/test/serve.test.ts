// Requests of another program, by messages that carry their arrays.

import { type Engine, open } from "skerry";
import { afterAll, beforeAll, expect, test } from "vitest";
import { serve } from "../src/serve.js";

let engine: Engine;
beforeAll(async () => {
  engine = await open({ device: "cpu", threads: 1 });
});
afterAll(() => engine.close());

interface Answer {
  readonly id: number;
  readonly arrays?: readonly { name: string; type: string; shape: number[]; data: Uint8Array }[];
  readonly facts?: Record<string, unknown>;
  readonly notes?: readonly string[];
  readonly error?: { name: string; message: string; argument?: string };
  readonly progress?: { stage: string };
}

/** The answers to some messages, which all come at once. */
async function answersTo(messages: readonly object[], answers: number): Promise<readonly Answer[]> {
  const found: Answer[] = [];
  await new Promise<void>((resolve) => {
    serve(engine, {
      receive: (take) => messages.forEach(take),
      send: (message) => {
        found.push(message as Answer);
        if (found.filter(({ progress }) => !progress).length === answers) resolve();
      },
    });
  });
  return found;
}

const image = { type: "u8", shape: [2, 4], data: Uint8Array.of(0, 5, 0, 7, 0, 5, 0, 0) };
const recipe = { skerry: 1, operation: "components", options: { threshold: "nonzero" } };

test("labels and a table of objects", async () => {
  const [answer] = await answersTo([{ id: 3, recipe, images: [image], results: ["labels", "mask", "regions"] }], 1);
  const { arrays = [], facts, id } = answer;
  expect(id).toBe(3);
  expect(facts).toEqual({ count: 2, foreground: 3, width: 4 });
  const named = Object.fromEntries(arrays.map((each) => [each.name, each]));
  expect(Array.from(named.labels?.data ?? [])).toEqual([0, 1, 0, 2, 0, 1, 0, 0]);
  expect(named.labels).toMatchObject({ type: "u32", shape: [2, 4] });
  expect(Array.from(named.mask?.data ?? [])).toEqual([0b1010, 0b0010]);
  expect(Array.from(named["regions.area"]?.data ?? [])).toEqual([2, 1]);
  expect(named["regions.bounds"]).toMatchObject({ type: "u32", shape: [2, 4] });
  expect(named["regions.centroid"]).toMatchObject({ type: "f64", shape: [2, 2] });
});

test("volumes, images beside the first, and classes of colours", async () => {
  const volume = { type: "u8", shape: [2, 1, 2], data: Uint8Array.of(1, 0, 1, 1) };
  const within = { type: "u8", shape: [2, 4], data: Uint8Array.of(0, 1, 0, 0, 0, 0, 0, 0), name: "fence" };
  const fenced = { ...recipe, input: { within: "fence" } };
  const colours = { type: "u8", shape: [1, 2, 3], channels: 3, data: Uint8Array.of(9, 8, 7, 200, 100, 0) };
  const answers = await answersTo(
    [
      { id: 1, recipe, images: [volume], results: ["labels"] },
      { id: 2, recipe: fenced, images: [image, within], results: ["labels"] },
      {
        id: 3,
        recipe: { skerry: 1, operation: "kmeans", options: { k: 2 } },
        images: [colours],
        results: ["classes", "centres"],
      },
      { id: 4, recipe: { skerry: 1, operation: "distance" }, images: [image], results: ["distances"] },
    ],
    4,
  );
  expect(answers.map(({ id }) => id)).toEqual([1, 2, 3, 4]);
  const first = answers.map(({ arrays = [] }) => arrays[0]);
  expect(first[0]).toMatchObject({ shape: [2, 1, 2], data: Uint32Array.of(1, 0, 1, 1) });
  expect(first[1]).toMatchObject({ data: Uint32Array.of(0, 1, 0, 0, 0, 0, 0, 0) });
  expect(first[2]).toMatchObject({ type: "u8", shape: [1, 2] });
  expect(answers[2]?.arrays?.[1]).toMatchObject({ name: "centres", type: "f64", shape: [2, 3] });
  expect(first[3]).toMatchObject({ type: "f32", shape: [2, 4] });
});

test("errors are answers, and name the argument", async () => {
  const answers = await answersTo(
    [
      { id: 1, recipe: { ...recipe, options: { minArea: -1 } }, images: [image], results: ["labels"] },
      { id: 2, recipe, images: [image], results: ["distances"] },
      { id: 3, recipe, images: [], results: [] },
      { id: 4, recipe, images: [{ ...image, shape: [8] }], results: [] },
      { id: 5, recipe: { ...recipe, input: { within: "gone" } }, images: [image], results: [] },
      { id: 6, recipe: { ...recipe, options: { connectivity: 26 } }, images: [image], results: [] },
      { id: 7, recipe, images: [{ ...image, type: "f64" }], results: [] },
    ],
    7,
  );
  expect(answers.map(({ error }) => error?.message)).toEqual([
    "Expected options.minArea to be 0 or more, got -1.",
    "Expected results out of labels, mask, regions, outlines, got distances.",
    "Expected an image without a name in a request, got none.",
    "Expected an image of two or three sides, got 1.",
    "Expected an image of the name gone in the request, got none.",
    "Expected connectivity to be 4 or 8 for a 2-D image, got 26.",
    "Expected an image of u8, u16, i16, u32, i32 or f32, got f64.",
  ]);
  expect(answers[5]?.error).toMatchObject({ name: "InvalidArgument", argument: "connectivity" });
});

test("a request is ended, and the next one answered", async () => {
  const answers = await answersTo(
    [
      { id: 1, recipe, images: [image], results: ["labels"], progress: true },
      { id: 2, recipe, images: [image], results: ["labels"] },
      { abort: 2 },
      { id: 3, recipe, images: [image], results: [] },
      { abort: 99 },
    ],
    3,
  );
  expect(answers.find(({ id, progress }) => id === 2 && !progress)?.error?.name).toBe("AbortError");
  expect(answers.find(({ id }) => id === 3)?.facts).toMatchObject({ count: 2 });
  expect(answers.some(({ id, progress }) => id === 1 && progress !== undefined)).toBe(true);
});

test("outlines, and the nearest pixels of a map", async () => {
  const traced = { ...recipe, products: { rings: "exact" } };
  const [outlined, mapped] = await answersTo(
    [
      { id: 1, recipe: traced, images: [image], results: ["outlines"] },
      {
        id: 2,
        recipe: { skerry: 1, operation: "distance", options: { threshold: { above: 6 } } },
        images: [image],
        results: ["distances", "nearest"],
      },
    ],
    2,
  );
  const named = Object.fromEntries((outlined?.arrays ?? []).map((each) => [each.name, each]));
  expect(Array.from(named["outlines.points"]?.data ?? [])).toEqual([1, 0, 2, 0, 2, 2, 1, 2, 3, 0, 4, 0, 4, 1, 3, 1]);
  expect(named["outlines.points"]).toMatchObject({ type: "i32", shape: [8, 2] });
  expect(Array.from(named["outlines.rings"]?.data ?? [])).toEqual([0, 8, 16]);
  expect(Array.from(named["outlines.label"]?.data ?? [])).toEqual([1, 2]);
  // The only pixel above 6 is the last one of the first row.
  expect(mapped?.arrays?.[1]).toMatchObject({ name: "nearest", type: "u32", shape: [2, 4] });
  expect(Array.from(mapped?.arrays?.[1]?.data ?? [])).toEqual(new Array(8).fill(3));
});
