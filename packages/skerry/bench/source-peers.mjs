// Peers that no package registry has: compiled from the user's checkouts, whose paths are options of the benches, by small
// drivers in peers/. An option that is left out, a compiler that is not there and a driver that does not compile each
// print one line.

import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const here = (name) => fileURLToPath(new URL(`peers/${name}`, import.meta.url));
const nvcc = () => [process.env.NVCC, "/usr/local/cuda/bin/nvcc"].find((path) => path && existsSync(path));

/** The options, for parseArgs. */
export const SOURCE_OPTIONS = Object.fromEntries(
  ["yacclab", "cc3d", "edt", "pba"].map((name) => [name, { type: "string" }]),
);

/** YACCLAB's 8-connected labellers for CUDA by the names of their papers, and the files they are in. */
export const YACCLAB = {
  BKE: "labeling_allegretti_2019_BKE.cu",
  BUF: "labeling_allegretti_2019_BUF.cu",
  HA8: "labeling_hennequin_2018_HA8.cu",
};

/** YACCLAB's 4-connected labellers for CUDA: Hennequin's, and Komura's equivalence. */
export const YACCLAB_4 = { HA4: "labeling_hennequin_2018_HA4.cu", KE4: "labeling_KE4.cu" };

/** YACCLAB's 26-connected labellers for CUDA. */
export const YACCLAB_3D = {
  BKE_3D: "labeling_allegretti_2019_BKE_3D.cu",
  BUF_3D: "labeling_allegretti_2019_BUF_3D.cu",
};

/** YACCLAB's 8-connected labellers for one thread of the CPU, by the names of their classes. */
export const YACCLAB_CPU = {
  BMRS: "labeling_lee_2021_bmrs.h",
  BRTS: "labeling_lee_2021_brts.h",
  Spaghetti: "labeling_bolelli_2019.h",
};

/** How each driver is compiled against a checkout. */
const DRIVERS = {
  yacclab: (checkout, file) => [
    nvcc(),
    [
      "-O3",
      "-arch=native",
      "-w",
      "-I",
      here("yacclab"),
      `-DLABELLER="${join(checkout, "cuda/src", file)}"`,
      ...(file.includes("_3D") ? ["-DVOLUME"] : []),
      here("yacclab.cu"),
    ],
  ],
  "yacclab-cpu": (checkout, file) => [
    "g++",
    [
      "-std=c++17",
      "-O3",
      "-march=native",
      "-w",
      "-I",
      here("yacclab-cpu"),
      "-I",
      join(checkout, "include"),
      `-DLABELLER="${file}"`,
      `-DCLASS=${Object.keys(YACCLAB_CPU).find((name) => YACCLAB_CPU[name] === file)}`,
      here("yacclab.cpp"),
    ],
  ],
  pba: (checkout) => [
    nvcc(),
    [
      "-O3",
      "-arch=native",
      "-w",
      "-I",
      here("pba"),
      `-DPBA="${join(checkout, "pba-plus-3D/pba/pba3DHost.cu")}"`,
      here("pba.cu"),
    ],
  ],
  cc3d: (checkout) => ["g++", ["-std=c++17", "-O3", "-I", join(checkout, "cc3d"), here("cc3d.cpp")]],
  edt: (checkout) => [
    "g++",
    ["-std=c++17", "-O3", "-ffast-math", "-pthread", "-I", join(checkout, "src"), here("edt.cpp")],
  ],
};

/** Compiles a peer's driver, and returns its path; undefined if that fails, with the reason passed to `say`. */
export function compiled(peer, checkout, say, file = "") {
  const name = [peer, file.replace(/^labeling_|\.(cu|h)$/g, "")].filter(Boolean).join("-");
  if (!checkout) {
    say(`skipped ${name}: no checkout (--${peer.replace("-cpu", "")} PATH)`);
    return undefined;
  }
  const [compiler, args] = DRIVERS[peer](resolve(checkout), file);
  if (!compiler) {
    say(`skipped ${name}: no nvcc ($NVCC, /usr/local/cuda/bin/nvcc)`);
    return undefined;
  }
  const program = join(tmpdir(), `skerry-bench-${name}`);
  try {
    execFileSync(compiler, [...args, "-o", program], { stdio: ["ignore", "ignore", "pipe"], encoding: "utf8" });
    return program;
  } catch (error) {
    const lines = String(error.stderr || error.message).split("\n");
    say(`skipped ${name}: ${(lines.find((line) => /error/i.test(line)) ?? lines[0]).trim().slice(0, 160)}`);
    return undefined;
  }
}
