// Shared memory is freed once the garbage collectors of all threads have dropped it. They run late, because they count the few
// bytes of the object, not its gigabytes. If memory is limited, they are called explicitly.

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
