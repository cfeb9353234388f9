// Volumes on the CPU: smooth blobs and noise of 512 x 512 x 512, and a real class map by value, beside SciPy in the same
// run. `npm run bench -- volumes [--size 512 --threads N --classes FILE.nii.gz]`

import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { gunzipSync } from "node:zlib";
import Table from "cli-table3";
import { cores, heading, ms, notes, peer, times } from "./peer.mjs";
import { VOLUMES, volumeFile } from "./volume-images.mjs";

/** What cc3d took on the machine of the README, one thread, for the labels of smooth blobs, with 6 and 26 neighbours. */
const CC3D_MILLISECONDS = 720;

export async function benchVolumes(args) {
  const { values } = parseArgs({
    args,
    options: {
      size: { type: "string", default: "512" },
      threads: { type: "string", default: String(cores) },
      classes: {
        type: "string",
        default: fileURLToPath(new URL("../../../../shared/data/mni152_pveseg.nii.gz", import.meta.url)),
      },
    },
  });
  const size = Number(values.size);
  console.log(heading());
  console.log(`u8, ${values.threads} threads, from an array, labels into memory used before, median ms`);
  const table = new Table({
    head: ["volume", "neighbours", "regions", "+ labels", "SciPy", "vs SciPy", "vs cc3d's 720", "objects"],
    colAligns: ["left", ...Array(7).fill("right")],
    style: { head: [], border: [], compact: true },
  });
  const row = async (name, file, sides, connectivity, by, cc3d) => {
    const common = [file, ...sides.map(String), String(connectivity)];
    const own = await peer("volumes-skerry.mjs", [...common, values.threads, ...by]);
    const scipy = await peer("volumes-scipy.py", [...common, ...by]);
    if (!own) return;
    const both = own.medians[0] + own.medians[1];
    if (scipy && scipy.count !== own.count) throw new Error(`SciPy finds ${scipy.count} objects, not ${own.count}`);
    const known = cc3d ? times(CC3D_MILLISECONDS, both) : "-";
    const measured = [own.medians[0], both, scipy?.medians[0]].map(ms);
    table.push([name, connectivity, ...measured, times(scipy?.medians[0], both), known, own.count]);
  };
  for (const name of Object.keys(VOLUMES)) {
    const file = volumeFile(name, size);
    for (const connectivity of [26, 6]) {
      await row(
        `${name}, ${size}^3`,
        file,
        [size, size, size],
        connectivity,
        [],
        name.startsWith("smooth") && size === 512,
      );
    }
  }
  if (existsSync(values.classes)) {
    const bytes = gunzipSync(readFileSync(values.classes));
    const sides = [42, 44, 46].map((at) => bytes.readInt16LE(at));
    const file = join(tmpdir(), "skerry-bench", "classes.raw");
    writeFileSync(file, bytes.subarray(bytes.readFloatLE(108)));
    for (const connectivity of [26, 6])
      await row("tissue classes, by value", file, sides, connectivity, ["value"], false);
  } else {
    notes.push(`skipped the class map: there is no ${values.classes}`);
  }
  console.log(table.toString());
  for (const note of notes) console.log(note);
}
