// The large number of a distance map: its greatest distance.

import type { Headline } from "../../state/found.js";
import { unit } from "../../state/lab.js";
import { TEXT } from "../../words/text.js";

/** Without a value, one that is not known yet. */
export const farthest = (value?: number): Headline => ({ value, unit: TEXT.distance.farthest(unit()), isLength: true });
