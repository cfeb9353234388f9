// Memory that several threads share is given back when the collectors of all of them have met it, which they do late: they see the
// few bytes of the object, not its gigabytes. Where memory is limited, they are called.

import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

let collector: (() => void) | undefined;

/** Collects garbage of this thread. */
export function collect(): void {
  if (!collector) {
    setFlagsFromString("--expose-gc");
    collector = runInNewContext("gc") as () => void;
  }
  collector();
}
