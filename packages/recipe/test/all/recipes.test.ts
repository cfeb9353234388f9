// 500 random recipes by all ways.

import { compareWays } from "../support/compare.js";

compareWays(500, Number(process.env.SKERRY_SEED ?? 2));
