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
  /** The median of the kernels' time by the GPU's own clock, in milliseconds; undefined without such a clock. */
  readonly kernels: number | undefined;
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
      for (const runner of runners) {
        onStep(`${title}: ${what}, ${runner.name}`);
        times.push((await timeStep(runner, step)).wall);
      }
      const kernels = profiled && (await timeStep(profiled, step)).kernels;
      rows.push({ what, article, bytes, copy: copyMilliseconds(bytes), times, kernels });
    }
    timed.push({ title, steps: rows });
  }
  return timed;
}

/** The stage that spans all others. */
const SPAN = "on the device";

/** The medians of up to ROUNDS calls after a cold one, in milliseconds. */
async function timeStep({ engine }: Runner, { run }: Step): Promise<{ wall: number; kernels: number }> {
  const once = async (): Promise<{ wall: number; kernels: number }> => {
    let kernels = 0;
    const begin = performance.now();
    await run(engine, (timings) => {
      for (const { stage, clock, milliseconds } of timings) {
        if (clock === "device" && stage !== SPAN) kernels += milliseconds;
      }
    });
    return { wall: performance.now() - begin, kernels };
  };
  const cold = await once();
  const rounds = [await once()];
  while (cold.wall < PATIENCE_MILLISECONDS && rounds.length < ROUNDS) rounds.push(await once());
  return { wall: median(rounds.map(({ wall }) => wall)), kernels: median(rounds.map(({ kernels }) => kernels)) };
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
