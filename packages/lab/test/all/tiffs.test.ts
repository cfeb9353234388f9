// The page's decoder on the table of TIFFs that the command line is tested with: the same values in a browser.

import { readdirSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { TIFFS as table } from "../../../files/test/support/tiffs.js";
import { Bench, noBrowser, type Opened } from "../page.js";

describe.skipIf(noBrowser)("TIFFs in a browser", () => {
  let bench: Bench;
  let lab: Opened;
  beforeAll(async () => {
    bench = await Bench.start([]);
    lab = await (await bench.open()).go();
    await lab.settled();
  });
  afterAll(async () => {
    await lab?.close();
    await bench?.close();
  });

  test("every value as written", async () => {
    const assets = readdirSync(new URL("../../dist/assets/", import.meta.url));
    const worker = assets.find((name) => name.startsWith("decode.worker"));
    const plain = table.filter(({ read }) => Object.keys(read).length === 0);
    const wrong = await lab.page.evaluate(
      async ({ url, files }) => {
        const decoder = new Worker(new URL(url, location.href), { type: "module" });
        const bytesOf = (text: string): Uint8Array<ArrayBuffer> => Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
        const found: string[] = [];
        for (const [id, { name, file, shape, values, within }] of files.entries()) {
          const answer = await new Promise<Record<string, unknown>>((resolve) => {
            decoder.onmessage = ({ data }) => resolve(data);
            decoder.postMessage({ id, blob: new Blob([bytesOf(file)]), name: `${name}.tif`, shrink: 1 });
          });
          const opened = answer.opened as { width: number; height: number; channels: number; data: Uint8Array };
          if (!opened) {
            found.push(`${name}: ${JSON.stringify(answer.refusal)}`);
            continue;
          }
          const written = new Float64Array(bytesOf(values).buffer);
          const [slices, rows, columns, channels] = shape;
          if (opened.width !== columns || opened.height !== rows) found.push(`${name} has another size`);
          // The page shows the slice in the middle, with its transparency.
          const shown = written.subarray((slices >> 1) * rows * columns * channels);
          for (let i = 0; i < rows * columns; i++) {
            for (let c = 0; c < channels; c++) {
              const value = opened.data[i * opened.channels + (opened.channels === 1 ? 0 : c)];
              const expected = shown[i * channels + c];
              if (Math.abs(value - expected) <= within || (Number.isNaN(value) && Number.isNaN(expected))) continue;
              found.push(`${name} has ${value} instead of ${expected}`);
              i = rows * columns;
              break;
            }
          }
        }
        decoder.terminate();
        return found;
      },
      { url: `assets/${worker}`, files: plain },
    );
    expect(wrong).toEqual([]);
    expect(plain.length).toBeGreaterThan(250);
  }, 120_000);
});
