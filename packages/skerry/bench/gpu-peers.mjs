// Peers on the same card and the same files: YACCLAB's labellers and NPP, compiled with nvcc, CuPy, and luma.gl's GPURaster on WebGPU.
// They label only; none has statistics in the same call. A peer that the host lacks is skipped, with a line that says so.

import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { bundledGpuRaster } from "./gpuraster-bundle.mjs";
import { imageFile } from "./images.mjs";
import { compiled, YACCLAB } from "./source-peers.mjs";

const here = (name) => fileURLToPath(new URL(`peers/${name}`, import.meta.url));
const options = { encoding: "utf8", maxBuffer: 1 << 24, timeout: 300_000, stdio: ["ignore", "pipe", "pipe"] };

function run(name, command, args) {
  try {
    const lines = execFileSync(command, args, options).trim().split("\n");
    return lines.map((line) => JSON.parse(line));
  } catch (error) {
    const reason = String(error.stderr || error.message)
      .split("\n")
      .find((line) => /rror/.test(line));
    console.log(`skipped ${name}: ${(reason ?? error.message).trim().slice(0, 160)}`);
    return undefined;
  }
}

/** The compiled program, or undefined where there is no compiler. */
function compileNpp() {
  const nvcc = [process.env.NVCC, "/usr/local/cuda/bin/nvcc"].find((path) => path && existsSync(path));
  if (!nvcc) {
    console.log("skipped NPP: no nvcc ($NVCC, /usr/local/cuda/bin/nvcc)");
    return undefined;
  }
  const program = join(tmpdir(), "skerry-bench-npp");
  try {
    execFileSync(nvcc, ["-O3", "-arch=native", here("npp.cu"), "-o", program, "-lnppif", "-lnppc"], options);
    return program;
  } catch (error) {
    console.log(
      `skipped NPP: ${String(error.stderr)
        .split("\n")
        .find((line) => /error/.test(line))}`,
    );
    return undefined;
  }
}

/** The driver of GPURaster, or undefined, with a line, without a checkout or a bundle. */
async function bundleGpuRaster(source) {
  if (!source) {
    console.log("skipped GPURaster: no checkout of luma.gl (--gpuraster PATH)");
    return undefined;
  }
  try {
    return await bundledGpuRaster(source);
  } catch (error) {
    console.log(`skipped GPURaster: ${String(error.message).split("\n")[1] ?? error.message}`);
    return undefined;
  }
}

/** Prints the peers' times, also as multiples of skerry's. `own` has the results of the stages. */
export async function peers(names, size, own, print, ms, { yacclab, gpuraster }) {
  const files = names.map((name) => imageFile(name, size));
  const found = {};
  for (const [name, file] of Object.entries(YACCLAB)) {
    const program = compiled("yacclab", yacclab, console.log, file);
    found[name] = program && run(name, program, [String(size), ...files]);
    if (!yacclab) break;
  }
  const npp = compileNpp();
  found.NPP = npp && run("NPP", npp, [String(size), ...files]);
  found.CuPy = run("CuPy", process.env.PYTHON ?? "python3", [here("cupy.py"), String(size), ...files]);
  const raster = await bundleGpuRaster(gpuraster);
  found.GPURaster = raster && run("GPURaster", process.execPath, [raster, String(size), ...files]);
  const there = Object.entries(found).filter(([, rows]) => rows);
  if (there.length === 0) return;
  console.log(`\n${size} x ${size}, 8-connected: peers on the same card and files, device ms, labels alone`);
  const times = (peer, mine) => (peer && mine ? `${(peer.label / mine).toFixed(1)}x` : "-");
  print(
    [
      "image",
      "skerry labels",
      "+ regions",
      ...there.flatMap(([who]) => [who, "copy", `${who} / labels`, `${who} / both`, "objects"]),
    ],
    names.map((name, i) => {
      const mine = own.get(name);
      const cells = there.flatMap(([, rows]) => {
        const peer = rows[i];
        return [
          ms(peer?.label),
          ms(peer?.copy),
          times(peer, mine?.labels),
          times(peer, mine?.both),
          peer?.count ?? "-",
        ];
      });
      return [name, ms(mine?.labels), ms(mine?.both), ...cells];
    }),
  );
}
