// Fills of resident RGB pixels on the GPU: device time from the first kernel's begin to the last one's end, the seed's
// colour and the counts read back outside of it, beside a reference copy; and the wall clock of the call.

import { readFileSync } from "node:fs";
import { Commands } from "../dist/gpu/device/commands.js";
import { FILL_IMAGES, fillImage, TOLERANCE } from "./fill-images.mjs";
import { median, openEngine, referenceCopy, timed, warm } from "./gpu-stages.mjs";

/** Device time of a fill whose passes are not split into stages, as for users. */
async function unsplit(engine, image, options) {
  const { stage } = Commands.prototype;
  Commands.prototype.stage = () => undefined;
  const found = await engine.fill(image, options);
  Commands.prototype.stage = stage;
  found.dispose();
  return engine.timings.find((timing) => timing.stage === "on the device").milliseconds;
}

export async function fills(root, size, rounds, print, ms) {
  const { engine, context } = await openEngine(root);
  const [source, target] = [
    await context.memory.allocate(size * size, "a"),
    await context.memory.allocate(size * size * 4, "b"),
  ];
  const reference = referenceCopy(size * size, source, target);
  for (const connectivity of [4, 8]) {
    for (const range of ["fixed", "floating"]) {
      const rows = [];
      for (const name of Object.keys(FILL_IMAGES)) {
        const { path, seed } = fillImage(name, size);
        const data = new Uint8Array(readFileSync(path));
        const image = await engine.load({ data, width: size, height: size, channels: 3 });
        const options = { seeds: [seed], tolerance: TOLERANCE, connectivity, range };
        const samples = { copy: [], device: [], whole: [], wall: [], stages: {} };
        let area = 0;
        await engine.fill(image, options).then((found) => found.dispose());
        await warm(context, reference, size);
        for (let round = 0; round < rounds; round++) {
          samples.copy.push((await timed(context, reference)).copy);
          const begin = performance.now();
          const found = await engine.fill(image, options);
          samples.wall.push(performance.now() - begin);
          area = found.foreground;
          found.dispose();
          for (const { stage, milliseconds, clock } of engine.timings) {
            if (clock !== "device") continue;
            if (stage === "on the device") samples.device.push(milliseconds);
            else samples.stages[stage] = [...(samples.stages[stage] ?? []), milliseconds];
          }
          samples.whole.push(await unsplit(engine, image, options));
        }
        const stages = Object.entries(samples.stages).map(([stage, list]) => `${stage} ${ms(median(list))}`);
        rows.push([
          name,
          ms(median(samples.copy)),
          ms(median(samples.whole)),
          ms(median(samples.device)),
          ms(median(samples.wall)),
          area,
          stages.join(", "),
        ]);
        image.dispose();
      }
      console.log(
        `\nfill, ${size} x ${size} RGB, resident, ${connectivity}-connected, ${range} range: median ms of ${rounds}`,
      );
      print(["image", "copy", "device", "in stages", "wall", "pixels", "stages"], rows);
    }
  }
  await engine.close();
}
