// Peers on the same card and the same files: NPP, compiled with nvcc, and CuPy. Labels only, neither has
// statistics in the same call. Each is left out, and that is said, where the host does not have it.

import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { imageFile } from "./images.mjs";

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

/** Prints the peers' times, and how many times as long they are as ours. `own` is what the stages measured. */
export async function peers(names, size, own, print, ms) {
  const files = names.map((name) => imageFile(name, size));
  const program = compileNpp();
  const npp = program && run("NPP", program, [String(size), ...files]);
  const cupy = run("CuPy", process.env.PYTHON ?? "python3", [here("cupy.py"), String(size), ...files]);
  if (!npp && !cupy) return;
  console.log(`\n${size} x ${size}, 8-connected: peers on the same card and files, device ms, labels alone`);
  const times = (peer, name, field) => {
    const mine = own.get(name)?.[field];
    return peer && mine ? `${(peer.label / mine).toFixed(1)}x` : "-";
  };
  print(
    [
      "image",
      "skerry labels",
      "+ regions",
      "NPP",
      "copy",
      "NPP / labels",
      "NPP / both",
      "CuPy",
      "copy",
      "CuPy / labels",
      "CuPy / both",
    ],
    names.map((name, i) => {
      const [a, b] = [npp?.[i], cupy?.[i]];
      const mine = own.get(name);
      return [
        name,
        ...[
          ms(mine?.labels),
          ms(mine?.both),
          ms(a?.label),
          ms(a?.copy),
          times(a, name, "labels"),
          times(a, name, "both"),
        ],
        ...[ms(b?.label), ms(b?.copy), times(b, name, "labels"), times(b, name, "both")],
      ];
    }),
  );
}
