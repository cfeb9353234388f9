// skerry's fill through its public API, from RGB in an ordinary array: fill(), then the mask read back; and the same
// of a loaded Image. argv: file, size, connectivity, x, y, tolerance, range, threads.

import { readFileSync } from "node:fs";
import { open } from "skerry";
import { measure } from "./measure.mjs";

const [file, size, connectivity, x, y, tolerance] = [process.argv[2], ...process.argv.slice(3, 8).map(Number)];
const [range, threads] = [process.argv[8], Number(process.argv[9])];
const raster = { data: new Uint8Array(readFileSync(file)), width: size, height: size, channels: 3 };
const engine = await open({ device: "cpu", threads });
const image = await engine.load(raster);
const options = { seeds: [[x, y]], tolerance, range, connectivity };
let area = 0;
await measure(
  ["fill", "loaded"],
  async (lap) => {
    const found = await engine.fill(raster, options);
    await found.mask();
    lap();
    const again = await engine.fill(image, options);
    await again.mask();
    lap();
    area = again.foreground;
    found.dispose();
    again.dispose();
  },
  21,
  () => ({ area }),
);
await engine.close();
