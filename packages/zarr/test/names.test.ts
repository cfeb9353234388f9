import { expect, test } from "vitest";
import * as zarr from "../src/index.js";

test("the public names", () => {
  expect(Object.keys(zarr).sort()).toEqual([
    ...[
      "FileStore",
      "HttpStore",
      "S3Store",
      "ZarrError",
      "checkBlocks",
      "checkSink",
      "crc32c",
      "isRemote",
      "isZarr",
      "isZarrName",
      "limitThreads",
      "openImage",
      "openStore",
    ],
    ...["openZarr", "pixelTypeOfArray", "renameOnce", "sourceOf", "zarrBlocks", "zarrFill", "zarrSink", "zarrSource"],
  ]);
});
