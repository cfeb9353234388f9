// Arrays that tensorstore wrote, from goldens/arrays.json.gz, and the values that they hold by the formula of render-arrays.py.

import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";

/** An array: its keys with their bytes, and what it holds. */
export interface Golden {
  readonly name: string;
  readonly dtype: string;
  readonly holes: boolean;
  readonly fill: number;
  readonly files: Readonly<Record<string, string>>;
}

export const SHAPE = [11, 14, 17] as const;

export const GOLDENS: readonly Golden[] = JSON.parse(
  gunzipSync(readFileSync(new URL("../goldens/arrays.json.gz", import.meta.url))).toString(),
);

/** The keys of an array with their bytes. */
export function filesOf({ files }: Golden): Record<string, Uint8Array> {
  return Object.fromEntries(Object.entries(files).map(([key, text]) => [key, Buffer.from(text, "base64")]));
}

/** The values of an array, x fastest. */
export function valuesOf({ dtype, holes, fill }: Golden): number[] {
  const kind = dtype.replace(/[<>|]/, "");
  const values: number[] = [];
  const [depth, height, width] = SHAPE;
  for (let z = 0; z < depth; z++) {
    for (let y = 0; y < height; y++) {
      for (let x = 0; x < width; x++) {
        const isHole =
          (Math.floor(z / 5) + Math.floor(y / 5) + Math.floor(x / 5)) % 3 === 1 ||
          (Math.floor(y / 10) === 1 && Math.floor(x / 10) === 1);
        const on = (Math.floor(x / 4) + Math.floor(y / 3) + Math.floor(z / 2)) % 3 !== 0;
        const value = on ? (x * 7 + y * 13 + z * 29) % 251 : 0;
        if (holes && isHole) values.push(fill);
        else if (kind.startsWith("f")) values.push(value / 8);
        else if (kind === "i1") values.push(value === 0 ? 0 : ((value - 100) << 24) >> 24);
        else if (kind.startsWith("i")) values.push(value === 0 ? 0 : value - 100);
        else values.push(value);
      }
    }
  }
  return values;
}
