// Makes folders. Node's own way spins forever below a folder that answers "no such file" to what is made in it, as automounted ones do.

import { mkdir, stat } from "node:fs/promises";
import { dirname } from "node:path";

/**
 * Makes a folder and those above it that are missing.
 * @throws the system's error if one of them cannot be made
 */
export async function makeFolder(path: string): Promise<void> {
  const missing: string[] = [];
  for (let folder = path; !(await exists(folder)); folder = dirname(folder)) {
    missing.push(folder);
    if (dirname(folder) === folder) break;
  }
  for (const folder of missing.reverse()) {
    await mkdir(folder).catch((error: NodeJS.ErrnoException) => {
      // Another process may have made it.
      if (error.code !== "EEXIST") throw error;
    });
  }
}

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );
