// The worker in which pictures are decoded, so that the page stays responsive.

import { decode } from "./decode.js";
import { Refused } from "./opened.js";

export interface Asked {
  readonly id: number;
  readonly blob: Blob;
  readonly name: string;
  readonly shrink: number;
}

self.onmessage = async ({ data: { id, blob, name, shrink } }: MessageEvent<Asked>) => {
  try {
    const opened = await decode(blob, name, shrink);
    self.postMessage({ id, opened }, { transfer: [opened.data.buffer] });
  } catch (error) {
    const refusal = error instanceof Refused ? error.refusal : { why: "decode" };
    self.postMessage({ id, refusal });
  }
};
