// sharp, loaded at its first use: loading takes as long as the rest of the command line together.

import type Sharp from "sharp";

export async function loadSharp(): Promise<typeof Sharp> {
  return (await import("sharp")).default;
}
