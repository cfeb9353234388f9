// Channels drawn together: their colours, windows, and sums.

import { describe, expect, test } from "vitest";
import { channelsOf, composedOf, windowIn } from "../src/panels/channels.js";

describe("channels", () => {
  test("have the names, colours and windows of the file, else numbers and colours of their own; none is drawn at first", () => {
    const shown = [{ name: "DAPI", colour: "#0000ff", window: [0, 2500] as const }, {}];
    expect(channelsOf({ size: 3, shown })).toEqual([
      { name: "DAPI", isOn: false, colour: "#0000ff", window: [0, 2500] },
      { name: "1", isOn: false, colour: "#00ff00", window: undefined },
      { name: "2", isOn: false, colour: "#0000ff", window: undefined },
    ]);
  });

  test("add their colours between black and white, at most to 255; NaN is black", () => {
    const planes = [
      { data: Float32Array.from([0, 50, 100, Number.NaN]), colour: "#ff8000", window: [0, 100] as const },
      { data: Uint16Array.from([10, 20, 999, 15]), colour: "#00ff00", window: [10, 20] as const },
    ];
    expect([...composedOf(planes)]).toEqual(
      [
        [0, 0, 0, 255],
        [128, 255, 0, 255],
        [255, 255, 0, 255],
        [0, 128, 0, 255],
      ].flat(),
    );
  });

  test("are shown between the values beyond which few lie", () => {
    const values = Uint16Array.from({ length: 1000 }, (_, i) => i);
    expect(windowIn(values)).toEqual([5, 994]);
    expect(windowIn(Uint8Array.of(7, 7))).toEqual([7, 8]);
    expect(windowIn(Float32Array.of(Number.NaN))).toEqual([0, 1]);
  });
});
