// The bench of fills: every peer beside skerry on the same images, one process each.
//
//     npm run bench -- fill [--size 4096 --connectivity 4,8 --range fixed,floating --threads N --only NAME --skip PEER,PEER]

import { parseArgs } from "node:util";
import Table from "cli-table3";
import { FILL_IMAGES, fillImage, TOLERANCE } from "./fill-images.mjs";
import { cores, heading, ms, notes, peer, times } from "./peer.mjs";

export async function benchFill(args) {
  const { values } = parseArgs({
    args,
    options: {
      size: { type: "string", default: "4096" },
      connectivity: { type: "string", default: "4,8" },
      range: { type: "string", default: "fixed,floating" },
      threads: { type: "string", default: String(cores) },
      only: { type: "string" },
      skip: { type: "string", default: "" },
    },
  });
  const size = Number(values.size);
  const run = (name, given) => (values.skip.split(",").includes(name) ? undefined : peer(name, given));
  console.log(heading());
  for (const range of values.range.split(",")) {
    for (const connectivity of values.connectivity.split(",")) {
      const table = new Table({
        head: [
          "image",
          "pixels",
          "skerry",
          "loaded",
          "OpenCV",
          "vs",
          "loaded vs",
          "opencv-js",
          "q-floodfill",
          "magic-wand",
        ],
        colAligns: ["left", ...Array(9).fill("right")],
        style: { head: [], border: [], compact: true },
      });
      for (const name of Object.keys(FILL_IMAGES)) {
        if (values.only && !name.includes(values.only)) continue;
        const { path, seed } = fillImage(name, size);
        const common = [path, String(size), connectivity, ...seed.map(String), String(TOLERANCE), range];
        const own = await run("fill-skerry.mjs", [...common, values.threads]);
        const native = await run("fill-opencv.py", common);
        const wasm = await run("fill-opencv-js.mjs", common);
        // The packages for canvases support only 4-connectivity and comparison with the seed's colour.
        const plain = connectivity === "4" && range === "fixed";
        const script = plain ? await run("fill-q-floodfill.mjs", common) : undefined;
        const wand = plain ? await run("fill-magic-wand-tool.mjs", common) : undefined;
        if (!own) continue;
        const others = [native, wasm, script, wand].filter(Boolean);
        if (others.some(({ area }) => area !== own.area))
          notes.push(`areas differ on ${name}: ${own.area}, ${others.map(({ area }) => area)}`);
        const [host, loaded] = own.medians;
        table.push([
          name,
          own.area,
          ms(host),
          ms(loaded),
          ms(native?.medians[0]),
          times(native?.medians[0], host),
          times(native?.medians[0], loaded),
          ...[wasm, script, wand].map((found) => ms(found?.medians[0])),
        ]);
      }
      console.log(
        `fill, ${size} x ${size} RGB, ${connectivity}-connected, ${range} range, ${values.threads} threads, median ms`,
      );
      console.log(table.toString());
    }
  }
  for (const note of notes) console.log(note);
}
