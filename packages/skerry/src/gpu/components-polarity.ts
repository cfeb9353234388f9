// The polarity of each object, if bright and dark objects were found at once.

import { walkersFor } from "./bands.js";
import { type Context, withScratch } from "./device/context.js";
import type { Labelled } from "./labelled.js";

/** 1 or 2 per label. */
export async function polaritiesOf(context: Context, labelled: Labelled): Promise<Uint8Array> {
  const { count, strips } = labelled;
  const polarities = new Uint8Array(count);
  const words = Math.ceil((count + 1) / 32);
  await withScratch(context, async (scope) => {
    const second = await scope.allocate(words * 4, "polarities");
    const commands = context.commands();
    commands.clear(second, 0, words * 4);
    for (const { labels, nodes, firstNodes } of strips) {
      commands.dispatch(
        "components-polarity",
        walkersFor(nodes),
        { map: labels, second },
        { first: firstNodes, nodes },
      );
    }
    await context.read(commands, second, 0, words * 4, (piece, at) => {
      const bits = new Uint32Array(piece);
      const from = at * 8;
      for (let label = Math.max(1, from); label <= Math.min(count, from + bits.length * 32 - 1); label++) {
        polarities[label - 1] = 1 + ((bits[(label - from) >> 5] >>> (label & 31)) & 1);
      }
    });
  });
  return polarities;
}
