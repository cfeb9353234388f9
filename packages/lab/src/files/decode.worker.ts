// The worker in which pictures are decoded, so that the page stays responsive.

import { decode } from "./decode.js";
import { Refused, type Wanted } from "./opened.js";

export interface Asked extends Wanted {
  readonly id: number;
}

self.onmessage = async ({ data: { id, ...wanted } }: MessageEvent<Asked>) => {
  try {
    const opened = await decode(wanted);
    self.postMessage({ id, opened }, { transfer: [opened.data.buffer] });
  } catch (error) {
    const refusal = error instanceof Refused ? error.refusal : { why: "decode" };
    self.postMessage({ id, refusal });
  }
};
