// Random recipes by all ways. `npm run test:all` compares 500.

import { compareWays } from "./support/compare.js";

compareWays(60, 1);
