// A table of TIFFs written by tifffile: every type, byte order and layout. The values that the command line reads are those that
// were written, or the file is refused in one sentence; no file opens with other values.

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { golden } from "../../skerry/test/support/golden.js";
import { openPicture, rasterOf } from "../src/node/index.js";

interface Written {
  readonly name: string;
  readonly file: string;
  readonly type: string;
  /** Pages, rows, columns, samples. */
  readonly shape: readonly [number, number, number, number];
  readonly values: readonly number[];
}

const SCRIPT = `import base64, io, json, sys
import numpy as np, tifffile
out = []
def add(name, a, shape, **options):
    file = io.BytesIO()
    tifffile.imwrite(file, a, **options)
    out.append(dict(name=name, file=base64.b64encode(file.getvalue()).decode(), type=str(a.dtype), shape=shape, values=[float(v) for v in a.ravel()]))
rng = np.random.default_rng(5)
for kind in ["u1", "i1", "u2", "i2", "u4", "i4", "f2", "f4", "f8", "u8", "i8"]:
    a = rng.integers(-100, 100, (20, 30)) if kind[0] in "if" else rng.integers(0, 200, (20, 30))
    a = a.astype(kind)
    if kind[0] in "iu":
        info = np.iinfo(kind)
        a.flat[:4] = [info.min, info.max, info.max // 2, info.min // 2] if kind[1] != "8" else [1, 2, 3, 4]
    else:
        a.flat[:4] = [-0.5, 0.25, 1000, -1000]
    for order in "<>":
        for label, options in [("plain", {}), ("deflate", dict(compression="zlib")), ("strips", dict(rowsperstrip=3)), ("tiles", dict(tile=(16, 16)))]:
            add(f"{kind} {order} {label}", a, (1, 20, 30, 1), byteorder=order, photometric="minisblack", **options)
    add(f"{kind} pages", np.stack([a, a[::-1], a[:, ::-1]]), (3, 20, 30, 1), photometric="minisblack")
    add(f"{kind} big", a, (1, 20, 30, 1), photometric="minisblack", bigtiff=True)
for kind in ["u1", "u2"]:
    a = rng.integers(0, 250, (20, 30, 3)).astype(kind)
    add(f"{kind} RGB", a, (1, 20, 30, 3), photometric="rgb")
    add(f"{kind} RGB planes", np.moveaxis(a, 2, 0).copy(), (1, 20, 30, 3), photometric="rgb", planarconfig="separate")
    out[-1]["values"] = [float(v) for v in a.ravel()]
a = rng.integers(0, 200, (2, 20, 30)).astype("u1")
add("ImageJ channels", a, (0, 0, 0, 0), imagej=True, metadata={"axes": "CYX"})
add("ImageJ times", a, (0, 0, 0, 0), imagej=True, metadata={"axes": "TYX"})
add("ImageJ slices", a, (2, 20, 30, 1), imagej=True, metadata={"axes": "ZYX"})
add("OME channels", a, (0, 0, 0, 0), ome=True, metadata={"axes": "CYX"}, photometric="minisblack")
sys.stdout.write(json.dumps(out))`;

const table = JSON.parse(
  golden("tifffile", { modules: "tifffile", script: SCRIPT, input: "" }).toString(),
) as readonly Written[];

/** What is refused: half and double floats, 64-bit integers, and stacks of channels or times. */
const isRefused = ({ type, shape }: Written): boolean =>
  ["float16", "float64", "uint64", "int64"].includes(type) || shape[0] === 0;

test("tifffile: every value as written, or a sentence", async () => {
  const folder = mkdtempSync(join(tmpdir(), "skerry-tifffile-"));
  const path = join(folder, "a.tif");
  const wrong: string[] = [];
  for (const each of table) {
    writeFileSync(path, Buffer.from(each.file, "base64"));
    try {
      const picture = await openPicture(path);
      const { data, width, height, depth = 1, channels } = await rasterOf(picture);
      await picture.close();
      if (isRefused(each)) wrong.push(`${each.name} opens`);
      const [pages, rows, columns, samples] = each.shape;
      if ([depth, height, width, channels].join() !== [pages, rows, columns, samples].join()) {
        wrong.push(`${each.name} has ${[depth, height, width, channels]}`);
      }
      const at = each.values.findIndex((value, i) => data[i] !== value);
      if (at >= 0 && !isRefused(each))
        wrong.push(`${each.name} has ${data[at]} at ${at} instead of ${each.values[at]}`);
    } catch (error) {
      if (!isRefused(each)) wrong.push(`${each.name}: ${(error as Error).message}`);
      else if (!/^Expected .*a\.tif to hold .*\.$/.test((error as Error).message)) wrong.push((error as Error).message);
    }
  }
  rmSync(folder, { recursive: true });
  expect(wrong).toEqual([]);
  expect(table.length).toBeGreaterThan(110);
});
