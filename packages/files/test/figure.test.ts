// Figures: what is drawn over and around the picture, in PNG and SVG alike.

import { MemoryOutput, objectColour, palette } from "@skerry/files";
import { type Figure, glyphRows, measureOf, roundLength, writeFigure } from "@skerry/files/internal";
import { decode } from "fast-png";
import { type Components, type Engine, open } from "skerry";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { coloursOf } from "../src/drawing/figure.js";

const [width, height] = [900, 600];
let engine: Engine;
let objects: Components;

/** A disc and a ring of two values on black. */
function scene(): Uint8Array {
  const data = new Uint8Array(width * height);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      if ((x - 200) ** 2 + (y - 300) ** 2 < 100 ** 2) data[y * width + x] = 90;
      const far = (x - 600) ** 2 + (y - 300) ** 2;
      if (far < 150 ** 2 && far > 50 ** 2) data[y * width + x] = 200;
    }
  }
  return data;
}

beforeAll(async () => {
  engine = await open({ device: "cpu", threads: 1 });
  objects = await engine.components({ data: scene(), width, height }, { threshold: { above: 50 } });
});
afterAll(() => engine.close());

async function bytesOf(ending: ".png" | ".svg", given: Partial<Figure>): Promise<Uint8Array> {
  const file = new MemoryOutput();
  const grey = scene();
  const data = Uint8Array.from({ length: 3 * grey.length }, (_, i) => grey[Math.floor(i / 3)]!);
  await writeFigure(file, ending, { width, height, data, parts: [], objects, ...given });
  return file.bytes();
}

async function pngOf(given: Partial<Figure>) {
  const { data, ...size } = decode(await bytesOf(".png", given));
  return {
    ...size,
    at: (x: number, y: number) => [...data.subarray(3 * (y * size.width + x), 3 * (y * size.width + x) + 3)],
  };
}

const svgOf = async (given: Partial<Figure>): Promise<string> => new TextDecoder().decode(await bytesOf(".svg", given));

describe("pictures", () => {
  test("without parts it is the picture itself", async () => {
    const { at, ...size } = await pngOf({});
    expect([size.width, size.height]).toEqual([width, height]);
    expect([at(0, 0), at(200, 300), at(700, 300)]).toEqual([
      [0, 0, 0],
      [90, 90, 90],
      [200, 200, 200],
    ]);
  });

  test("outlines lie on the border pixels of each object, also around a hole, and nowhere else", async () => {
    const { at } = await pngOf({ parts: ["outlines"] });
    const isDrawn = (x: number, y: number): boolean => new Set(at(x, y)).size > 1;
    const { data: labels } = await objects.labels();
    let wrong = 0;
    for (let y = 0; y < height; y++) {
      for (let x = 0; x < width; x++) {
        const own = labels[y * width + x];
        const beside = [
          [1, 0],
          [-1, 0],
          [0, 1],
          [0, -1],
        ].map(([dx, dy]) =>
          x + dx! < 0 || x + dx! >= width || y + dy! < 0 || y + dy! >= height ? 0 : labels[(y + dy!) * width + x + dx!],
        );
        if (isDrawn(x, y) !== (own! > 0 && beside.some((other) => other !== own))) wrong++;
      }
    }
    expect(wrong).toBe(0);
  });

  test("small pictures are enlarged by whole pixels", async () => {
    const file = new MemoryOutput();
    const data = Uint8Array.from({ length: 3 * 4 * 2 }, (_, i) => i);
    await writeFigure(file, ".png", { width: 4, height: 2, data, parts: [], objects: undefined });
    const png = decode(file.bytes());
    expect([png.width, png.height]).toEqual([800, 400]);
    expect([...png.data.subarray(0, 3), ...png.data.subarray(3 * 200, 3 * 201)]).toEqual([0, 1, 2, 3, 4, 5]);
  });

  test("a bar is as long as it says", async () => {
    const { at } = await pngOf({ parts: ["bar"], pixel: { sides: [0.25, 0.25], unit: "\u00b5m" } });
    let [longest, run] = [0, 0];
    for (let y = 0; y < height; y++) {
      for (let x = 0; x < width; x++) {
        run = at(x, y).every((byte) => byte === 255) ? run + 1 : 0;
        longest = Math.max(longest, run);
      }
      run = 0;
    }
    expect(await svgOf({ parts: ["bar"], pixel: { sides: [0.25, 0.25], unit: "\u00b5m" } })).toContain(
      ">50 \u00b5m</text>",
    );
    expect(longest * 0.25).toBe(50);
  });

  test("a title of many words stands in lines above the picture, within its width", async () => {
    const title = `${"cells of the third day ".repeat(8)}${"x".repeat(300)}`;
    const { at, ...size } = await pngOf({ title });
    const above = size.height - height;
    expect(above).toBeGreaterThan(3 * 7);
    expect(at(200, above + 300)).toEqual([90, 90, 90]);
    for (let y = 0; y < above; y++) expect(at(width - 1, y)).toEqual([255, 255, 255]);
    const lines = [...(await svgOf({ title })).matchAll(/<text [^>]*>([^<]*)<\/text>/g)].map(([, line]) => line);
    expect(lines.join("").replaceAll(" ", "")).toBe(title.replaceAll(" ", ""));
  });
});

