// Puts the built page where `skerry lab` serves it from, inside the command line's own files. Run by the build of @skerry/cli.

import { cpSync, existsSync, rmSync } from "node:fs";
import { fileURLToPath } from "node:url";

const from = fileURLToPath(new URL("../packages/lab/dist/", import.meta.url));
const to = fileURLToPath(new URL("../packages/cli/dist/page/", import.meta.url));
if (!existsSync(from)) throw new Error("Expected packages/lab/dist; run npm run build from the root.");
rmSync(to, { recursive: true, force: true });
cpSync(from, to, { recursive: true });
