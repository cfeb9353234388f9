// image-js, as its users call it: a mask to a map of regions of interest. argv: file, size, connectivity.

import { readFileSync } from "node:fs";
import { fromMask, Mask } from "image-js";
import { measure } from "./measure.mjs";

const [file, size, connectivity] = [process.argv[2], ...process.argv.slice(3).map(Number)];
const data = new Uint8Array(readFileSync(file)).map((v) => (v ? 1 : 0));
const mask = new Mask(size, size, { data });
await measure(["labels"], async (lap) => {
  const map = fromMask(mask, { allowCorners: connectivity === 8 });
  const rois = map.getRois({ kind: "white" });
  let area = 0;
  for (const roi of rois) area += roi.surface;
  if (area <= 0) throw new Error("found nothing");
  lap();
});
