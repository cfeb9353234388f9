// The distance map of a head at twice the sides of the fourth article's, 1250 x 1250 x 1184 voxels, by the command within 512 MiB: whole, and
// up to 36 voxels. Prints time, the largest resident memory of the process, and the largest size of temporary files.
//
//     node scripts/trials/double-head.mjs [--folder FOLDER] [--scale 2]

import { spawn } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, readlinkSync, rmSync, statSync } from "node:fs";
import { open } from "node:fs/promises";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { headMask } from "@skerry/scenes";

const { values } = parseArgs({
  options: { folder: { type: "string", default: "head" }, scale: { type: "string", default: "2" } },
});
const scale = Number(values.scale);
const [width, height, depth] = [625, 625, 592].map((side) => side * scale);
const command = fileURLToPath(new URL("../../packages/cli/bin/skerry.js", import.meta.url));
const temporary = resolve(values.folder, "temporary");
mkdirSync(temporary, { recursive: true });
const head = join(values.folder, "head.raw");

/** Writes the head, 255 inside and 0 outside, slice by slice. */
async function write() {
  const { bits } = headMask({ width, height, depth });
  const words = Math.ceil(width / 32);
  const slice = new Uint8Array(width * height);
  const file = await open(head, "w");
  for (let z = 0; z < depth; z++) {
    for (let y = 0; y < height; y++) {
      const row = (z * height + y) * words;
      for (let x = 0; x < width; x++) slice[y * width + x] = (bits[row + (x >> 5)] >>> (x & 31)) & 1 ? 255 : 0;
    }
    await file.write(slice);
  }
  await file.close();
}

/** Bytes of files that a process has open below the folder for temporary ones, deleted ones among them. */
function temporaryBytes(pid) {
  let bytes = 0;
  for (const name of readdirSync(`/proc/${pid}/fd`)) {
    const path = `/proc/${pid}/fd/${name}`;
    if (readlinkSync(path).startsWith(temporary)) bytes += statSync(path).size;
  }
  return bytes;
}

async function measured(name, more) {
  const output = join(values.folder, "map.npy");
  const words = [
    "distance",
    head,
    "--shape",
    [width, height, depth].join(),
    "--dtype",
    "uint8",
    "--threshold",
    "nonzero",
  ];
  const begin = performance.now();
  const child = spawn(process.execPath, [command, ...words, "--surface", "--memory", "512M", ...more, "-o", output], {
    env: { ...process.env, TMPDIR: temporary },
    stdio: ["ignore", "inherit", "inherit"],
  });
  let [memory, files] = [0, 0];
  const watch = setInterval(() => {
    try {
      const [, peak] = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, "latin1")) ?? [];
      memory = Math.max(memory, Number(peak ?? 0) * 1024);
      files = Math.max(files, temporaryBytes(child.pid));
    } catch {
      // The process, or a file of it, has gone.
    }
  }, 250);
  const code = await new Promise((resolve) => child.once("close", resolve));
  clearInterval(watch);
  const seconds = ((performance.now() - begin) / 1000).toFixed(1);
  console.log(
    `${name}: exit ${code}, ${seconds} s, ${(memory / 2 ** 20).toFixed(0)} MiB resident, ${(files / 1e9).toFixed(2)} GB of temporary files`,
  );
  rmSync(output, { force: true });
}

await write();
console.log(`${width} x ${height} x ${depth}, ${(width * height * depth) / 1e9} billion voxels`);
await measured("whole", []);
await measured("up to 36", ["--max", "36"]);
rmSync(values.folder, { recursive: true });
