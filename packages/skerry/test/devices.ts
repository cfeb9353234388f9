// The engines that every behaviour is tested on: one, two and three threads over shared memory, and one
// worker over memory of its own, as on pages that are not cross-origin isolated.

import type { OpenOptions } from "skerry";

export const DEVICES: readonly (OpenOptions & { name: string })[] = [
  { name: "1 thread", threads: 1 },
  { name: "2 threads", threads: 2 },
  { name: "3 threads", threads: 3 },
  { name: "unshared memory", shared: false },
];
