// The turns of an engine's calls, and work beside them.

import { expect, test } from "vitest";
import { Calls } from "../../src/api/calls.js";

test("work beside calls is timed again if a call took turns with it", async () => {
  const calls = new Calls();
  const beside = calls.beside();
  const seen: string[] = [];
  let times = 0;
  const took = await calls.undisturbed(async () => {
    await beside.run({}, async () => seen.push("first"));
    if (times++ === 0) calls.run({}, async () => seen.push("call"));
    await beside.run({}, async () => seen.push("second"));
    return times;
  });
  expect(took).toBe(2);
  expect(seen).toEqual(["first", "call", "second", "first", "second"]);
});

test("work beside calls that follow each other waits for a pause of theirs", async () => {
  const calls = new Calls();
  let times = 0;
  let ended = false;
  const user = (async () => {
    await new Promise((resolve) => setTimeout(resolve, 10));
    for (let i = 0; i < 40; i++) {
      await calls.run({}, async () => undefined);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    ended = true;
  })();
  const took = await calls.undisturbed(async () => {
    times++;
    await new Promise((resolve) => setTimeout(resolve, 60));
    return Number(ended);
  });
  await user;
  expect([took, times]).toEqual([1, 2]);
});

test("work beside calls waits until they have ended", async () => {
  const calls = new Calls();
  let ended = false;
  const call = calls.run({}, async () => {
    await new Promise((resolve) => setTimeout(resolve, 20));
    ended = true;
  });
  expect(await calls.undisturbed(async () => Number(ended))).toBe(1);
  await call;
});
