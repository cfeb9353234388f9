import { expect, test } from "vitest";
import * as zarr from "../../src/zarr/index.js";

test("the public names", () => {
  expect(Object.keys(zarr).sort()).toEqual(["ZarrError", "openZarr", "zarrFill", "zarrSink", "zarrSource"]);
});
