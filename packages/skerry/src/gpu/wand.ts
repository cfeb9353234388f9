// The differences of all pixels from the colours of seeds, for fills at every tolerance.

import type { Call } from "../core/call.js";
import { coloursAt, packedColour } from "../core/colour-match.js";
import type { Pixels } from "../core/pixels.js";
import type { WandPlan } from "../core/plans.js";
import { eachBand, groupsOf, type Resident } from "./bands.js";
import { type Context, ScratchScope } from "./device/context.js";
import { windows } from "./fill-match.js";

/** Pixels per thread of wand-differ.wgsl. */
const DIFFERED = 4;

/** Makes images of differences: one per seed if the plan is contiguous, else one of the least difference from any seed. */
export async function differenceImages(
  context: Context,
  pixels: Pixels,
  plan: WandPlan,
  call: Call,
): Promise<Resident[]> {
  const { shape } = pixels;
  const { width, height, channels } = shape;
  const colours = (await coloursAt(plan.seeds, 1, shape, windows(context, pixels, call))).map(packedColour);
  const planes: Resident[] = [];
  try {
    for (let i = 0; i < (plan.contiguous ? colours.length : 1); i++) {
      const scope = new ScratchScope(context);
      const buffer = await scope.allocate(Math.ceil((width * height) / 4) * 4 + 4, "differences");
      const parts = [{ y0: 0, y1: height, buffer, offset: 0 }];
      planes.push({ shape: { ...shape, channels: 1 }, parts, dispose: () => scope.freeAll() });
    }
    await context.timed(call, "differences", width * height * (channels + planes.length), async () => {
      const commands = context.commands();
      const feed = { multiple: 4, halo: false, raw: true };
      await eachBand(context, commands, pixels, { y0: 0, y1: height }, feed, call, ({ y0, y1, ...band }) => {
        const total = (y1 - y0) * width;
        commands.stage("differences", total * (channels + 1));
        for (const [i, colour] of colours.entries()) {
          const differences = planes[plan.contiguous ? i : 0].parts[0].buffer;
          const uniforms = { pixels: total, first: band.first, colour, to: (y0 * width) / 4 };
          const bindings = { pixels: band.pixels, differences };
          const LEAST = i > 0 && !plan.contiguous;
          commands.dispatch("wand-differ", groupsOf(Math.ceil(total / DIFFERED)), bindings, uniforms, {
            CHANNELS: channels,
            LEAST,
          });
        }
      });
      await commands.submit();
    });
    return planes;
  } catch (error) {
    for (const plane of planes) plane.dispose();
    throw error;
  }
}
