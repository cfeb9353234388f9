// Copies the changelog into the package that is being packed.

import { copyFileSync } from "node:fs";

copyFileSync(new URL("../../CHANGELOG.md", import.meta.url), "CHANGELOG.md");
