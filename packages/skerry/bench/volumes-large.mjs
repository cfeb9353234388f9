// A volume that is never whole in memory: 1250 x 1250 x 1184 smooth blobs from a Source, measured, its runs read, and
// its labels streamed to a Sink; and the peak memory of the process.
//
//     node bench/volumes-large.mjs [--threads N --connectivity 26]

import { cpus } from "node:os";
import { parseArgs } from "node:util";
import { open } from "skerry";
import { heading } from "./peer.mjs";
import { blobField } from "./volume-images.mjs";

const { values } = parseArgs({
  options: {
    threads: { type: "string", default: String(Math.min(8, cpus().length)) },
    connectivity: { type: "string", default: "26" },
  },
});
const [width, height, depth] = [1250, 1250, 1184];
const slice = blobField(width, height, depth);
let rendering = 0;
const source = {
  width,
  height,
  depth,
  type: "u8",
  read(z0, z1, y0, y1, into) {
    const begin = performance.now();
    if (y0 === 0 && y1 === height) {
      for (let z = z0; z < z1; z++) slice(z, into.subarray((z - z0) * width * height, (z - z0 + 1) * width * height));
    } else {
      const whole = new Uint8Array(width * height);
      slice(z0, whole);
      into.set(whole.subarray(y0 * width, y1 * width));
    }
    rendering += performance.now() - begin;
  },
};
const engine = await open({ device: "cpu", threads: Number(values.threads) });
const time = async (work) => {
  const begin = performance.now();
  const result = await work();
  return [result, performance.now() - begin];
};
const [found, labelling] = await time(() => engine.components(source, { connectivity: Number(values.connectivity) }));
const [{ area }, measuring] = await time(() => found.regions());
const [runs, reading] = await time(() => found.runs());
let sum = 0;
let voxels = 0;
const sink = {
  write(_z0, _z1, _y0, _y1, data) {
    voxels += data.length;
    for (let i = 0; i < data.length; i += 4099) sum += data[i];
  },
};
const [, streaming] = await time(() => found.labels({ into: sink }));
const peak = process.resourceUsage().maxRSS / 1024 ** 2;
console.log(heading());
console.log(`${width} x ${height} x ${depth}, ${values.connectivity}-connected, ${values.threads} threads`);
console.log(
  `${found.count} objects, ${found.foreground} voxels, ${runs.count} runs, largest ${area.reduce((a, b) => Math.max(a, b))}; ${voxels} labels streamed (${sum})`,
);
console.log(
  `s: components ${(labelling / 1000).toFixed(1)} (of that rendering ${(rendering / 1000).toFixed(1)}), regions ${(measuring / 1000).toFixed(2)}, runs ${(reading / 1000).toFixed(2)}, labels ${(streaming / 1000).toFixed(2)}; peak ${peak.toFixed(2)} GiB`,
);
await engine.close();
