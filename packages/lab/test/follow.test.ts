// The loop that makes results follow settings, with a tool and a view that only note what they are told.

import { afterEach, expect, test, vi } from "vitest";
import type { Resident } from "../src/engine/devices.js";
import { Follower } from "../src/session/follow.js";
import { ownRecipe } from "../src/settings/recipe.js";
import { failure, found, recipe, stale } from "../src/state/lab.js";
import type { Result, Tool } from "../src/tools/tool.js";

interface Fake {
  readonly follower: Follower;
  readonly told: string[];
  /** Calls of the tool that wait to be ended. */
  readonly calls: { threshold: number; signal: AbortSignal; end: (error?: Error) => void }[];
  settled: boolean;
}

const pause = (milliseconds = 0): Promise<void> => new Promise((done) => setTimeout(done, milliseconds));
const set = (threshold: number): void => {
  const own = ownRecipe("a.png", "objects");
  recipe.value = { ...own, objects: { ...own.objects, threshold } };
};

function fake(more: Partial<Tool> = {}): Fake {
  const told: string[] = [];
  const calls: Fake["calls"] = [];
  const tool = {
    tint: () => undefined,
    forget: () => told.push("forget"),
    run: ({ signal }: { signal: AbortSignal }, { objects: { threshold } }: typeof recipe.value) =>
      new Promise<Result>((resolve, reject) => {
        const end = (error?: Error): void => {
          if (error) reject(error);
          if (error) return;
          resolve({
            found: { headline: { value: threshold, unit: "objects" }, covered: 0 },
            stages: [],
            left: [],
            right: [],
            content: { kind: "marks", coats: [] },
            dispose: () => told.push(`dispose ${threshold}`),
          });
        };
        if (signal.aborted) reject(signal.reason);
        signal.addEventListener("abort", () => reject(signal.reason));
        calls.push({ threshold, signal, end });
      }),
    ...more,
  } as unknown as Tool;
  const made: Fake = {
    told,
    calls,
    settled: false,
    follower: new Follower({
      toolOf: () => tool,
      tools: [tool],
      maskOf: async () => undefined,
      resident: () => ({ scaleTo: () => undefined }) as unknown as Resident,
      shower: {
        show: async (_, isNew) => {
          told.push(isNew ? "show" : "show again");
        },
        tint: () => undefined,
      },
      restart: async () => undefined,
      settled: (settled) => {
        made.settled = settled;
      },
      followed: () => undefined,
    }),
  };
  return made;
}

/** Follows a threshold to its result. */
async function follows(own: Fake, threshold: number): Promise<void> {
  set(threshold);
  own.follower.ask();
  await pause();
  own.calls.at(-1)?.end();
  await pause();
}

afterEach(() => {
  failure.value = undefined;
  stale.value = false;
  vi.restoreAllMocks();
});

test("of settings that come while a call runs the newest is followed, and the call is aborted", async () => {
  const { follower, calls, told } = fake();
  for (const threshold of [1, 2, 3]) {
    set(threshold);
    follower.ask();
  }
  await pause();
  expect(calls.map(({ threshold, signal }) => [threshold, signal.aborted])).toEqual([
    [1, true],
    [3, false],
  ]);
  set(4);
  follower.ask();
  expect(calls[1]?.signal.aborted).toBe(true);
  await pause();
  calls[2]?.end();
  await pause();
  expect(found.value?.headline.value).toBe(4);
  expect(told).toEqual(["show"]);
});

test("a result is disposed when the next one is there, and the result is settled only for its settings", async () => {
  const own = fake();
  await follows(own, 1);
  expect(own.settled).toBe(true);
  set(2);
  own.follower.ask();
  expect(own.settled).toBe(false);
  await pause();
  expect(own.told).toEqual(["show"]);
  own.calls[1]?.end();
  await pause();
  expect(own.told).toEqual(["show", "dispose 1", "show"]);
  expect(own.settled).toBe(true);
});

test("a failed call is told, the numbers are stale, and the next result cures both", async () => {
  const own = fake();
  set(1);
  own.follower.ask();
  await pause();
  own.calls[0]?.end(new RangeError("Expected threshold to be a number, got x."));
  await pause();
  expect(failure.value?.text).toBe("Expected threshold to be a number, got x.");
  expect(stale.value).toBe(true);
  expect(own.settled).toBe(true);
  await follows(own, 2);
  expect(failure.value).toBe(undefined);
  expect(stale.value).toBe(false);
});

test("memory that ran out is told as such, and other range errors are not", async () => {
  const own = fake();
  set(1);
  own.follower.ask();
  await pause();
  own.calls[0]?.end(new RangeError("Array buffer allocation failed"));
  await pause();
  expect(failure.value?.text).toMatch(/^There is not enough memory/);
});

test("what follows a result waits until the settings rest, and is done again where a pan aborted it", async () => {
  const after = vi.fn(async () => undefined);
  const own = fake({ after });
  set(1);
  own.follower.ask();
  await pause();
  own.calls[0]?.end();
  await pause(20);
  expect(after).not.toHaveBeenCalled();
  own.follower.moved();
  await pause(20);
  expect(own.told).toEqual(["show", "show again"]);
  expect(after).toHaveBeenCalledTimes(1);
  expect(own.settled).toBe(true);
});

test("a cancelled call leaves the result before it, and says so", async () => {
  const own = fake();
  await follows(own, 1);
  set(2);
  own.follower.ask();
  await pause();
  own.follower.cancel();
  await pause();
  expect(found.value?.headline.value).toBe(1);
  expect(failure.value?.text).toMatch(/^Cancelled/);
  expect(stale.value).toBe(true);
});

test("work for idle times is dropped once the settings change", async () => {
  const work = vi.fn(async () => undefined);
  const own = fake({ idle: () => work });
  set(1);
  own.follower.ask();
  await pause();
  own.calls[0]?.end();
  await pause(50);
  set(2);
  own.follower.ask();
  await pause();
  own.calls[1]?.end();
  await pause(500);
  expect(work).toHaveBeenCalledTimes(1);
});

test("nothing is left of a picture that was dropped", async () => {
  const own = fake();
  await follows(own, 1);
  own.follower.drop();
  expect(own.told).toEqual(["show", "forget", "dispose 1"]);
  expect(found.value).toBe(undefined);
  expect(own.follower.isSettled).toBe(false);
});

test("idle work waits for a rest, and that of older settings is dropped", async () => {
  const done: number[] = [];
  const idle: Tool["idle"] = ({ objects: { threshold } }) =>
    threshold === 1
      ? async () => {
          done.push(threshold as number);
        }
      : undefined;
  const own = fake({ idle });
  await follows(own, 1);
  await follows(own, 2);
  await pause(400);
  expect(done).toEqual([]);
  await follows(own, 1);
  await pause(400);
  expect(done).toEqual([1]);
});
