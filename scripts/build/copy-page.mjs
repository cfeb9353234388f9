// Copies the built page to where `skerry lab` serves it from, in the command line's files. The build of @skerry/cli runs this.

import { cpSync, existsSync, rmSync } from "node:fs";
import { fileURLToPath } from "node:url";

const from = fileURLToPath(new URL("../../packages/lab/dist/", import.meta.url));
const to = fileURLToPath(new URL("../../packages/cli/dist/page/", import.meta.url));
if (!existsSync(from)) throw new Error("Expected packages/lab/dist; run npm run build from the root.");
rmSync(to, { recursive: true, force: true });
cpSync(from, to, { recursive: true });
