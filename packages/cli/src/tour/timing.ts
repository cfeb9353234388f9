// How long the tour's tasks take on each engine, beside a plain copy of as many bytes in JavaScript.

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
}

export interface TimedTask {
  readonly title: string;
  readonly steps: readonly TimedStep[];
}

/** Times every task; `onStep` is told what runs now. */
export async function timeTasks(
  runners: readonly Runner[],
  tasks: readonly Task[],
  onStep: (text: string) => void = () => {},
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
        times.push(await timeStep(runner, step));
      }
      rows.push({ what, article, bytes, copy: copyMilliseconds(bytes), times });
    }
    timed.push({ title, steps: rows });
  }
  return timed;
}

/** The median of some calls after a cold one. */
async function timeStep({ engine }: Runner, { run }: Step): Promise<number> {
  const once = async (): Promise<number> => {
    const begin = performance.now();
    await run(engine);
    return performance.now() - begin;
  };
  const cold = await once();
  const rounds = [await once()];
  while (cold < PATIENCE_MILLISECONDS && rounds.length < ROUNDS) rounds.push(await once());
  return median(rounds);
}

/** A copy from one array into another, both touched before: the median of five, in pieces of at most 64 MiB. */
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
