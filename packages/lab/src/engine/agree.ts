// Compares the bits that the two devices give: for the result on the screen, and for seeded cases.

import type { Engine } from "skerry";
import type { Opened } from "../files/open.js";
import { openDevice, Resident } from "./devices.js";

/** Runs a tool for a comparison. Resolves to arrays that must be equal, and the time they took. */
export type Digested = (resident: Resident) => Promise<{ arrays: readonly ArrayBufferView[]; milliseconds: number }>;

export interface Comparison {
  readonly same: boolean;
  readonly cpu: number;
  readonly gpu: number;
  readonly hash: string;
}

/** Calls `run` on both devices and compares its arrays. Rejects if there is no GPU. */
export async function compareDevices(opened: Opened, run: Digested): Promise<Comparison> {
  const { digestOf } = await import("@skerry/scenes");
  const results: { hash: string; milliseconds: number }[] = [];
  for (const device of ["gpu", "cpu"] as const) {
    const engine = await openDevice(device);
    const resident = new Resident(engine, opened);
    try {
      // The first call compiles kernels and uploads the picture.
      await run(resident);
      const { arrays, milliseconds } = await run(resident);
      results.push({ hash: await digestOf(arrays), milliseconds });
    } finally {
      resident.dispose();
      await engine.close();
    }
  }
  const [gpu, cpu] = results as [(typeof results)[0], (typeof results)[0]];
  return { same: gpu.hash === cpu.hash, cpu: cpu.milliseconds, gpu: gpu.milliseconds, hash: cpu.hash };
}

/** Compares seeded cases on WebGPU and WebAssembly. Resolves to a line to paste into an issue. */
export async function checkGpu(count: number, onCase: (done: number) => void): Promise<string> {
  const { agreementOf } = await import("@skerry/scenes");
  const engines: Engine[] = [];
  try {
    for (const device of ["gpu", "cpu"] as const) engines.push(await openDevice(device));
    const { vendor = "", architecture = "", description = "" } = engines[0]?.describe().gpu ?? {};
    const adapter = [vendor, architecture, description].filter(Boolean).join(" ") || "unknown adapter";
    const runners = engines.map((engine, i) => ({ name: i ? "WebAssembly" : "WebGPU", engine }));
    const { hashes, differing } = await agreementOf(runners, count, onCase);
    const verdict =
      differing.length === 0
        ? "same bits"
        : `${differing.length} differ: ${differing
            .slice(0, 5)
            .map(({ name }) => name)
            .join("; ")}`;
    return `skerry, ${count} seeded cases, WebGPU (${adapter}) against WebAssembly: ${verdict}; ${hashes.join(" ")}; ${navigator.userAgent}`;
  } finally {
    for (const engine of engines) await engine.close();
  }
}
