import { expect, test } from "vitest";
import * as zarr from "../src/index.js";

test("the public names", () => {
  expect(Object.keys(zarr).sort()).toEqual([
    ...[
      "FileStore",
      "HttpStore",
      "ZarrError",
      "checkSink",
      "isRemote",
      "isZarr",
      "isZarrName",
      "openImage",
      "openStore",
    ],
    ...["openZarr", "pixelTypeOfArray", "zarrFill", "zarrSink", "zarrSource"],
  ]);
});
