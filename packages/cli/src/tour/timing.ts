// How long the tour's tasks take on each engine, beside a plain copy of as many bytes in JavaScript: by the wall clock, and on a GPU
// also its kernels alone, by its own clock.

import type { Runner } from "@skerry/scenes";
import type { Step, Task } from "./tasks.js";

/** A first, cold call that takes longer than this is followed by one call only. */
const PATIENCE_MILLISECONDS = 2000;
const ROUNDS = 5;

export interface TimedStep extends Pick<Step, "what" | "article" | "bytes"> {
  /** A plain copy of the same number of bytes, in milliseconds. */
  readonly copy: number;
  /** Medians per runner, wall clock, in milliseconds. */
  readonly times: readonly number[];
  /** The article's steps, and the stages of ours beside them; undefined for tasks without. */
  readonly beside?: { readonly steps: string; readonly stages: readonly Stage[] } | undefined;
  /** A fact about the result. */
  readonly fact?: string | undefined;
  /** The median of the kernels' time by the GPU's own clock, in milliseconds; undefined without such a clock. */
  readonly kernels: number | undefined;
}

/** A stage of a call on the last runner. */
export interface Stage {
  readonly stage: string;
  readonly milliseconds: number;
  readonly bytes: number;
}

export interface TimedTask {
  readonly title: string;
  readonly steps: readonly TimedStep[];
}

/** Times every task; `onStep` receives the name of what runs now. `profiled` is an engine that reads the GPU's clock. */
export async function timeTasks(
  runners: readonly Runner[],
  tasks: readonly Task[],
  onStep: (text: string) => void = () => {},
  profiled?: Runner,
): Promise<TimedTask[]> {
  const timed: TimedTask[] = [];
  for (const { title, steps } of tasks) {
    onStep(`${title}: rendering the input`);
    const rows: TimedStep[] = [];
    for (const step of steps()) {
      const { what, article, bytes } = step;
      const times: number[] = [];
      let stages: readonly Stage[] = [];
      for (const runner of runners) {
        onStep(`${title}: ${what}, ${runner.name}`);
        const timed = await timeStep(runner, step);
        times.push(timed.wall);
        stages = timed.stages;
      }
      const kernels = profiled && (await timeStep(profiled, step)).kernels;
      const last = runners.at(-1);
      const fact = last && (await step.fact?.(last.engine));
      const beside = step.steps === undefined ? undefined : { steps: step.steps, stages };
      rows.push({ what, article, bytes, copy: copyMilliseconds(bytes), times, kernels, fact, beside });
    }
    timed.push({ title, steps: rows });
  }
  return timed;
}

/** The stage that spans all others. */
const SPAN = "on the device";

interface Call {
  readonly wall: number;
  readonly kernels: number;
  readonly stages: readonly Stage[];
}

/** The medians of up to ROUNDS calls after a cold one, in milliseconds. */
async function timeStep({ engine }: Runner, { run }: Step): Promise<Call> {
  const once = async (): Promise<Call> => {
    let kernels = 0;
    const stages = new Map<string, Stage>();
    const begin = performance.now();
    await run(engine, (timings) => {
      for (const { stage, clock, milliseconds, bytes = 0 } of timings) {
        if (clock === "device" && stage !== SPAN) kernels += milliseconds;
        if (clock === "device") continue;
        const before = stages.get(stage) ?? { stage, milliseconds: 0, bytes: 0 };
        stages.set(stage, { stage, milliseconds: before.milliseconds + milliseconds, bytes: before.bytes + bytes });
      }
    });
    return { wall: performance.now() - begin, kernels, stages: [...stages.values()] };
  };
  const cold = await once();
  const rounds = [await once()];
  while (cold.wall < PATIENCE_MILLISECONDS && rounds.length < ROUNDS) rounds.push(await once());
  const { stages } = [...rounds].sort((a, b) => a.wall - b.wall)[rounds.length >> 1];
  return {
    wall: median(rounds.map(({ wall }) => wall)),
    kernels: median(rounds.map(({ kernels }) => kernels)),
    stages,
  };
}

/** Median milliseconds of five copies between two arrays that were touched before, in pieces of at most 64 MiB. */
function copyMilliseconds(bytes: number): number {
  const piece = Math.min(bytes, 64 * 2 ** 20);
  const [from, to] = [new Uint8Array(piece).fill(1), new Uint8Array(piece).fill(2)];
  const times: number[] = [];
  for (let i = 0; i < ROUNDS; i++) {
    const begin = performance.now();
    for (let at = 0; at < bytes; at += piece) to.set(from.subarray(0, Math.min(piece, bytes - at)));
    times.push(performance.now() - begin);
  }
  return median(times);
}

function median(list: number[]): number {
  return list.sort((a, b) => a - b)[list.length >> 1];
}
