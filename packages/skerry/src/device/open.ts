// Opens the devices of an engine. Each backend is a module of its own, imported when it is first needed.

import { softwareAllowed } from "#gpu";
import type { OpenOptions } from "../types/engine.js";
import { Router } from "./router.js";

/** A router over the devices of the options; rejects with Unsupported if "gpu" is requested and there is none. */
export function openDevices(options: OpenOptions): Promise<Router> {
  const { device = "auto", gpu, bindingBytes, profile, threads, worker, shared, mainThread } = options;
  return Router.open(device, {
    cpu: async () => (await import("../cpu/backend.js")).openCpu({ threads, worker, shared, mainThread }),
    gpu: async (host) => {
      // A device of the caller, and a GPU requested as device "gpu", may be a software adapter.
      const software = device === "gpu" || (gpu !== undefined && "queue" in gpu) || softwareAllowed();
      return (await import("../gpu/backend.js")).openGpu({ gpu, software, bindingBytes, profile }, host);
    },
  });
}
