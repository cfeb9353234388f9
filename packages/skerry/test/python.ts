// Finds a Python that has a module, for comparisons with the established tools. Where there is none the
// test that asks is skipped and says so.

import { spawnSync } from "node:child_process";

export function python(module: string): string | undefined {
  const candidates = [process.env.PYTHON, "/usr/bin/python3", "python3"].filter((name) => name !== undefined);
  return candidates.find((name) => spawnSync(name, ["-c", `import ${module}`], { stdio: "ignore" }).status === 0);
}
