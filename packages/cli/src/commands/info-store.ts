// skerry info of an OME-Zarr image: what an OME-Zarr image holds, and the memory that label would need.

import { STORED_BYTES } from "@skerry/files/internal";
import { openImage, openStore, pixelTypeOfArray } from "@skerry/files/zarr/internal";

interface LevelInfo {
  readonly path: string;
  readonly shape: readonly number[];
  readonly chunks: readonly number[];
  readonly shards: readonly number[] | undefined;
  readonly type: string;
  readonly codecs: readonly string[];
  /** Uncompressed bytes of its values. */
  readonly bytes: number;
  /** The size of a pixel along its axes. */
  readonly scale: readonly number[];
}

export interface StoreInfo {
  readonly input: string;
  readonly name: string | undefined;
  /** Version of OME-Zarr; undefined for an array alone. */
  readonly ome: string | undefined;
  readonly zarr: 2 | 3;
  readonly axes: readonly { readonly name: string; readonly unit?: string | undefined }[];
  readonly levels: readonly LevelInfo[];
  readonly labels: readonly string[];
  /** Bytes that label needs for level 0: one bit per pixel, and one row of chunks. Each run of an object adds 8 bytes. */
  readonly labelBytes: number;
}

export async function infoOfStore(input: string): Promise<StoreInfo> {
  const image = await openImage(openStore(input));
  const levels = await Promise.all(
    image.levels.map(async ({ path, scale }, i): Promise<LevelInfo> => {
      const { shape, chunks, shards, dataType, codecs } = await image.array(i);
      const bytes = shape.reduce((product, side) => product * side, 1) * STORED_BYTES[pixelTypeOfArray(dataType)];
      return { path, shape, chunks, shards, type: dataType, codecs, bytes, scale };
    }),
  );
  const side = (numbers: readonly number[], axis: string): number => {
    const at = image.axes.findIndex(({ name }) => name === axis);
    return at < 0 ? 1 : numbers[at];
  };
  const [{ shape, chunks, type }] = levels;
  const [width, height, depth] = ["x", "y", "z"].map((axis) => side(shape, axis));
  const rows = depth > 1 ? Math.min(depth, side(chunks, "z")) * height : Math.min(height, side(chunks, "y"));
  const bits = Math.ceil(width / 32) * 4 * height * depth;
  const labelBytes = bits + rows * width * STORED_BYTES[pixelTypeOfArray(type as never)];
  const labels = await image.labels();
  const { ome, zarr, axes, name } = image;
  return { input, name, ome, zarr, axes, levels, labels, labelBytes };
}

/** Bytes as text, in the largest unit of which there is at least one. */
function size(bytes: number): string {
  const units = ["bytes", "KiB", "MiB", "GiB", "TiB"];
  const at = bytes > 0 ? Math.min(4, Math.floor(Math.log2(bytes) / 10)) : 0;
  const amount = bytes / 1024 ** at;
  return `${amount < 10 && at > 0 ? amount.toFixed(1) : Math.round(amount)} ${units[at]}`;
}

export function storeAsText({ input, ome, zarr, axes, levels, labels, labelBytes }: StoreInfo): string {
  const what = ome === undefined ? `an array of Zarr ${zarr}` : `OME-Zarr ${ome} (Zarr ${zarr})`;
  const units = axes.map(({ name, unit }) => (unit === undefined ? name : `${name} in ${unit}`)).join(", ");
  return [
    `${input}: ${what}, axes ${units}`,
    ...levels.map(({ path, shape, chunks, shards, type, codecs, bytes, scale }, i) => {
      const packed = codecs.filter((name) => name !== "bytes").map((name) => name.replace("numcodecs.", ""));
      const inside = shards ? ` in shards of ${shards.join(" x ")}` : "";
      return `level ${i}   ${path || "."}: ${shape.join(" x ")} ${type}, ${size(bytes)}; chunks of ${chunks.join(" x ")}${inside}, ${packed.join(", ") || "not packed"}; pixels of ${scale.join(" x ")}`;
    }),
    ...(labels.length > 0 ? [`labels    ${labels.join(", ")}`] : []),
    `label     of level 0 takes ${size(labelBytes)} of memory, and 8 bytes for each run of pixels`,
  ].join("\n");
}
