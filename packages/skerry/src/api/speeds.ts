// When `auto` learns what the devices of its machine take: from what was kept, at once, and else one kind of work at a time, while no call
// of the engine runs. A call that comes meanwhile waits for one call on one picture at most, of which the first compiles kernels, and the
// measurement goes on once the engine is idle again.

import type { Router } from "../device/router.js";
import { MEASURED, type MeasuredWork } from "../device/speeds.js";
import type { Calls } from "./calls.js";
import { Engine } from "./engine.js";
import { keepSpeeds, keptSpeeds } from "./kept-speeds.js";

/** The machine as measurements are kept by: they hold for an adapter and a number of threads. */
function machineOf(router: Router, threads: number | undefined): string {
  const { vendor, architecture, description } = router.describe().gpu ?? {};
  return [vendor, architecture, description, `${threads ?? "all"} threads`].filter(Boolean).join(", ");
}

/** The parts of an engine that measuring takes. */
interface Measured {
  readonly router: Router;
  readonly calls: Calls;
  readonly threads: number | undefined;
}

const engines = new WeakMap<Engine, Measured>();

/** Has an engine choose by what was measured on this machine, and measures what was not once the engine is idle. */
export function chooseBySpeed(engine: Engine, measured: Measured): void {
  const { router, calls, threads } = measured;
  engines.set(engine, measured);
  for (const [work, from] of Object.entries(keptSpeeds(machineOf(router, threads)))) {
    router.speeds.learn(work as MeasuredWork, from);
  }
  let open = true;
  calls.onClose(() => {
    open = false;
  });
  const measure = async (): Promise<void> => {
    do await calls.idle();
    while (open && (await measureNext(measured)));
  };
  // A device that fails is told by the next call that needs it.
  measure().catch(() => undefined);
}

/** Measures now what an engine chooses by, where it was not measured before. */
export async function measureSpeeds(engine: Engine): Promise<void> {
  const measured = engines.get(engine);
  // A measurement that waits for the engine does not hold the process by itself.
  const hold = setInterval(() => undefined, 1000);
  try {
    while (measured && (await measureNext(measured)));
  } finally {
    clearInterval(hold);
  }
}

/** Measurements that run: an idle engine begins them by itself, and may be asked for them meanwhile. */
const running = new WeakMap<Measured, Promise<boolean>>();

/** Measures the next kind of work that is not known, and resolves to whether there may be another one. */
function measureNext(measured: Measured): Promise<boolean> {
  const found = running.get(measured) ?? measureOne(measured).finally(() => running.delete(measured));
  running.set(measured, found);
  return found;
}

async function measureOne({ router, calls, threads }: Measured): Promise<boolean> {
  const work = MEASURED.find((kind) => router.speeds.from(kind) === undefined);
  if (!work) return false;
  const [near, far] = await Promise.all([router.pinned("cpu"), router.pinned("gpu")]);
  if (!near || !far) return false;
  const { measureWork } = await import("./calibrate.js");
  const engines = { cpu: new Engine(near, calls.beside()), gpu: new Engine(far, calls.beside()) };
  const from = await measureWork(work, engines, (picture) => calls.undisturbed(picture));
  router.speeds.learn(work, from);
  const machine = machineOf(router, threads);
  keepSpeeds(machine, { ...keptSpeeds(machine), [work]: from });
  return true;
}