describe("drawings", () => {
  test("each object is a path with its id and value, and text is text", async () => {
    const measure = measureOf([{ name: "mean", parts: ["mean"], values: [90, 200], units: [undefined] }], "mean");
    const svg = await svgOf({ parts: ["colours", "numbers"], measure, ids: [7n, 2n ** 60n], title: "a <b> & c" });
    expect([...svg.matchAll(/<path /g)]).toHaveLength(2);
    expect(svg).toContain("<title>7: mean 90</title>");
    expect(svg).toContain(`<title>${2n ** 60n}: mean 200</title>`);
    expect(svg).toContain(">a &lt;b&gt; &amp; c</text>");
    expect(svg).toMatch(/>90<\/text>[\s\S]*>200<\/text>/);
    const [, base64 = ""] = /base64,([^"]*)"/.exec(svg) ?? [];
    const inside = decode(Buffer.from(base64, "base64"));
    expect([inside.width, inside.height, inside.data[3 * (300 * width + 200)]]).toEqual([width, height, 90]);
  });

  test("a number stands at the centroid of its object", async () => {
    const svg = await svgOf({ parts: ["numbers"] });
    const { centroid } = await objects.regions({ properties: ["centroid"] });
    const xs = [...svg.matchAll(/<text x="([\d.]+)"[^>]*>(\d+)<\/text>/g)].map(([, x, text]) => [Number(x), text]);
    expect(xs).toEqual([
      [centroid![0]! + 0.5, "1"],
      [centroid![2]! + 0.5, "2"],
    ]);
  });
});

test("colours follow values from the least to the largest; what has none is grey", async () => {
  const measure = { values: [3, Number.NaN], name: "x" };
  const { at } = await pngOf({ parts: ["outlines"], measure });
  // The ring begins in an earlier row: it is object 1.
  expect(at(200 - 99, 300)).toEqual([128, 128, 128]);
});

test("round lengths are at most what is asked, and more than a third of it", () => {
  for (let i = 0; i < 400; i++) {
    const most = 10 ** (-8 + i / 25);
    const length = roundLength(most);
    expect(length).toBeLessThanOrEqual(most * (1 + 1e-12));
    expect(length).toBeGreaterThan(most / 2.6);
    expect(["1", "2", "5"]).toContain(length.toExponential(0)[0]);
  }
});

describe("figures of unusual pictures", () => {
  const shapesOf = async (given: Partial<Figure>, size: readonly [number, number]): Promise<string> => {
    const file = new MemoryOutput();
    const [across, down] = size;
    const data = new Uint8Array(3 * across * down);
    await writeFigure(file, ".svg", { width: across, height: down, data, parts: ["bar"], ...given });
    return new TextDecoder().decode(file.bytes());
  };
  const pixel = { sides: [0.65, 0.65], unit: "\u00b5m" } as const;

  test.each([
    [100, 2000],
    [1, 5000],
    [5000, 1],
    [2000, 100],
  ])(
    "%s x %s: all boxes and words lie inside, and the bar below a picture that is too small for it",
    async (...size) => {
      const measure = { values: [1, 2], name: "equivalent_diameter (\u00b5m)" };
      const svg = await shapesOf(
        { pixel, measure, parts: ["colours", "bar"], title: "Cells of the first plate" },
        size,
      );
      const [, width, height] = /viewBox="0 0 (\d+) (\d+)"/.exec(svg)!.map(Number);
      for (const [, x, y, wide, high] of svg.matchAll(
        /<rect x="([^"]+)" y="([^"]+)" width="([^"]+)" height="([^"]+)"/g,
      )) {
        expect(Number(x)).toBeGreaterThanOrEqual(0);
        expect(Number(y)).toBeGreaterThanOrEqual(0);
        expect(Number(x) + Number(wide)).toBeLessThanOrEqual(width!);
        expect(Number(y) + Number(high)).toBeLessThanOrEqual(height!);
      }
      expect(svg).toContain(">Cells of the first plate</text>");
      expect(svg).toContain('fill="#000000"/>');
    },
  );

  test("pixels that are not square are drawn in their proportions", async () => {
    const svg = await shapesOf({ pixel: { sides: [0.5, 2], unit: "mm" } }, [1000, 500]);
    expect(svg).toContain('viewBox="0 0 1000 2000"');
    expect(svg).toContain("scale(1 4)");
    await expect(shapesOf({ pixel: { sides: [1, 1e-6], unit: "mm" } }, [1000, 500])).rejects.toThrow(
      "at most 536870912",
    );
  });

  test("letters that XML lacks, and halves of letters, are replaced", async () => {
    const svg = await shapesOf({ title: "a\ufffe b\ud800 c" }, [800, 10]);
    expect(svg).toContain(">a\ufffd b\ufffd c</text>");
  });

  test("of a property with several numbers the first is shown, by its name", () => {
    const parts = ["mean_channel0", "mean_channel1"];
    const { values, name } = measureOf(
      [{ name: "mean", parts, values: [1, 2, 3, 4], units: [undefined, undefined] }],
      "mean",
    )!;
    expect([[...Array.from(values)], name]).toEqual([[1, 3], "mean_channel0"]);
  });

  test("a letter with an accent is drawn without it", () => {
    expect(glyphRows("\u00e9\u00fc")).toEqual(glyphRows("eu"));
  });
});

test("units are written with their powers", () => {
  const column = { name: "area", parts: ["area"], values: [1], units: ["\u00b5m2"] };
  expect(measureOf([column], "area")?.name).toBe("area (\u00b5m\u00b2)");
  expect(measureOf([{ ...column, units: ["mm3"] }], "area")?.name).toBe("area (mm\u00b3)");
  expect(glyphRows("\u00b3").join("")).toContain("#");
});

describe("classes", () => {
  const column = (values: readonly number[], name = "value") =>
    ({ name, parts: [name], values, units: [] }) as unknown as Parameters<typeof measureOf>[0][number];

  test("each has its own colour, the same in every picture, and a box in the legend", async () => {
    const measure = measureOf([column([2, 5])], "value");
    expect(measure).toMatchObject({ name: "value", classes: [2, 5] });
    const { at, ...size } = await pngOf({ parts: ["colours"], measure });
    const colours = palette();
    const over = (grey: number, value: number) =>
      [...objectColour(colours, value)].map((part) => Math.floor(grey * (1 - 0.6) + part * 0.6));
    expect([at(200, 300), at(700, 300)]).toEqual([over(90, 5), over(200, 2)]);
    const below = new Set<string>();
    for (let y = height; y < size.height; y++) for (let x = 0; x < size.width; x++) below.add(String(at(x, y)));
    for (const value of [2, 5]) expect(below).toContain(String(objectColour(colours, value)));
    expect(await svgOf({ parts: ["colours"], measure })).toContain(">5</text>");
  });

  test("no two classes have one colour, whatever their numbers", () => {
    for (const values of [
      [1, 4097, 8193],
      [-5, -1, 1, 5],
      [65535, 2 ** 32 - 1, 2 ** 53 - 1],
      [1, 988],
    ]) {
      const colours = coloursOf(measureOf([column(values)], "value")!);
      expect(new Set(values.map((_, i) => String(colours.subarray(3 * i + 3, 3 * i + 6)))).size).toBe(values.length);
    }
  });

  test("other properties, parts of whole numbers and more than 24 values are ranges", () => {
    const many = Array.from({ length: 25 }, (_, i) => i);
    expect(measureOf([column([2, 5], "area")], "area")).toMatchObject({ name: "area", classes: undefined });
    for (const each of [column([2, 5.5]), column(many), column([])])
      expect(measureOf([each], "value")).toMatchObject({ name: "value", classes: undefined });
    expect(measureOf([column(many.slice(1))], "value")?.classes).toHaveLength(24);
    expect(measureOf([column([3, -1, 3])], "value")?.classes).toEqual([-1, 3]);
    expect(measureOf([column([3, Number.NaN, Number.POSITIVE_INFINITY])], "value")?.classes).toEqual([3]);
    const ids = { ...column([]), values: BigInt64Array.of(2n ** 53n, 2n ** 53n + 1n) };
    expect(() => measureOf([ids as never], "value")).toThrow("at most 2^53 for colours by value");
    const colours = { ...column([1, 2, 3]), parts: ["value_r", "value_g", "value_b"] };
    expect(() => measureOf([colours], "value")).toThrow("one channel for colours by value, got 3");
  });
});
