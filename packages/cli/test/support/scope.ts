// The names that blocks of code take for granted, on small rendered images: an engine, a photograph, objects, a volume.

import * as fs from "node:fs";
import * as cluster from "@skerry/cluster";
import * as files from "@skerry/files";
import * as nodeFiles from "@skerry/files/node";
import * as zarr from "@skerry/files/zarr";
import * as recipes from "@skerry/recipe";
import * as scenes from "@skerry/scenes";
import * as skerry from "skerry";

const [width, height, depth] = [160, 120, 6];

/** The modules that blocks import. */
export const MODULES: Readonly<Record<string, object>> = {
  skerry,
  "node:fs": fs,
  "@skerry/files/zarr": zarr,
  "@skerry/files": files,
  "@skerry/files/node": nodeFiles,
  "@skerry/recipe": recipes,
  "@skerry/cluster": cluster,
  "@skerry/scenes": scenes,
};

/** Discs of several sizes and brightnesses on a dark ground with a slow slope. */
function discs(channels: number, slices = 1): Uint8Array {
  const data = new Uint8Array(width * height * slices * channels);
  for (let i = 0; i < data.length; i++) {
    const pixel = Math.floor(i / channels);
    const [x, y, z] = [pixel % width, Math.floor(pixel / width) % height, Math.floor(pixel / (width * height))];
    const [column, row] = [Math.floor(x / 20), Math.floor(y / 20)];
    const inside = Math.hypot(x - column * 20 - 10, y - row * 20 - 10) < 3 + ((column + row) % 6) - Math.abs(z - 2);
    data[i] = inside
      ? 120 + ((column * 17 + row * 31 + (i % channels) * 40) % 130)
      : 10 + Math.floor(x / 16) + (pixel % 3);
  }
  return data;
}

/** Everything that blocks name without declaring it; `place` is the file of the block. */
export async function scopeOf(engine: skerry.Engine, place: string): Promise<Record<string, unknown>> {
  const image = { data: discs(1), width, height };
  const photo = { data: discs(3), width, height, channels: 3 };
  const spacing = [0.88, 0.88, 0.88] as const;
  const scan = { data: discs(1, depth), width, height, depth, spacing };
  const classMap = { data: scan.data.map((value) => value >> 6), width, height, depth };
  const labelImage = { data: image.data.map((value) => value >> 6), width, height };
  const blobs = await engine.components(image, { threshold: { above: 60 }, connectivity: 8 });
  const head = await engine.components(scan, { threshold: { above: 60 }, connectivity: 26 });
  const mask = await blobs.mask();
  const areas = await engine.components(labelImage, { by: "value" });
  const map = await engine.distance(head);
  const recipe: recipes.Recipe = { skerry: 1, operation: "components", options: { threshold: "otsu" } };
  const flat = { x: 12, y: 30, z: 2 };
  const file = {
    read: (into: Uint8Array) => fs.readSync(fs.openSync("/dev/zero", "r"), into),
    readBox: (_z0: number, _z1: number, _y0: number, _y1: number, into: Uint16Array) => void into.fill(1000),
  };
  return {
    ...zarr,
    ...recipes,
    ...cluster,
    ...skerry,
    engine,
    width,
    height,
    depth,
    ...flat,
    i: 7,
    tolerance: 20,
    image,
    photo,
    page: image,
    slide: photo,
    scan,
    data: scan.data,
    classMap,
    labelImage,
    imageData: image,
    blobs,
    nuclei: blobs,
    cells: blobs,
    tissue: mask,
    tissues: areas,
    areas,
    wand1: blobs,
    wand2: mask,
    mask,
    head,
    largest: head,
    object: head,
    tumours: head,
    distance: await engine.load({ ...image, data: discs(1) }),
    points: [
      [10, 10],
      [30, 30],
    ] as const,
    probability: image,
    labels: labelImage.data,
    recipe,
    file,
    wand: await engine.wand(photo, { seeds: [[10, 10]] }),
    // The maps of a model are images.
    map: place.includes("masks") ? image : map,
    output: { append: () => undefined },
    slider: {},
    canvas: {},
    show: () => undefined,
  };
}
