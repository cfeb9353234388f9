import { expect, test } from "vitest";
import * as zarr from "../src/index.js";

test("the public names", () => {
  expect(Object.keys(zarr).sort()).toEqual([
    "FileStore",
    "HttpStore",
    "NamedImage",
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
    "openZarr",
    "pixelTypeOfArray",
    "renameOnce",
    "sourceOf",
    "writablePlace",
    "zarrBlocks",
    "zarrFill",
    "zarrSink",
    "zarrSource",
  ]);
});
