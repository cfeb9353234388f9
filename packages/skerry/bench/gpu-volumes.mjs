// Volumes on the GPU: device time from resident voxels to labels and regions, and CuPy's label on the same card.

import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { VOLUMES, volumeFile } from "./volume-images.mjs";

export async function volumes(stages, size, rounds, print, ms) {
  const names = Object.keys(VOLUMES);
  const shape = { width: size, height: size, depth: size };
  for (const connectivity of [26, 6]) {
    const pixelsOf = (name) => new Uint8Array(readFileSync(volumeFile(name, size)));
    const results = await stages.measure(names, pixelsOf, shape, connectivity, rounds);
    const cupy = peer(names, size, connectivity);
    const columns = [...new Set([...results.values()].flatMap(({ stages }) => Object.keys(stages)))];
    console.log(
      `\n${size} x ${size} x ${size}, ${connectivity}-connected: device ms, median of ${rounds}, resident voxels to resident results; CuPy labels alone`,
    );
    print(
      ["volume", "copy", ...columns, "labels", "+ regions", "objects", "CuPy", "CuPy / both"],
      names.map((name, i) => {
        const { copy, stages: own, labels, both, count } = results.get(name);
        const other = cupy?.[i]?.label;
        const ratio = other === undefined ? "-" : `${(other / both).toFixed(1)}x`;
        return [
          name,
          ms(copy),
          ...columns.map((stage) => ms(own[stage])),
          ms(labels),
          ms(both),
          count,
          ms(other),
          ratio,
        ];
      }),
    );
  }
}

function peer(names, size, connectivity) {
  const script = fileURLToPath(new URL("peers/volumes-cupy.py", import.meta.url));
  const files = names.map((name) => volumeFile(name, size));
  try {
    const options = { encoding: "utf8", maxBuffer: 1 << 24, timeout: 300_000, stdio: ["ignore", "pipe", "pipe"] };
    const command = process.env.PYTHON ?? "python3";
    const lines = execFileSync(command, [script, String(size), String(connectivity), ...files], options).trim();
    return lines.split("\n").map((line) => JSON.parse(line));
  } catch (error) {
    const reason = String(error.stderr || error.message)
      .split("\n")
      .find((line) => /rror/.test(line));
    console.log(`skipped CuPy: ${(reason ?? error.message).trim().slice(0, 160)}`);
    return undefined;
  }
}
