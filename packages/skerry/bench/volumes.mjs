// Volumes on the CPU: smooth blobs and noise of 512 x 512 x 512, and a real class map by value, beside SciPy in the same
// run. `npm run bench -- volumes [--size 512 --threads N --classes FILE.nii.gz --cc3d CHECKOUT]`

import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { gunzipSync } from "node:zlib";
import Table from "cli-table3";
import { cores, heading, ms, notes, peer, sourcePeer, times } from "./peer.mjs";
import { compiled, SOURCE_OPTIONS } from "./source-peers.mjs";
import { VOLUMES, volumeFile } from "./volume-images.mjs";

export async function benchVolumes(args) {
  const { values } = parseArgs({
    args,
    options: {
      size: { type: "string", default: "512" },
      threads: { type: "string", default: String(cores) },
      cc3d: SOURCE_OPTIONS.cc3d,
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
    head: ["volume", "neighbours", "regions", "+ labels", "cc3d", "vs cc3d", "SciPy", "vs SciPy", "objects"],
    colAligns: ["left", ...Array(8).fill("right")],
    style: { head: [], border: [], compact: true },
  });
  const cc3d = compiled("cc3d", values.cc3d, (note) => notes.push(note));
  const row = async (name, file, sides, connectivity, by) => {
    const common = [file, ...sides.map(String), String(connectivity)];
    const own = await peer("volumes-skerry.mjs", [...common, values.threads, ...by]);
    const scipy = await peer("volumes-scipy.py", [...common, ...by]);
    const labels = await sourcePeer(cc3d, [...common, ...by]);
    if (!own) return;
    const both = own.medians[0] + own.medians[1];
    const columns = [own.medians[0], both].map(ms);
    for (const [who, found] of Object.entries({ cc3d: labels, SciPy: scipy })) {
      if (found && found.count !== own.count) throw new Error(`${who} finds ${found.count} objects, not ${own.count}`);
      columns.push(ms(found?.medians[0]), times(found?.medians[0], both));
    }
    table.push([name, connectivity, ...columns, own.count]);
  };
  for (const name of Object.keys(VOLUMES)) {
    const file = volumeFile(name, size);
    for (const connectivity of [26, 6]) {
      await row(`${name}, ${size}^3`, file, [size, size, size], connectivity, []);
    }
  }
  if (existsSync(values.classes)) {
    const bytes = gunzipSync(readFileSync(values.classes));
    const sides = [42, 44, 46].map((at) => bytes.readInt16LE(at));
    const file = join(tmpdir(), "skerry-bench", "classes.raw");
    writeFileSync(file, bytes.subarray(bytes.readFloatLE(108)));
    for (const connectivity of [26, 6]) await row("tissue classes, by value", file, sides, connectivity, ["value"]);
  } else {
    notes.push(`skipped the class map: there is no ${values.classes}`);
  }
  console.log(table.toString());
  for (const note of notes) console.log(note);
}
