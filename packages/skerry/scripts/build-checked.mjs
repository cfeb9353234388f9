// Builds the library into checked/ for the fuzzer: every pointer range of a kernel call is compared with the allocated
// blocks. dist/ must be built. src/generated is restored afterwards.

import { execFileSync } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { boundsSource, readKernels } from "./kernels.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const bounds = join(root, "src/generated/bounds.ts");
const plain = await readFile(bounds, "utf8");
try {
  await writeFile(bounds, boundsSource(await readKernels(join(root, "src/cpu/assembly")), true));
  const compiler = fileURLToPath(import.meta.resolve("typescript/bin/tsc"));
  const options = ["-p", "tsconfig.json", "--outDir", "checked", "--tsBuildInfoFile", "checked/.tsbuildinfo"];
  execFileSync(process.execPath, [compiler, ...options], { cwd: root, stdio: "inherit" });
} finally {
  await writeFile(bounds, plain);
}
